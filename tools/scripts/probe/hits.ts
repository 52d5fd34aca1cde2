/** Single hits, and their progress through the ingest. */
import { randomUUID } from 'node:crypto';
import type { ProbeStage } from './stage.ts';
import { timeUntil } from './watch.ts';

/** Returns the body of POST /collect with a page view of this moment. */
export function hitOf(key: string, visitorId: string = randomUUID()): object {
  const at = new Date().toISOString();
  const event = { id: randomUUID(), at, type: 'pageview', url: 'https://shop.example.com/' };
  return { key, visitor_id: visitorId, sent_at: at, events: [event] };
}

/** Returns the seconds until nothing is left to ingest; NaN when that does not happen in time. */
export async function awaitIngested({ pool }: Pick<ProbeStage, 'pool'>, limitSeconds: number): Promise<number> {
  const isEmpty = async (): Promise<boolean> => (await pool.query('select from collect_inbox limit 1')).rowCount === 0;
  return (await timeUntil(isEmpty, limitSeconds * 1_000)) / 1_000;
}

/** Returns the seconds that the site's oldest hit has been waiting for the ingest. */
export async function oldestWaiting({ pool }: Pick<ProbeStage, 'pool'>, siteId: string): Promise<number> {
  const { rows } = await pool.query<{ seconds: number }>(
    `select coalesce(extract(epoch from clock_timestamp() - min(received_at)), 0)::float8 as seconds
       from collect_inbox where site_id = $1`,
    [siteId],
  );
  return rows[0]?.seconds ?? Number.NaN;
}
