import type { Params } from './event.ts';
import { stringify } from './json.ts';
import { byteLength } from './text.ts';

export function isObject(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A copy of the params as JSON has them, so that what the page does with the object later changes nothing.
 * @returns undefined when they are none, no plain object, or over `maxBytes`: these are not sent
 */
export function readParams(value: unknown, maxBytes: number): Params | undefined {
  if (!isObject(value)) return undefined;
  try {
    const text = stringify(value);
    const copy: unknown = byteLength(text) <= maxBytes ? JSON.parse(text) : undefined;
    return isObject(copy) && text !== '{}' ? copy : undefined;
  } catch {
    return undefined; // a circle, a BigInt, a toJSON of the page's own that throws
  }
}
