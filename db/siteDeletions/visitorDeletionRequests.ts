/**
 * Requests to delete a visitor with all its data: made by the cabinet, and carried out by the workflow deleteVisitors.
 * purgeVisitor.ts deletes the rows.
 */
import type pg from 'pg';
import { subjectHash } from '../../domain/privacy/deletionLedger.ts';
import { recordDeletions } from '../people/deletionLedger.ts';
import { inTransaction, type Queryable } from '../pool.ts';

export interface VisitorRef {
  siteId: string;
  visitorId: string;
}

/**
 * Requests the deletion of a visitor and records it in the ledger.
 * @param ledgerKey the key that is derived for the purpose `deletion-ledger`
 */
export function deleteVisitor(pool: pg.Pool, ledgerKey: Buffer, { siteId, visitorId }: VisitorRef): Promise<void> {
  return inTransaction(pool, async (client) => {
    await requestVisitorDeletion(client, siteId, visitorId);
    await recordVisitorDeletions(client, ledgerKey, [{ siteId, visitorId }]);
  });
}

/**
 * Records visitors in the ledger. Those of a user are found by the run that deletes them
 * (db/siteDeletions/userDeletions.ts), which records them as it begins.
 */
export async function recordVisitorDeletions(
  db: Queryable,
  ledgerKey: Buffer,
  visitors: readonly VisitorRef[],
): Promise<void> {
  const kind = 'site-visitor';
  await recordDeletions(
    db,
    visitors.map(({ siteId: tenantId, visitorId: id }) => ({
      tenantId,
      kind,
      hash: subjectHash(ledgerKey, { tenantId, kind, id }),
    })),
  );
}

/** Requests a deletion. If it is requested again while it runs, the visitor is deleted once more. */
export async function requestVisitorDeletion(client: Queryable, siteId: string, visitorId: string): Promise<void> {
  await client.query(
    `insert into visitor_deletions (site_id, visitor_id) values ($1, $2)
     on conflict (site_id, visitor_id) do update set requested_at = now(), run_id = null, claimed_at = null`,
    [siteId, visitorId],
  );
}

/** A run that has not ended after this time is lost. */
export const DELETION_LOST_AFTER = '1 day';

/** Assigns to a run visitors that no other run has; a repeated call returns those it already has. */
export async function claimVisitorDeletions(db: Queryable, runId: string, limit: number): Promise<number> {
  await db.query(
    `update visitor_deletions set run_id = $1, claimed_at = now()
     where (site_id, visitor_id) in (
       select site_id, visitor_id from visitor_deletions
       where run_id is null or claimed_at < now() - interval '${DELETION_LOST_AFTER}'
       order by requested_at limit greatest(0, $2 - (select count(*) from visitor_deletions where run_id = $1))
       for update skip locked
     )`,
    [runId, limit],
  );
  const { rows } = await db.query<{ visitors: number }>(
    'select count(*)::int as visitors from visitor_deletions where run_id = $1',
    [runId],
  );
  return rows[0]?.visitors ?? 0;
}

export async function listVisitorsInHand(db: Queryable, runId: string): Promise<VisitorRef[]> {
  const { rows } = await db.query<VisitorRef>(
    'select site_id as "siteId", visitor_id as "visitorId" from visitor_deletions where run_id = $1 order by site_id, visitor_id',
    [runId],
  );
  return rows;
}

/** Returns all visitors whose deletion was requested and has not ended. */
export async function listOpenVisitorDeletions(db: Queryable): Promise<VisitorRef[]> {
  const { rows } = await db.query<VisitorRef>(
    'select site_id as "siteId", visitor_id as "visitorId" from visitor_deletions order by site_id, visitor_id',
  );
  return rows;
}

/** Deletes finished requests, and the visitors' ids with them. */
export async function closeVisitorDeletions(db: Queryable, runId: string): Promise<number> {
  const { rowCount } = await db.query('delete from visitor_deletions where run_id = $1', [runId]);
  return rowCount ?? 0;
}
