/** Retries optimistic transactions of the lake after conflicts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict } from './lakeFaults.ts';

const TRIES = 8;
const PAUSE_MS = 50;

/**
 * Runs a whole transaction of the lake, and retries it while others change the same files: at most eight attempts.
 * @param transaction receives the number of the attempt, from 1
 */
export async function retryConflicts<T>(transaction: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction(attempt);
    } catch (error) {
      if (attempt === TRIES || !isConflict(error)) throw error;
    }
    await sleep(PAUSE_MS * 2 ** attempt * (0.5 + Math.random()));
  }
}
