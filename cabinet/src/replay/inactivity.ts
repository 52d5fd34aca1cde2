/** Stretches in which the visitor was inactive. */
import type { RecordedEvent } from './unpackParts.ts';

/** A stretch without activity, in milliseconds from the beginning. */
export interface Gap {
  from: number;
  to: number;
}

/** Shorter pauses are normal for reading. */
const MIN_GAP_MS = 10_000;
const [INCREMENTAL, META] = [3, 4];
/** rrweb's sources: movement, clicks, scrolling, resizing, input, touch, media, dragging and selection. */
const VISITOR_SOURCES: ReadonlySet<unknown> = new Set([1, 2, 3, 4, 5, 6, 7, 12, 14]);

export interface Gaps {
  /** Adds more events, in order. */
  add(events: readonly RecordedEvent[]): void;
  /** @param until the last event, in milliseconds from the beginning */
  list(until: number): Gap[];
}

/** @param beginning the time of the first event */
export function createGaps(beginning: number): Gaps {
  const gaps: Gap[] = [];
  let active = 0;
  return {
    add(events) {
      for (const event of events) {
        if (!isByVisitor(event)) continue;
        const at = event.timestamp - beginning;
        if (at - active > MIN_GAP_MS) gaps.push({ from: active, to: at });
        active = Math.max(active, at);
      }
    },
    list: (until) => (until - active > MIN_GAP_MS ? [...gaps, { from: active, to: until }] : [...gaps]),
  };
}

function isByVisitor({ type, data }: RecordedEvent): boolean {
  return type === META || (type === INCREMENTAL && VISITOR_SOURCES.has(data['source']));
}
