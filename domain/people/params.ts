/** The free parameters of a person: what may be in them, whichever way they come. */

/** As JSON in UTF-8. */
export const PARAMS_MAX_BYTES = 4 * 1024;
/** As deep as the validation of requests goes (schemas/textScan.ts). */
const MAX_DEPTH = 64;

/** Whether PostgreSQL can keep the value: no NUL, no lone surrogate, no infinity, not nested beyond reason. */
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
