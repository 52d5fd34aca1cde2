/** Impressions: counters by day, item, surface and position bucket. */
import type pg from 'pg';
import type { TakenEvent } from '../../domain/judgeEvents.ts';
import { countImpressions } from '../../domain/impressions.ts';
import { column } from './columns.ts';

/** Adds impressions to their counters. Many requests want the same few rows: call it last in the transaction. */
export async function addImpressions(
  client: pg.PoolClient,
  projectId: string,
  impressions: readonly TakenEvent[],
): Promise<void> {
  if (impressions.length === 0) return;
  const counts = countImpressions(impressions);
  await client.query({
    name: 'events-add-impressions',
    text: `insert into impression_counts as c (project_id, day, item_id, surface, position_bucket, count)
           select $1, * from unnest($2::date[], $3::text[], $4::text[], $5::smallint[], $6::bigint[])
           on conflict (project_id, day, item_id, surface, position_bucket) do update set count = c.count + excluded.count`,
    values: [
      projectId,
      column(counts, ({ day }) => day),
      column(counts, ({ item }) => item),
      column(counts, ({ surface }) => surface),
      column(counts, ({ bucket }) => bucket),
      column(counts, ({ count }) => count),
    ],
  });
}
