/** Deletes the rows of a visitor, and finds out when no older transaction can write about it any more. */
import type pg from 'pg';
import { retryWhileLocked } from '../nowait.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { deleteVisitorRecordings } from '../recordings/deleteRecordings.ts';
import { deleteVisitorData } from '../sitePeople/deleteSitePerson.ts';
import type { VisitorRef } from './visitorDeletionRequests.ts';

/** The tables that loops/ingest/stageFinished.ts locks. */
const SETTLED = ['site_visits', 'site_conversions', 'site_orders'] as const;

/** The tables that name a visitor by its id only; each statement removes one kind of trace. */
const TRACES = [
  // Skips rows that an ingest is taking now: that ingest either finds the visitor deleted, or wrote its visits before
  // the visitor was locked here.
  'delete from collect_inbox where id = any(array(select id from collect_inbox where site_id = $1 and visitor_id = $2 for update skip locked))',
  'delete from collect_failed where site_id = $1 and visitor_id = $2',
  'delete from site_visits where site_id = $1 and visitor_id = $2',
  'delete from site_conversions where site_id = $1 and visitor_id = $2',
  'delete from site_orders where site_id = $1 and visitor_id = $2',
  // Rows that the ingest takes now are deleted with its transaction.
  'delete from site_recounts where ctid = any(array(select ctid from site_recounts where site_id = $1 and visitor_id = $2 for update skip locked))',
  'delete from lake_failed where site_id = $1 and visitor_id = $2::uuid::text',
] as const;

export interface Purged {
  rows: number;
  /** The transaction's id: older transactions may still write about the purged visitor. */
  transaction: string;
}

/**
 * Removes a visitor's rows in one transaction. The lock order here, as everywhere, is: the visitor (whose lock keeps
 * the ingest from writing about it), visits and facts, people. The settling code locks visits and facts in another
 * order and without the visitor. So the purge never waits for them while it holds locks, but begins again. It does the
 * same if the visitor was unknown at first, and an ingest has locked it since.
 * @throws when the locks are not available for a few seconds
 */
export async function purgeVisitor(pool: pg.Pool, { siteId, visitorId }: VisitorRef): Promise<Purged> {
  return retryWhileLocked(() =>
    inTransaction(pool, async (client) => {
      let count = 0;
      const run = async (statement: string): Promise<number> =>
        (await client.query(statement, [siteId, visitorId])).rowCount ?? 0;
      await run('select from site_visitors where site_id = $1 and visitor_id = $2 for update');
      for (const table of SETTLED)
        await run(`select from ${table} where site_id = $1 and visitor_id = $2 for update nowait`);
      for (const statement of TRACES) count += await run(statement);
      // The order matters: the visitor's row says whose data it is, and without it no new recording begins.
      await deleteVisitorData(client, siteId, visitorId);
      await run('select from site_visitors where site_id = $1 and visitor_id = $2 for update nowait');
      count += await run('delete from site_visitors where site_id = $1 and visitor_id = $2');
      count += await deleteVisitorRecordings(client, siteId, visitorId);
      return { rows: count, transaction: await readTransaction(client) };
    }),
  );
}

export async function readTransaction(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ transaction: string }>('select pg_current_xact_id()::text as transaction');
  return rows[0]?.transaction ?? '0';
}

/** Returns true when every transaction that began before this one has ended. */
export async function haveOlderTransactionsEnded(db: Queryable, transaction: string): Promise<boolean> {
  const { rows } = await db.query<{ over: boolean }>(
    'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 as over',
    [transaction],
  );
  return rows[0]?.over === true;
}

/** Returns an id above those of all batches that are staged now. */
export async function readStagingWatermark(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ mark: string }>(`select nextval('lake_batch_ids') as mark`);
  return rows[0]?.mark ?? '0';
}

/** Returns true when no batch below the mark waits for the lake any more. */
export async function isLakeCaughtUp(db: Queryable, mark: string): Promise<boolean> {
  const { rows } = await db.query<{ waits: boolean }>(
    'select exists (select from lake_batches where batch_id < $1) as waits',
    [mark],
  );
  return rows[0]?.waits === false;
}
