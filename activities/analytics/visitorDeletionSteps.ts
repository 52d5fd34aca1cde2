/** Steps of the deletion of visitors and users; each is idempotent. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import {
  claimUserDeletions,
  closeUserDeletions,
  listUsersInHand,
  recordUserDeletions,
  purgeUser,
  requestVisitorsOfUsers,
} from '../../db/siteDeletions/userDeletions.ts';
import {
  haveOlderTransactionsEnded,
  isLakeCaughtUp,
  readStagingWatermark,
  purgeVisitor,
  type Purged,
} from '../../db/siteDeletions/purgeVisitor.ts';
import {
  claimVisitorDeletions,
  closeVisitorDeletions,
  listVisitorsInHand,
  recordVisitorDeletions,
} from '../../db/siteDeletions/visitorDeletionRequests.ts';
import { deleteExportsOfSites } from '../../db/reports/deleteExports.ts';
import { deletePeopleRows } from '../../reports/lake/upkeep/deleteRows.ts';
import type { AnalyticsActivityDeps } from './deps.ts';
import { runChunk } from '../runChunk.ts';

/** Maximum per run; the next run takes the rest. */
const MAX_VISITORS = 5_000;
const MAX_USERS = 5_000;
const POLL_MS = 250;

export function createVisitorActivities({ pool, lake, ledgerKey, logger }: AnalyticsActivityDeps) {
  return {
    /** Claims the requested deletions of users and visitors, including the visitors of these users. */
    claimVisitorDeletions: (runId: string) =>
      runChunk(logger, async () => {
        await requestVisitorsOfUsers(pool);
        const visitors = await claimVisitorDeletions(pool, runId, MAX_VISITORS);
        const users = await claimUserDeletions(pool, runId, MAX_USERS);
        await recordVisitorDeletions(pool, ledgerKey, await listVisitorsInHand(pool, runId));
        await recordUserDeletions(pool, ledgerKey, await listUsersInHand(pool, runId));
        return { visitors, users };
      }),

    /** Deletes their rows from PostgreSQL, and waits until no running transaction can write more about them. */
    purgeVisitors: (runId: string) =>
      runChunk(logger, async () => {
        let [rows, last] = [0, '0'];
        const add = (purged: Purged): void => {
          rows += purged.rows;
          last = purged.transaction;
        };
        const users = await listUsersInHand(pool, runId);
        if (users.length > 0) await requestVisitorsOfUsers(pool);
        for (const visitor of await listVisitorsInHand(pool, runId)) add(await purgeVisitor(pool, visitor));
        for (const user of users) add(await purgeUser(pool, user));
        await pollUntil(() => haveOlderTransactionsEnded(pool, last));
        return { rows };
      }),

    /** Waits until the rows that are staged now are in the lake, where they can be deleted. */
    awaitStaged: () =>
      runChunk(logger, async () => {
        const mark = await readStagingWatermark(pool);
        await pollUntil(() => isLakeCaughtUp(pool, mark));
      }),

    deleteVisitorsFromLake: (runId: string) =>
      runChunk(logger, async () =>
        deletePeopleRows(lake, pool, {
          visitors: await listVisitorsInHand(pool, runId),
          users: await listUsersInHand(pool, runId),
        }),
      ),

    /**
     * Deletes the exports of the affected sites, whose files may name the deleted people.
     * @param before result of the first call, for exports that were being built at that time; null on the first call
     */
    forgetExports: (runId: string, before: string | null) =>
      runChunk(logger, async () => {
        const people = [...(await listVisitorsInHand(pool, runId)), ...(await listUsersInHand(pool, runId))];
        return deleteExportsOfSites(pool, [...new Set(people.map(({ siteId }) => siteId))], before);
      }),

    closeVisitorDeletions: (runId: string) =>
      runChunk(logger, async () => {
        const users = await closeUserDeletions(pool, runId);
        return { visitors: await closeVisitorDeletions(pool, runId), users };
      }),
  };
}

/** Polls until the condition holds or the activity is cancelled; Temporal restarts an activity that takes too long. */
async function pollUntil(condition: () => Promise<boolean>): Promise<void> {
  const { cancellationSignal } = Context.current();
  while (!(await condition())) await sleep(POLL_MS, undefined, { signal: cancellationSignal });
}
