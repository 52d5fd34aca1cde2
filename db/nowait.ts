/** Transactions that lock with `nowait`: whoever never waits with locks in its hands is in no deadlock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLockNotAvailable } from './errors.ts';

/** Those who hold such locks have them for moments; together half a minute. */
const PAUSE_MS = 100;
const MAX_TRIES = 300;

/**
 * Runs a transaction, and anew as long as a lock is not to be had.
 * @param work one transaction, which locks with `nowait`
 * @throws its last error (55P03) when that takes too long
 */
export async function withoutWaiting<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLockNotAvailable(error) || tries === MAX_TRIES) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
