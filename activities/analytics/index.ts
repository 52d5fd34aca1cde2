/** The activities on the queue `analytics`: upkeep of the lake and of its data in PostgreSQL. */
import { Context } from '@temporalio/activity';
import { deleteExpiredRecordings } from '../../db/recordings/deleteRecordings.ts';
import { deleteOldUsers, deleteOldVisitors } from '../../db/sitePeople/deleteOldPeople.ts';
import { RETAINED_ROWS, listUnusualRetention, deleteOldRows } from '../../db/sites/retention.ts';
import { mergeFiles, removeOldFiles, removeOrphans } from '../../reports/lake/upkeep/mergeFiles.ts';
import { deletePastRetention } from '../../reports/lake/upkeep/deleteRows.ts';
import type { AnalyticsActivityDeps } from './deps.ts';
import { createVisitorActivities } from './visitorDeletionSteps.ts';
import { runChunk } from '../runChunk.ts';

export type AnalyticsActivities = ReturnType<typeof createAnalyticsActivities>;

/** Rows per statement. */
const ROWS = 10_000;
/** Visitors or users per transaction, with all their data. */
const PEOPLE = 1_000;
/** Recordings per transaction, with about a hundred chunks each. */
const RECORDINGS = 200;
/** Statements of one kind per activity. */
const STATEMENTS = 50;

export function createAnalyticsActivities(deps: AnalyticsActivityDeps) {
  const { pool, lake, logger, factMonths } = deps;
  return {
    mergeLakeFiles: () => runChunk(logger, () => mergeFiles(lake, pool)),

    removeOldLakeFiles: () => runChunk(logger, () => removeOldFiles(lake)),

    removeLakeOrphans: () => runChunk(logger, () => removeOrphans(lake)),

    retainLakeRows: () =>
      runChunk(logger, async () =>
        deletePastRetention(lake, pool, await listUnusualRetention(pool), { now: Date.now(), factMonths }),
      ),

    /** Deletes some of the rows in PostgreSQL that are past their retention; `isDone` is true when none are left. */
    retainSiteRows: () =>
      runChunk(logger, async () => {
        let rows = 0;
        const kinds: [number, () => Promise<number>][] = RETAINED_ROWS.map((kind) => [
          ROWS,
          () => deleteOldRows(pool, kind, ROWS, factMonths),
        ]);
        kinds.push(
          [RECORDINGS, () => deleteExpiredRecordings(pool, RECORDINGS)],
          // These come last, because visitors are kept as long as they have any of the rows above, and users as long as
          // they have visitors.
          [PEOPLE, () => deleteOldVisitors(pool, PEOPLE)],
          [PEOPLE, () => deleteOldUsers(pool, PEOPLE)],
        );
        for (const [size, remove] of kinds) {
          const { removed, isDone } = await removeSome(size, remove);
          rows += removed;
          if (!isDone) return { rows, isDone };
        }
        return { rows, isDone: true };
      }),

    ...createVisitorActivities(deps),
  };
}

/** @param remove deletes at most `size` rows of one kind and returns their number */
async function removeSome(size: number, remove: () => Promise<number>): Promise<{ removed: number; isDone: boolean }> {
  let removed = 0;
  for (let statement = 0; statement < STATEMENTS && !Context.current().cancellationSignal.aborted; statement += 1) {
    const rows = await remove();
    removed += rows;
    if (rows < size) return { removed, isDone: true };
  }
  return { removed, isDone: false };
}
