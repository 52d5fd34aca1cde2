/** The free parameters of a person: what may be in them, whichever way they come. */
import { isPersonalKey } from '../personalData.ts';

/** As JSON in UTF-8. */
export const PARAMS_MAX_BYTES = 4 * 1024;
/** As deep as the validation of requests goes (schemas/textScan.ts). */
const MAX_DEPTH = 64;

/** Whether a key at any depth names personal data. */
export function hasPersonalKey(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.some((element) => hasPersonalKey(element, depth + 1));
  return Object.entries(value).some(([key, child]) => isPersonalKey(key) || hasPersonalKey(child, depth + 1));
}

/** The same without members of such keys. */
export function withoutPersonalKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutPersonalKeys);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isPersonalKey(key))
      .map(([key, child]) => [key, withoutPersonalKeys(child)]),
  );
}

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
