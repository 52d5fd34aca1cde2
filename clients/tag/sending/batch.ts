/** Says when a batch is due, and selects the waiting events that go into it. */
import type { TagEvent } from '../data/event.ts';
import { stringify } from '../data/json.ts';
import { MAX_EVENTS } from '../../../domain/collect/tagEventLimits.ts';
import { byteLength } from '../data/storableText.ts';

/** An event with its visitor, who may have changed by the time it is sent. */
export interface Entry {
  v: string;
  e: TagEvent;
}

/** A batch is due this long after its first event, or as soon as it has this many events. */
export const BATCH_DELAY_MS = 1000;
export const DUE_EVENTS = 10;
/** The intake accepts 64 KB; sendBeacon and keepalive share the same 64 KB, so some of it is left free. */
export const BATCH_BYTES = 60_000;
/** Age after which the intake drops an event, unless the installation sets another limit. */
export const LATE_MS = 24 * 3600_000;
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
    if (!(Date.parse(entry.e.at) >= now - LATE_MS) || size > BATCH_BYTES - ENVELOPE_BYTES) {
      picked.dropped.push(entry);
      continue;
    }
    const isFull = picked.events.length >= MAX_EVENTS || bytes + size > BATCH_BYTES;
    if (isFull || visitor !== entry.v) {
      picked.rest.push(entry);
      continue;
    }
    bytes += size;
    picked.events.push(entry);
  }
  return picked;
}
