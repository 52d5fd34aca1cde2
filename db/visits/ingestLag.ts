/** How far the ingest is behind the intake. */
import type { Queryable } from '../pool.ts';

/** Age of the oldest batch that is not ingested yet, in seconds; 0 when there is none. */
export async function readIngestLag(pool: Queryable): Promise<{ seconds: number }> {
  const { rows } = await pool.query<{ seconds: number }>({
    name: 'ingest-lag',
    text: `select greatest(0, extract(epoch from clock_timestamp() - received_at))::float8 as seconds from collect_inbox order by id limit 1`,
  });
  return { seconds: rows[0]?.seconds ?? 0 };
}
