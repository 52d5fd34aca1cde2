/** Transactions that lock with `nowait`: a transaction that never waits while it holds locks cannot deadlock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLockNotAvailable } from './errors.ts';

/** Others hold such locks only for moments. The tries together take half a minute. */
const PAUSE_MS = 100;
const MAX_TRIES = 300;

/**
 * Runs a transaction, and retries it as long as a lock is not available.
 * @param work one transaction, which locks with `nowait`
 * @throws the last error of `work` (55P03) when that takes too long
 */
export async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLockNotAvailable(error) || tries === MAX_TRIES) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
