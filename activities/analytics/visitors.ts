/** Steps of the deletion of visitors; each may be done again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { areOlderOver, areStagedIn, claimVisitorDeletions, closeVisitorDeletions, listVisitorsInHand, markStaged, purgeVisitor } from '../../db/visitorDeletions.ts';
import { deleteVisitorRows } from '../../reports/lake/upkeep/rows.ts';
import type { AnalyticsActivityDeps } from './deps.ts';
import { runChunk } from '../data/chunk.ts';

/** Visitors of one run; the rest has the next one. */
const MOST_VISITORS = 5_000;
const LOOK_MS = 250;

export function createVisitorActivities({ pool, lake, logger }: AnalyticsActivityDeps) {
  return {
    /** Takes what was asked for in hand. */
    claimVisitorDeletions: (runId: string) => runChunk(logger, async () => ({ visitors: await claimVisitorDeletions(pool, runId, MOST_VISITORS) })),

    /** Removes their rows from PostgreSQL, and waits until no transaction is left that may still write of them. */
    purgeVisitors: (runId: string) => runChunk(logger, async () => {
      let [rows, last] = [0, '0'];
      for (const visitor of await listVisitorsInHand(pool, runId)) {
        const purged = await purgeVisitor(pool, visitor);
        rows += purged.rows;
        last = purged.transaction;
      }
      await until(() => areOlderOver(pool, last));
      return { rows };
    }),

    /** Waits until what is staged now is in the lake, from where it can be deleted. */
    awaitStaged: () => runChunk(logger, async () => {
      const mark = await markStaged(pool);
      await until(() => areStagedIn(pool, mark));
    }),

    deleteVisitorsFromLake: (runId: string) => runChunk(logger, async () => deleteVisitorRows(lake, pool, await listVisitorsInHand(pool, runId))),

    closeVisitorDeletions: (runId: string) => runChunk(logger, async () => ({ visitors: await closeVisitorDeletions(pool, runId) })),
  };
}

/** Until the activity is let go of; Temporal begins it again when it takes too long. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const { cancellationSignal } = Context.current();
  while (!(await isSo())) await sleep(LOOK_MS, undefined, { signal: cancellationSignal });
}
