/** Finds the form fields that the server rejected, and the reasons. */
import { AttuneError } from './client.ts';
import type { Words } from '../words/en/index.ts';

/**
 * Returns the fault of a field in words; null if there is none.
 * @param field as `details` of an error names it
 */
export function faultOf(error: Error | null, field: string, { fieldErrors }: Words): string | null {
  if (!(error instanceof AttuneError)) return null;
  const detail = error.details.find((one) => isOf(one.field, field));
  return detail ? (fieldErrors.codes[detail.code] ?? fieldErrors.other) : null;
}

/** Returns whether an error is about fields that a form shows; it then needs no separate message. */
export function isAboutFields(error: Error | null, fields: readonly string[]): boolean {
  if (!(error instanceof AttuneError) || error.details.length === 0) return false;
  return error.details.every(({ field }) => fields.some((one) => isOf(field, one)));
}

/** Returns whether a fault is about a field or a part of it: `sites[2]`, `value_map.150`. */
function isOf(found: string, field: string): boolean {
  return found === field || found.startsWith(`${field}[`) || found.startsWith(`${field}.`);
}

/** Returns the fault of exactly this field and not of a part: of the list, not of one of its elements. */
export function faultAt(error: Error | null, field: string, { fieldErrors }: Words): string | null {
  if (!(error instanceof AttuneError)) return null;
  const detail = error.details.find((one) => one.field === field);
  return detail ? (fieldErrors.codes[detail.code] ?? fieldErrors.other) : null;
}
