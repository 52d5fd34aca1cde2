/** How many reports of one key run at a time, over all API processes. */
import type pg from 'pg';
import { inTransaction, type Queryable } from './pool.ts';

/**
 * Takes one of the `max` places of a key, for `seconds` at most: a process that dies frees it so.
 * @param key anything that names who is limited, such as `site-key/<id>` or `user/<id>`
 * @returns the place, for release; null when all are taken
 */
export async function takeReportSlot(pool: pg.Pool, key: string, max: number, seconds: number): Promise<string | null> {
  return inTransaction(pool, async (client) => {
    // Two that count at the same time would both find the last place. Another statement, so that it sees what the one before it committed.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('report_slots' || $1, 0))`, [key]);
    const { rows } = await client.query<{ id: string }>(
      `with gone as (delete from report_slots where key = $1 and expires_at <= clock_timestamp())
       insert into report_slots (key, expires_at)
       select $1, clock_timestamp() + make_interval(secs => $3::float8)
        where (select count(*) from report_slots where key = $1 and expires_at > clock_timestamp()) < $2::int
       returning id`,
      [key, max, seconds],
    );
    return rows[0]?.id ?? null;
  });
}

/** Frees a place; one that has expired meanwhile is nobody's any more, and that is fine. */
export async function releaseReportSlot(db: Queryable, slot: string): Promise<void> {
  await db.query('delete from report_slots where id = $1', [slot]);
}

/** Places of processes that died, of keys that nobody asks by any more. @returns how many there were, `limit` at most */
export async function deleteExpiredReportSlots(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    'delete from report_slots where id in (select id from report_slots where expires_at <= clock_timestamp() limit $1 for update skip locked)',
    [limit],
  );
  return rowCount ?? 0;
}
