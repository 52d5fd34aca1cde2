/**
 * Deletions of users of sites with all their data: requested by the cabinet, done by the workflow deleteVisitors. Every
 * visitor that was ever linked to the user is deleted in the same way as visitors are (purgeVisitor.ts); this file
 * removes what is stored under the user's id only.
 */
import type pg from 'pg';
import { subjectHash } from '../../domain/privacy/deletionLedger.ts';
import { recordDeletions } from '../people/deletionLedger.ts';
import { retryWhileLocked } from '../nowait.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { deleteUserData } from '../sitePeople/deleteSitePerson.ts';
import { readTransaction, type Purged } from './purgeVisitor.ts';
import { DELETION_LOST_AFTER } from './visitorDeletionRequests.ts';

export interface UserRef {
  siteId: string;
  userId: string;
}

/**
 * Requests the deletion of a user and records it in the ledger.
 * @param ledgerKey the key that is derived for the purpose `deletion-ledger`
 */
export function deleteSiteUser(pool: pg.Pool, ledgerKey: Buffer, { siteId, userId }: UserRef): Promise<void> {
  return inTransaction(pool, async (client) => {
    await requestUserDeletion(client, siteId, userId);
    await recordUserDeletions(client, ledgerKey, [{ siteId, userId }]);
  });
}

export async function recordUserDeletions(db: Queryable, ledgerKey: Buffer, users: readonly UserRef[]): Promise<void> {
  const kind = 'site-user';
  await recordDeletions(
    db,
    users.map(({ siteId: tenantId, userId: id }) => ({
      tenantId,
      kind,
      hash: subjectHash(ledgerKey, { tenantId, kind, id }),
    })),
  );
}

/** Requests a deletion. A user that is requested again during its deletion is deleted once more. */
export async function requestUserDeletion(client: Queryable, siteId: string, userId: string): Promise<void> {
  await client.query(
    `insert into user_deletions (site_id, user_id) values ($1, $2)
     on conflict (site_id, user_id) do update set requested_at = now(), run_id = null, claimed_at = null`,
    [siteId, userId],
  );
}

/**
 * Requests the deletion of the visitors of all users that are to be deleted: those that were ever linked, and those
 * that a batch in the inbox, or one that was set aside, will link. Called at the beginning of each run and in each of
 * its passes: the calls in the passes find visitors linked by a concurrent transaction, which are deleted in the next
 * run.
 * @returns how many were newly requested
 */
export async function requestVisitorsOfUsers(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `insert into visitor_deletions (site_id, visitor_id)
     select site_id, visitor_id from user_deletions d join site_visitor_users l using (site_id, user_id)
     union
     select site_id, visitor_id from user_deletions d join site_visitors v using (site_id, user_id)
     union
     select i.site_id, i.visitor_id
       from (select site_id, visitor_id, batch from collect_inbox union all select site_id, visitor_id, batch from collect_failed) i
      cross join lateral json_array_elements(i.batch -> 'events') e
       join user_deletions d on d.site_id = i.site_id and d.user_id = e -> 'user' ->> 'user_id'
      -- Most batches name nobody, and need not be parsed.
      where i.site_id in (select site_id from user_deletions) and position('"user_id":' in i.batch::text) > 0
     order by 1, 2
     on conflict do nothing`,
  );
  return rowCount ?? 0;
}

/**
 * Assigns to a run users that no other run has; a repeated call returns those it already has. A user waits until the
 * run has the last of the visitors that were linked at the time of the request: many thousands take several runs.
 */
export async function claimUserDeletions(db: Queryable, runId: string, limit: number): Promise<number> {
  await db.query(
    `update user_deletions set run_id = $1, claimed_at = now()
     where (site_id, user_id) in (
       select site_id, user_id from user_deletions d
       where (run_id is null or claimed_at < now() - interval '${DELETION_LOST_AFTER}')
         and not exists (
           select from site_visitor_users l
           where l.site_id = d.site_id and l.user_id = d.user_id and l.linked_at <= d.requested_at
             and not exists (select from visitor_deletions v where v.site_id = l.site_id and v.visitor_id = l.visitor_id and v.run_id = $1))
       order by requested_at limit greatest(0, $2 - (select count(*) from user_deletions where run_id = $1))
       for update skip locked
     )`,
    [runId, limit],
  );
  const { rows } = await db.query<{ users: number }>(
    'select count(*)::int as users from user_deletions where run_id = $1',
    [runId],
  );
  return rows[0]?.users ?? 0;
}

export async function listUsersInHand(db: Queryable, runId: string): Promise<UserRef[]> {
  const { rows } = await db.query<UserRef>(
    'select site_id as "siteId", user_id as "userId" from user_deletions where run_id = $1 order by site_id, user_id',
    [runId],
  );
  return rows;
}

/** Returns all users whose deletion was requested and has not ended. */
export async function listOpenUserDeletions(db: Queryable): Promise<UserRef[]> {
  const { rows } = await db.query<UserRef>(
    'select site_id as "siteId", user_id as "userId" from user_deletions order by site_id, user_id',
  );
  return rows;
}

/** Deletes finished requests, and the users' ids with them. */
export async function closeUserDeletions(db: Queryable, runId: string): Promise<number> {
  const { rowCount } = await db.query('delete from user_deletions where run_id = $1', [runId]);
  return rowCount ?? 0;
}

const FACTS = ['site_conversions', 'site_orders'] as const;

/**
 * Removes a user's rows in one transaction: the data sent about the user, and every fact that names the user. It locks
 * as purgeVisitor does.
 */
export async function purgeUser(pool: pg.Pool, { siteId, userId }: UserRef): Promise<Purged> {
  return retryWhileLocked(() =>
    inTransaction(pool, async (client) => {
      let rows = 0;
      for (const table of FACTS)
        await client.query(`select from ${table} where site_id = $1 and user_id = $2 for update nowait`, [
          siteId,
          userId,
        ]);
      for (const table of FACTS) {
        rows +=
          (await client.query(`delete from ${table} where site_id = $1 and user_id = $2`, [siteId, userId])).rowCount ??
          0;
      }
      // Rows are kept as they were staged (db/lake/batches.ts), so this is how they name the user.
      const named = `"user_id":${JSON.stringify(userId)}`;
      rows +=
        (
          await client.query(`delete from lake_failed where site_id = $1 and position($2 in "row") > 0`, [
            siteId,
            named,
          ])
        ).rowCount ?? 0;
      await deleteUserData(client, siteId, userId);
      return { rows, transaction: await readTransaction(client) };
    }),
  );
}
