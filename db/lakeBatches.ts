/** Rows on their way to the lake: staged as JSON in the transaction that made them, gone once the lake has them. */
import type pg from 'pg';
import type { LakeRows } from '../domain/lakeRows.ts';
import type { Queryable } from './pool.ts';

/** Ids grow; within a shard, where one transaction follows another, in the order of commits too. */
export async function nextBatchId(client: Queryable): Promise<string> {
  const { rows } = await client.query<{ id: string }>(`select nextval('lake_batch_ids') as id`);
  return (rows[0] as { id: string }).id;
}

/**
 * Stages rows under a batch; rows of a table that the batch has already are added to them. Within one
 * commit of the lake the later row of a key (LAKE_KEYS) is the one that stays.
 */
export async function stageRows(client: pg.ClientBase, shard: number, batchId: string, rows: Partial<LakeRows>): Promise<void> {
  const tables = Object.entries(rows).filter(([, list]) => list.length > 0);
  if (tables.length === 0) return;
  await client.query(
    `insert into lake_batches (shard, batch_id, table_name, row_count, rows)
     select $1::smallint, $2::bigint, * from unnest($3::text[], $4::int[], $5::text[])
     on conflict (shard, batch_id, table_name) do update
       set row_count = lake_batches.row_count + excluded.row_count, rows = left(lake_batches.rows, -1) || ',' || substr(excluded.rows, 2)`,
    [shard, batchId, tables.map(([table]) => table), tables.map(([, list]) => list.length), tables.map(([, list]) => JSON.stringify(list))],
  );
}
