/** Snapshots are stored behind the answers, in batches: nobody waits for them, and a crash loses a second's at most. */
import type pg from 'pg';
import { insertSnapshots, type OutputSnapshot } from '../../db/output/snapshots.ts';
import type { Logger } from '../../process/logger.ts';
import { repeat } from '../../process/repeat.ts';

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
  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      await insertSnapshots(pool, batch).catch((error: unknown) => {
        waiting.unshift(...batch);
        throw error;
      });
    }
  };
  const flushing = repeat(FLUSH_MS, logger, 'storing snapshots of answers', flush);
  return {
    add(snapshot) {
      waiting.push(snapshot);
      if (waiting.length > MOST_WAITING) waiting.shift();
    },
    async close() {
      await flushing.close();
      await flush().catch((error: unknown) => logger.warn({ err: error }, 'snapshots of answers were lost'));
    },
  };
}
