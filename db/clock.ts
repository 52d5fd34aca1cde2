/** The one clock that all processes share. */
import type { Queryable } from './pool.ts';

/** Returns the database's time. Decisions must not depend on the clock of this machine. */
export async function readNow(pool: Queryable): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select now() as now');
  if (!rows[0]) throw new Error('the database did not return its time');
  return rows[0].now;
}

/** The database's clock, with the times of `performance.now()` between which it was read. */
export interface ClockReading {
  /** Milliseconds since 1970. */
  databaseTime: number;
  askedAt: number;
  answeredAt: number;
}

/** Reads the database's clock, and nothing else in the same round trip. */
export async function readClock(client: Queryable): Promise<ClockReading> {
  const askedAt = performance.now();
  const { rows } = await client.query<{ time: number }>(
    `select extract(epoch from clock_timestamp())::float8 * 1000 as time`,
  );
  const answeredAt = performance.now();
  if (!rows[0]) throw new Error('the database did not return its time');
  return { databaseTime: rows[0].time, askedAt, answeredAt };
}
