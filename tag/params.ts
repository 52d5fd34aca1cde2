import type { Params } from './event.ts';
import { stringify } from './json.ts';
import { byteLength } from './text.ts';

export function isObject(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The server takes 64 levels of the whole request; nobody reports by what lies deeper than this. */
const MAX_DEPTH = 16;

/**
 * A copy of the params as JSON has them, so that what the page does with the object later changes nothing.
 * @returns undefined when they are none, no plain object, over `maxBytes` or nested too deep: these are not sent
 */
export function readParams(value: unknown, maxBytes: number): Params | undefined {
  if (!isObject(value)) return undefined;
  try {
    const text = stringify(value);
    const copy: unknown = byteLength(text) <= maxBytes ? JSON.parse(text) : undefined;
    return isObject(copy) && text !== '{}' && !isDeeper(copy, MAX_DEPTH) ? copy : undefined;
  } catch {
    return undefined; // a circle, a BigInt, a toJSON of the page's own that throws
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const name of Object.keys(value)) if (isDeeper((value as Params)[name], levels - 1)) return true;
  return false;
}
