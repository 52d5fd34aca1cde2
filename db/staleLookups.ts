/** Transactions that look something up, lock it, and begin again when it has changed in between. */
import type pg from 'pg';
import { inTransaction } from './pool.ts';

/** Something changed between its look-up and its lock, so it has to be looked up again in a new transaction. */
export class StaleLookupError extends Error {
  override readonly name = 'StaleLookupError';
}

/** Another try is needed only if somebody else committed a change while this one waited for a lock, which is rare. */
const MAX_TRIES = 10;

/**
 * Runs `work` in a transaction, and repeats it while it throws a {@link StaleLookupError}.
 * @throws {StaleLookupError} from the last try
 */
export async function withFreshLookups<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(pool, work);
    } catch (error) {
      if (!(error instanceof StaleLookupError) || tries === MAX_TRIES) throw error;
    }
  }
}
