/** The one clock that all processes share. */
import type { Queryable } from './pool.ts';

/** The database's time: what decides must not depend on how the clock of this machine is set. */
export async function readNow(pool: Queryable): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select now() as now');
  if (!rows[0]) throw new Error('the database did not tell its time');
  return rows[0].now;
}
