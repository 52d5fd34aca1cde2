/** The one clock that all processes share. */
import type { Queryable } from './pool.ts';

/** Returns the database's time. Decisions must not depend on the clock of this machine. */
export async function readNow(pool: Queryable): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select now() as now');
  if (!rows[0]) throw new Error('the database did not return its time');
  return rows[0].now;
}
