/** Selects the waiting events that go into one batch, and those that are kept when there is no room. */
import type { TagEvent } from '../data/event.ts';
import { stringify } from '../data/json.ts';
import { LIMITS } from '../data/tagLimits.ts';
import { byteLength } from '../data/storableText.ts';

/** An event with its visitor, who may have changed by the time it is sent. */
export interface Entry {
  v: string;
  e: TagEvent;
}

/** A fraction of the 5 MB that a page's origin has. */
const STORED_EVENTS = 500;
const STORED_CHARACTERS = 250_000;
/** Key, visitor, times and device. */
const ENVELOPE_BYTES = 1024;

export interface Picked {
  events: Entry[];
  /** Remaining events for the next batch, in order. */
  rest: Entry[];
  /** Events that are over 24 hours old, or larger than any batch. */
  dropped: Entry[];
}

/**
 * Picks the first events of one visitor that fit into a batch.
 * @param now epoch milliseconds, by the clock that stamped the events
 */
export function pickBatch(entries: readonly Entry[], now: number): Picked {
  const picked: Picked = { events: [], rest: [], dropped: [] };
  let bytes = ENVELOPE_BYTES;
  for (const entry of entries) {
    if (picked.rest.length > 0) {
      picked.rest.push(entry);
      continue;
    }
    const visitor = picked.events[0]?.v ?? entry.v;
    const size = byteLength(stringify(entry.e)) + 1;
    if (!(Date.parse(entry.e.at) >= now - LIMITS.lateMs) || size > LIMITS.batchBytes - ENVELOPE_BYTES) {
      picked.dropped.push(entry);
      continue;
    }
    const isFull = picked.events.length >= LIMITS.batchEvents || bytes + size > LIMITS.batchBytes;
    if (isFull || visitor !== entry.v) {
      picked.rest.push(entry);
      continue;
    }
    bytes += size;
    picked.events.push(entry);
  }
  return picked;
}

/** Returns the newest events that may be kept, in order. */
export function keepNewest(entries: readonly Entry[]): Entry[] {
  let characters = 0;
  let first = entries.length;
  while (first > 0 && entries.length - first < STORED_EVENTS) {
    characters += stringify(entries[first - 1]).length;
    if (characters > STORED_CHARACTERS) break;
    first -= 1;
  }
  return entries.slice(first);
}
