/** Snapshots are stored behind the answers, in batches: nobody waits for them, and a crash loses a second's at most. */
import type pg from 'pg';
import { insertSnapshots, type OutputSnapshot } from '../../db/output/snapshots.ts';
import type { Logger } from '../../process/logger.ts';

const FLUSH_MS = 200;
const BATCH = 500;
/** While the database is away; then the oldest go. */
const MOST_WAITING = 20_000;

export interface SnapshotWriter {
  add(snapshot: OutputSnapshot): void;
  /** Stores what waits. */
  close(): Promise<void>;
}

export function createSnapshotWriter(pool: pg.Pool, logger: Logger): SnapshotWriter {
  const waiting: OutputSnapshot[] = [];
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> | null = null;

  const store = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      try {
        await insertSnapshots(pool, batch);
      } catch (error) {
        waiting.unshift(...batch);
        logger.warn({ err: error, waiting: waiting.length }, 'snapshots of answers could not be stored');
        return;
      }
    }
  };
  const flush = async (): Promise<void> => {
    timer = undefined;
    await (storing ??= store().finally(() => (storing = null)));
  };
  const flushSoon = (): void => {
    timer ??= setTimeout(() => void flush().then(() => waiting.length > 0 && flushSoon()), FLUSH_MS);
  };
  return {
    add(snapshot) {
      waiting.push(snapshot);
      if (waiting.length > MOST_WAITING) waiting.shift();
      flushSoon();
    },
    async close() {
      clearTimeout(timer);
      await flush();
    },
  };
}
