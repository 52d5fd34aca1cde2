/** Size limit of a saved object of a site. */
import type { FieldFault } from '../../http/errors.ts';

/** A list of all saved objects of a site is one response, so each is limited. */
export const SAVED_KB = 64;

/** Returns `too_long` for an object that is larger than {@link SAVED_KB} as JSON. */
export function bytesFaults(value: object, field: string): FieldFault[] {
  return sizeOf(value) > SAVED_KB * 1024 ? [{ field, code: 'too_long' }] : [];
}

function sizeOf(value: object): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch (error) {
    // Nested too deeply to be serialised.
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
