/**
 * Full snapshots of pages: the address is recorded first and the page after it, and nothing new is visible in between.
 */
import type { RecordedEvent } from './unpackParts.ts';

const [FULL_SNAPSHOT, META] = [2, 4];

export interface FullSnapshots {
  /**
   * Adds more events, in order.
   * @param beginning the time of the first event of all
   */
  add(events: readonly RecordedEvent[], beginning: number): void;
  /**
   * Returns the position from which a page that begins at `at` is visible: just after its full snapshot, because rrweb
   * shows only the events before a position.
   */
  after(at: number): number;
}

export function createFullSnapshots(): FullSnapshots {
  const snapshots: { from: number; to: number }[] = [];
  let from = 0;
  return {
    add(events, beginning) {
      for (const { type, timestamp } of events) {
        if (type === META) from = timestamp - beginning;
        if (type === FULL_SNAPSHOT) snapshots.push({ from, to: timestamp - beginning });
      }
    },
    after(at) {
      const snapshot = snapshots.find(({ from, to }) => at >= from && at <= to);
      return snapshot ? snapshot.to + 1 : at;
    },
  };
}
