/** The free parameters of a person: which values they may have, however they are sent. */

/** Maximum depth, the same as in the validation of requests (domain/schemas/textScan.ts). */
const MAX_DEPTH = 64;

/** Returns true when PostgreSQL can store the value: no NUL, no lone surrogate, no infinity, no excessive nesting. */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  return Object.entries(value).every(([key, child]) => isStorableText(key) && isStorable(child, depth + 1));
}

export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
