/**
 * Stores snapshots after the responses, in batches: no request waits for them, and a crash loses at most those of the
 * last second. db/output/snapshots.ts removes them after `OUTPUT_DAYS`.
 */
import type pg from 'pg';
import { isDatabaseUnavailable } from '../../../db/errors.ts';
import { insertSnapshots, type OutputSnapshot } from '../../../db/output/snapshots.ts';
import type { Logger } from '../../../platform/process/logger.ts';

const FLUSH_MS = 200;
const BATCH = 500;
/**
 * Maximum number of items in pending snapshots while the database is unavailable, some 40 MB; then the oldest snapshots
 * are dropped.
 */
const MAX_ITEMS = 400_000;

export interface SnapshotWriter {
  /** Ignored after {@link close}. */
  add(snapshot: OutputSnapshot): void;
  /** Returns the pages of an answer that are not stored yet. */
  pendingPages(projectId: string, id: string): OutputSnapshot[];
  /** Returns the pages shown to a person that are not stored yet. */
  pendingForPerson(projectId: string, identityIds: readonly string[]): OutputSnapshot[];
  /** Stores the pending snapshots, if the database accepts them. */
  close(): Promise<void>;
}

export function createSnapshotWriter(
  pool: pg.Pool,
  logger: Logger,
  { mostItems = MAX_ITEMS }: { mostItems?: number } = {},
): SnapshotWriter {
  const waiting = new Set<OutputSnapshot>();
  let items = 0;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> | null = null;
  let isClosed = false;
  let isOutage = false;

  const remove = (snapshots: readonly OutputSnapshot[]): void => {
    for (const snapshot of snapshots) if (waiting.delete(snapshot)) items -= snapshot.itemIds.length;
  };
  const store = async (): Promise<void> => {
    while (waiting.size > 0) {
      const batch = firstOf(waiting);
      try {
        await storeBisecting(pool, batch, logger);
        isOutage = false;
        remove(batch);
      } catch (error) {
        if (!isOutage)
          logger.warn({ err: error, waiting: waiting.size }, 'snapshots of answers are waiting for the database');
        isOutage = true;
        return;
      }
    }
  };
  const flush = async (): Promise<void> => {
    timer = undefined;
    await (storing ??= store().finally(() => (storing = null)));
  };
  const flushSoon = (): void => {
    timer ??= setTimeout(() => void flush().then(() => waiting.size > 0 && !isClosed && flushSoon()), FLUSH_MS);
  };
  return {
    add(snapshot) {
      if (isClosed) return;
      waiting.add(snapshot);
      items += snapshot.itemIds.length;
      for (const oldest of waiting) {
        if (items <= mostItems) break;
        remove([oldest]);
      }
      flushSoon();
    },
    pendingPages: (projectId, id) => [...waiting].filter((one) => one.id === id && one.projectId === projectId),
    pendingForPerson: (projectId, identityIds) =>
      [...waiting].filter(
        (one) => one.projectId === projectId && one.identityId !== null && identityIds.includes(one.identityId),
      ),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await flush();
      if (waiting.size > 0) await flush();
    },
  };
}

function firstOf(waiting: ReadonlySet<OutputSnapshot>): OutputSnapshot[] {
  const batch: OutputSnapshot[] = [];
  for (const snapshot of waiting) if (batch.push(snapshot) === BATCH) break;
  return batch;
}

/**
 * Stores snapshots although the database refuses one of the rows: the row is found by bisection and dropped.
 * @throws when the database is unavailable
 */
async function storeBisecting(pool: pg.Pool, snapshots: readonly OutputSnapshot[], logger: Logger): Promise<void> {
  try {
    await insertSnapshots(pool, snapshots);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    if (snapshots.length <= 1) {
      const { projectId, id, page } = snapshots[0] ?? {};
      logger.error({ err: error, projectId, recommendationId: id, page }, 'a snapshot of an answer was refused');
      return;
    }
    const half = Math.ceil(snapshots.length / 2);
    await storeBisecting(pool, snapshots.slice(0, half), logger);
    await storeBisecting(pool, snapshots.slice(half), logger);
  }
}
