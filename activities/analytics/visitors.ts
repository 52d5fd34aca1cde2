/** Steps of the deletion of visitors and users; each may be done again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import {
  claimUserDeletions,
  closeUserDeletions,
  listUsersInHand,
  noteUsers,
  purgeUser,
  requestVisitorsOfUsers,
} from '../../db/userDeletions.ts';
import {
  areOlderOver,
  areStagedIn,
  claimVisitorDeletions,
  closeVisitorDeletions,
  listVisitorsInHand,
  markStaged,
  noteVisitors,
  purgeVisitor,
  type Purged,
} from '../../db/visitorDeletions.ts';
import { forgetExports } from '../../db/reportExports.ts';
import { deletePeopleRows } from '../../reports/lake/upkeep/rows.ts';
import type { AnalyticsActivityDeps } from './deps.ts';
import { runChunk } from '../chunk.ts';

/** Of one run; the rest has the next one. */
const MOST_VISITORS = 5_000;
const MOST_USERS = 5_000;
const LOOK_MS = 250;

export function createVisitorActivities({ pool, lake, ledgerKey, logger }: AnalyticsActivityDeps) {
  return {
    /** Takes what was asked for in hand: visitors, those of users among them, and users. */
    claimVisitorDeletions: (runId: string) =>
      runChunk(logger, async () => {
        await requestVisitorsOfUsers(pool);
        const visitors = await claimVisitorDeletions(pool, runId, MOST_VISITORS);
        const users = await claimUserDeletions(pool, runId, MOST_USERS);
        await noteVisitors(pool, ledgerKey, await listVisitorsInHand(pool, runId));
        await noteUsers(pool, ledgerKey, await listUsersInHand(pool, runId));
        return { visitors, users };
      }),

    /** Removes their rows from PostgreSQL, and waits until no transaction is left that may still write of them. */
    purgeVisitors: (runId: string) =>
      runChunk(logger, async () => {
        let [rows, last] = [0, '0'];
        const note = (purged: Purged): void => {
          rows += purged.rows;
          last = purged.transaction;
        };
        const users = await listUsersInHand(pool, runId);
        if (users.length > 0) await requestVisitorsOfUsers(pool);
        for (const visitor of await listVisitorsInHand(pool, runId)) note(await purgeVisitor(pool, visitor));
        for (const user of users) note(await purgeUser(pool, user));
        await until(() => areOlderOver(pool, last));
        return { rows };
      }),

    /** Waits until what is staged now is in the lake, from where it can be deleted. */
    awaitStaged: () =>
      runChunk(logger, async () => {
        const mark = await markStaged(pool);
        await until(() => areStagedIn(pool, mark));
      }),

    deleteVisitorsFromLake: (runId: string) =>
      runChunk(logger, async () =>
        deletePeopleRows(lake, pool, {
          visitors: await listVisitorsInHand(pool, runId),
          users: await listUsersInHand(pool, runId),
        }),
      ),

    /**
     * Removes the exports of the sites at hand, whose files may name whoever is deleted.
     * @param before what the first call answered, for exports that were being built then; null at first
     */
    forgetExports: (runId: string, before: string | null) =>
      runChunk(logger, async () => {
        const people = [...(await listVisitorsInHand(pool, runId)), ...(await listUsersInHand(pool, runId))];
        return forgetExports(pool, [...new Set(people.map(({ siteId }) => siteId))], before);
      }),

    closeVisitorDeletions: (runId: string) =>
      runChunk(logger, async () => {
        const users = await closeUserDeletions(pool, runId);
        return { visitors: await closeVisitorDeletions(pool, runId), users };
      }),
  };
}

/** Until the activity is let go of; Temporal begins it again when it takes too long. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const { cancellationSignal } = Context.current();
  while (!(await isSo())) await sleep(LOOK_MS, undefined, { signal: cancellationSignal });
}
