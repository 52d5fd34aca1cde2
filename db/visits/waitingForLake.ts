/** The rows that wait for the lake, and how long they have waited. */
import type { Queryable } from '../pool.ts';
import { isOver } from './visitEnd.ts';

/** Returns those of the shards that have visits, conversions or orders to settle. */
export async function shardsToSettle(db: Queryable, shards: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ shard: number }>({
    name: 'shards-to-settle',
    text: `select shard from unnest($1::smallint[]) shard
            where exists (select from site_visits v where v.shard = shard.shard and v.lake_batch is null and ${isOver('v')})
               or exists (select from site_conversions c where c.shard = shard.shard and c.lake_batch is null)
               or exists (select from site_orders o where o.shard = shard.shard and o.lake_batch is null)`,
    values: [shards],
  });
  return rows.map(({ shard }) => shard);
}

export interface StagedState {
  rows: number;
  /** Age of the oldest batch, in seconds. */
  ageSeconds: number;
}

/** Counts the rows of all shards that are staged but not in the lake yet. */
export async function readStagedState(db: Queryable): Promise<StagedState> {
  const { rows } = await db.query<StagedState>({
    name: 'staged-state',
    text: `select coalesce(sum(row_count), 0)::float8 as rows,
                  coalesce(greatest(0, extract(epoch from clock_timestamp() - min(staged_at))), 0)::float8 as "ageSeconds" from lake_batches`,
  });
  return rows[0] ?? { rows: 0, ageSeconds: 0 };
}

/** Counts requests in collect_failed, which could not be ingested. */
export async function countSetAside(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'inbox-set-aside',
    text: 'select count(*)::int as count from collect_failed',
  });
  return rows[0]?.count ?? 0;
}
