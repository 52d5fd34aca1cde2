import type { Params } from './event.ts';
import { stringify } from './json.ts';
import { byteLength } from './storableText.ts';
import { isRecord } from '../../../domain/isRecord.ts';

/** The server accepts 64 levels in the whole request; nobody needs reports by values nested deeper than this. */
const MAX_DEPTH = 16;

/**
 * Copies the params as JSON, so that later changes to the page's object have no effect.
 * @returns undefined when they are empty, not a plain object, over `maxBytes` or nested too deep; such params are not
 * sent
 */
export function readParams(value: unknown, maxBytes: number): Params | undefined {
  if (!isRecord(value)) return undefined;
  try {
    const text = stringify(value);
    const copy: unknown = byteLength(text) <= maxBytes ? JSON.parse(text) : undefined;
    return isRecord(copy) && text !== '{}' && !isDeeper(copy, MAX_DEPTH) ? copy : undefined;
  } catch {
    return undefined; // a cycle, a BigInt, or the page's own toJSON that throws
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const name of Object.keys(value)) if (isDeeper((value as Params)[name], levels - 1)) return true;
  return false;
}
