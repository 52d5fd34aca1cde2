/** Rows on their way to the lake: staged as JSON in the transaction that made them, deleted once the lake has them. */
import type pg from 'pg';
import type { LakeRows, LakeTable } from '../../domain/reports/lakeRows.ts';
import { binaryArray } from '../arrays.ts';
import { inTransaction, type Queryable } from '../pool.ts';

/**
 * Returns the next batch id. Ids grow; within a shard, where transactions follow one another, they also grow in commit
 * order.
 */
export async function nextBatchId(client: Queryable): Promise<string> {
  const { rows } = await client.query<{ id: string }>(`select nextval('lake_batch_ids') as id`);
  return (rows[0] as { id: string }).id;
}

/**
 * Stages rows under a batch; rows of a table that the batch already has are added to them. Within one commit of the
 * lake the later row of a key (LAKE_KEYS) wins.
 */
export async function stageRows(
  client: pg.ClientBase,
  shard: number,
  batchId: string,
  rows: Partial<LakeRows>,
): Promise<void> {
  const tables = Object.entries(rows).filter(([, list]) => list.length > 0);
  if (tables.length === 0) return;
  await client.query(
    `insert into lake_batches (shard, batch_id, table_name, row_count, rows)
     select $1::smallint, $2::bigint, * from unnest($3::text[], $4::int[], $5::text[])
     on conflict (shard, batch_id, table_name) do update
       set row_count = lake_batches.row_count + excluded.row_count, rows = left(lake_batches.rows, -1) || ',' || substr(excluded.rows, 2)`,
    [
      shard,
      batchId,
      tables.map(([table]) => table),
      tables.map(([, list]) => list.length),
      binaryArray(
        'text',
        tables.map(([, list]) => JSON.stringify(list)),
      ),
    ],
  );
}

export interface StagedBatch {
  shard: number;
  batchId: string;
}

export interface StagedRows extends StagedBatch {
  table: LakeTable;
  count: number;
  /** A JSON array. */
  rows: string;
  /** Time on PostgreSQL's clock, in epoch seconds. */
  readAt: number;
}

/** Bytes of JSON that one commit of the lake takes, so that a backlog does not exhaust the memory. */
const COMMIT_BYTES = 48 * 1024 * 1024;

/**
 * Reads the oldest staged batches of these shards, each whole, up to the size of one commit.
 * @throws when the trigger that removes them at the commit does not exist
 */
export async function readStaged(
  db: Queryable,
  shards: readonly number[],
  bytes = COMMIT_BYTES,
): Promise<StagedRows[]> {
  const { rows } = await db.query<StagedRows & { tied: boolean }>(
    `with sizes as materialized (
       select shard, batch_id, sum(octet_length(rows)) as bytes from lake_batches where shard = any($1) group by shard, batch_id
     ), due as (
       select shard, batch_id from (
         select shard, batch_id, sum(bytes) over (order by batch_id, shard) - bytes as before from sizes
       ) running where before < $2
     )
     select shard, batch_id as "batchId", table_name as "table", row_count as count, rows, extract(epoch from now())::float8 as "readAt",
       exists (select from pg_trigger where tgname = 'lake_commit' and tgenabled <> 'D') as tied
     from due join lake_batches using (shard, batch_id)
     order by batch_id, shard, table_name`,
    [shards, bytes],
  );
  if (rows[0]?.tied === false)
    throw new Error(
      'the trigger lake_commit is missing on ducklake_snapshot_changes: without it, staged rows would be written to the lake repeatedly',
    );
  return rows;
}

/** A row that the lake cannot hold, and why. */
export interface RefusedRow {
  row: Record<string, unknown>;
  error: string;
}

/** Returns those of the staged rows that are refused; none when nothing is wrong. */
export type FindBadRows = (table: LakeTable, rows: readonly Record<string, unknown>[]) => Promise<RefusedRow[]>;

/** A batch may have thousands of bad rows, and finding each takes a few reads; meanwhile the session is idle. */
const SEARCH_TIMEOUT = '15min';

/**
 * Moves the rows of a batch that `findBad` refuses to lake_failed.
 * @returns how many; also 0 when the batch no longer exists
 */
export async function setRefusedAside(
  pool: pg.Pool,
  { shard, batchId }: StagedBatch,
  findBad: FindBadRows,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local idle_in_transaction_session_timeout = '${SEARCH_TIMEOUT}'`);
    const { rows: staged } = await client.query<{ table: LakeTable; rows: string }>(
      'select table_name as "table", rows from lake_batches where shard = $1 and batch_id = $2 order by table_name for update',
      [shard, batchId],
    );
    let refused = 0;
    for (const { table, rows } of staged) refused += await setAside(client, { shard, batchId, table, rows }, findBad);
    return refused;
  });
}

async function setAside(
  client: pg.ClientBase,
  staged: StagedBatch & { table: LakeTable; rows: string },
  findBad: FindBadRows,
): Promise<number> {
  const rows = JSON.parse(staged.rows) as Record<string, unknown>[];
  const refused = await findBad(staged.table, rows);
  if (refused.length === 0) return 0;
  await client.query(
    `insert into lake_failed (site_id, visitor_id, batch_id, table_name, row, error)
     select site_id, visitor_id, $1::bigint, $2::text, row, error from unnest($3::text[], $4::text[], $5::text[], $6::text[]) as given (site_id, visitor_id, row, error)`,
    [
      staged.batchId,
      staged.table,
      // Read here, because PostgreSQL cannot read any field of a JSON text that contains a NUL or a lone surrogate.
      refused.map(({ row }) => row['site_id']),
      refused.map(({ row }) => row['visitor_id'] ?? null),
      refused.map(({ row }) => JSON.stringify(row)),
      refused.map(({ error }) => error),
    ],
  );
  const bad = new Set(refused.map(({ row }) => row));
  const kept = rows.filter((row) => !bad.has(row));
  const key = [staged.shard, staged.batchId, staged.table];
  if (kept.length === 0)
    await client.query('delete from lake_batches where shard = $1 and batch_id = $2 and table_name = $3', key);
  else
    await client.query(
      'update lake_batches set rows = $4, row_count = $5 where shard = $1 and batch_id = $2 and table_name = $3',
      [...key, JSON.stringify(kept), kept.length],
    );
  return refused.length;
}
