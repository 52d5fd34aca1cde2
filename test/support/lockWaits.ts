/** Observes connections that wait for a lock of the database. */
import type pg from 'pg';
import { eventually } from './eventually.ts';

/** Counts the connections of the database that wait for a lock. */
export async function countLockWaits(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

/** Resolves when `connections` connections wait for a lock. */
export async function untilWaiting(pool: pg.Pool, connections: number): Promise<void> {
  await eventually(async () => (await countLockWaits(pool)) === connections, `${connections} connections that wait`);
}
