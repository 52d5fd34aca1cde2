/** How large one thing that a site keeps may be. */
import type { FieldFault } from '../http/errors.ts';

/** A list of all that a site keeps is one answer. */
export const SAVED_KB = 64;

/** `too_long` of what is larger than {@link SAVED_KB} as JSON. */
export function bytesFaults(value: object, field: string): FieldFault[] {
  return sizeOf(value) > SAVED_KB * 1024 ? [{ field, code: 'too_long' }] : [];
}

function sizeOf(value: object): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch (error) {
    // Nested so deep that it cannot be written.
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
