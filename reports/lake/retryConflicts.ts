/** Writers of the lake are optimistic: who finds his files changed begins again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict } from './faults.ts';

const TRIES = 8;
const PAUSE_MS = 50;

/**
 * Runs a whole transaction of the lake again, up to eight times, while others change the same files.
 * @param transaction is told which try it is, from 1
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
