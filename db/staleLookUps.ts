/** Transactions that look something up, lock it, and begin again when it has changed in between. */
import type pg from 'pg';
import { inTransaction } from './pool.ts';

/** Something changed between its look-up and its lock, so it has to be looked up again in a new transaction. */
export class StaleLookUp extends Error {
  override readonly name = 'StaleLookUp';
}

/** Each further try follows somebody else's commit, for which the lock waited; so even a handful is unusual. */
const MAX_TRIES = 10;

/**
 * Runs `work` in a transaction, and repeats it while it throws a {@link StaleLookUp}.
 * @throws {StaleLookUp} from the last try
 */
export async function withFreshLookUps<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(pool, work);
    } catch (error) {
      if (!(error instanceof StaleLookUp) || tries === MAX_TRIES) throw error;
    }
  }
}
