/** Counts impressions by day, item, surface and position bucket; storeEvents.ts stores none of them individually. */
import { OUTPUT_DAYS } from '../../domain/output/outputRetention.ts';
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { ValidEvent } from '../../domain/events/validateEvents.ts';
import { countAnswered, countImpressions } from '../../domain/output/impressions.ts';
import type { Queryable } from '../pool.ts';
import { column } from './columnArrays.ts';

/** Number of rows that share one counter of answers, so that requests seldom wait for the same row. */
const PARTS = 16;

/** Adds impressions to their counters. Many requests need the same few rows, so call it last in the transaction. */
export async function addImpressions(
  client: pg.PoolClient,
  projectId: string,
  impressions: readonly ValidEvent[],
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
  await addAnswered(client, projectId, impressions);
}

/** If impressions name an answer, counts them by its variant as well, for the report of output. */
async function addAnswered(
  client: pg.PoolClient,
  projectId: string,
  impressions: readonly ValidEvent[],
): Promise<void> {
  const counts = countAnswered(impressions);
  if (counts.length === 0) return;
  await client.query({
    name: 'events-add-answered-impressions',
    text: `insert into output_impressions as c (project_id, day, surface, variant, position_bucket, part, count)
           select $1, day, surface, variant, bucket, $7, count
             from unnest($2::date[], $3::text[], $4::text[], $5::smallint[], $6::bigint[]) as a (day, surface, variant, bucket, count)
           on conflict (project_id, day, surface, variant, position_bucket, part) do update set count = c.count + excluded.count`,
    values: [
      projectId,
      column(counts, ({ day }) => day),
      column(counts, ({ surface }) => surface),
      column(counts, ({ variant }) => variant),
      column(counts, ({ bucket }) => bucket),
      column(counts, ({ count }) => count),
      randomInt(PARTS),
    ],
  });
}

/** Deletes old counters. @returns how many were removed, at most `limit` */
export async function deleteOldAnswered(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from output_impressions where ctid = any(array(
       select ctid from output_impressions where day < (now() at time zone 'UTC')::date - ${OUTPUT_DAYS} limit $1))`,
    [limit],
  );
  return rowCount ?? 0;
}
