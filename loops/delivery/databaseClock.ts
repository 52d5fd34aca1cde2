/**
 * The time by the database's clock, by which requests are signed: receivers refuse those that are signed too early or
 * too late, and the clock of this machine may be wrong. workerShare.ts reads it every second.
 */
import { readClock, type ClockReading } from '../../db/clock.ts';
import type { Queryable } from '../../db/pool.ts';

export class DatabaseClock {
  #reading: ClockReading | null = null;

  async read(session: Queryable): Promise<void> {
    this.#reading = await readClock(session);
  }

  /**
   * Returns the time by the database's clock, which all processes share, advanced by a monotonic clock; accurate to
   * half a round trip.
   * @throws before the database was reached for the first time; no attempt is allowed before that
   */
  now(): Date {
    if (this.#reading === null) throw new Error('the time of the database is not known yet');
    const { databaseTime, askedAt, answeredAt } = this.#reading;
    return new Date(databaseTime + performance.now() - (askedAt + answeredAt) / 2);
  }
}
