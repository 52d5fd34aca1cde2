/** Visitors, visits and batches in the state in which /collect and the ingest leave them. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { LakeRows, LakeTable } from '../../../domain/reports/lakeRows.ts';
import { shardOf } from '../../../domain/collect/shards.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Adds a known visitor without any visit. */
export async function addVisitor(
  pool: pg.Pool,
  siteId: string,
  { visitorId = randomUUID(), userId = null }: { visitorId?: string; userId?: string | null } = {},
): Promise<string> {
  await pool.query('insert into site_visitors (site_id, visitor_id, user_id) values ($1, $2, $3)', [
    siteId,
    visitorId,
    userId,
  ]);
  return visitorId;
}

/** @returns its id */
export async function addVisit(pool: pg.Pool, siteId: string, visitorId: string, startedAt: Date): Promise<string> {
  const visitId = randomUUID();
  await pool.query(
    `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, state) values ($1, $2, $3, $4, $5, $5, '{}')`,
    [siteId, visitorId, visitId, shardOf(siteId), startedAt],
  );
  return visitId;
}

/** Adds a visitor with one visit. */
export async function addVisitorWithVisit(
  pool: pg.Pool,
  siteId: string,
  { startedAt = new Date(Date.now() - HOUR), userId = null }: { startedAt?: Date; userId?: string | null } = {},
): Promise<{ visitorId: string; visitId: string }> {
  const visitorId = await addVisitor(pool, siteId, { userId });
  return { visitorId, visitId: await addVisit(pool, siteId, visitorId, startedAt) };
}

/** Adds a batch of one event that was acknowledged and is not ingested yet. @returns its id */
export async function addToInbox(
  pool: pg.Pool,
  siteId: string,
  visitorId: string,
  {
    receivedAt = new Date(),
    at = receivedAt,
    userId = null,
  }: { receivedAt?: Date; at?: Date; userId?: string | null } = {},
): Promise<string> {
  const events = [
    {
      key: randomUUID(),
      at: at.getTime(),
      type: userId === null ? 'pageview' : 'user',
      url: 'https://shop.test/',
      user: userId === null ? null : { user_id: userId },
    },
  ];
  const { rows } = await pool.query<{ id: string }>(
    `insert into collect_inbox (shard, site_id, visitor_id, received_at, ip, user_agent, batch, user_ids, first_at) values ($1, $2, $3, $4, '203.0.113.7', 'test', $5, $6, $7) returning id`,
    [
      shardOf(siteId),
      siteId,
      visitorId,
      receivedAt,
      JSON.stringify({ device: null, events }),
      userId === null ? null : [userId],
      at,
    ],
  );
  return String(rows[0]?.id);
}

/** Reads a batch's staged rows of a table. */
export async function stagedRows<T extends LakeTable>(pool: pg.Pool, batchId: string, table: T): Promise<LakeRows[T]> {
  const { rows } = await pool.query<{ rows: string }>(
    'select rows from lake_batches where batch_id = $1 and table_name = $2',
    [batchId, table],
  );
  return JSON.parse(rows[0]?.rows ?? '[]') as LakeRows[T];
}
