/** Limits the concurrent reports of one key over all API processes. */
import type pg from 'pg';
import { inTransaction, type Queryable } from '../pool.ts';

/**
 * Takes one of the `max` slots of a key, for at most `seconds`, so that the slot of a process that dies is freed.
 * @param key names what is limited, such as `site-key/<id>` or `user/<id>`
 * @returns the slot, for release; null when all are taken
 */
export async function takeReportSlot(pool: pg.Pool, key: string, max: number, seconds: number): Promise<string | null> {
  return inTransaction(pool, async (client) => {
    // Two concurrent counts would both find the last slot. The count is another statement, so that it sees what the
    // previous holder committed.
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

/** Renews a slot for `seconds` from now; one that has expired and was given to another caller stays with them. */
export async function renewReportSlot(db: Queryable, slot: string, seconds: number): Promise<void> {
  await db.query(
    'update report_slots set expires_at = clock_timestamp() + make_interval(secs => $2::float8) where id = $1',
    [slot, seconds],
  );
}

/** Frees a slot; does nothing when it has expired in the meantime. */
export async function releaseReportSlot(db: Queryable, slot: string): Promise<void> {
  await db.query('delete from report_slots where id = $1', [slot]);
}

/** Deletes slots of processes that died, for keys that are no longer used. @returns how many, at most `limit` */
export async function deleteExpiredReportSlots(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    'delete from report_slots where id in (select id from report_slots where expires_at <= clock_timestamp() limit $1 for update skip locked)',
    [limit],
  );
  return rowCount ?? 0;
}
