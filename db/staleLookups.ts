/** Transactions that look something up, lock it, and begin again when it has changed in between. */
import type pg from 'pg';
import { inTransaction } from './pool.ts';

/** Something changed between its look-up and its lock, so it has to be looked up again in a new transaction. */
export class StaleLookupError extends Error {
  override readonly name = 'StaleLookupError';
}

/** Each further try follows somebody else's commit, for which the lock waited; so even a handful is unusual. */
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
