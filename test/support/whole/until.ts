import { setTimeout as delay } from 'node:timers/promises';
import { HANG_MS } from '../eventually.ts';

const EVERY_MS = 100;

/**
 * Polls until the result is wanted. Use it for states of other processes that send no notification; a `look` that
 * throws (because a server is down) counts as unwanted.
 * @throws after `patienceMs`, with the last result
 */
export async function until<T>(
  what: string,
  look: () => Promise<T>,
  isWanted: (seen: T) => boolean,
  patienceMs = HANG_MS,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const seen = await look().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if ('value' in seen && isWanted(seen.value)) return seen.value;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}; last seen: ${describe(seen)}`);
    await delay(EVERY_MS);
  }
}

function describe(seen: { value: unknown } | { error: unknown }): string {
  return 'value' in seen ? JSON.stringify(seen.value)?.slice(0, 1_500) : String(seen.error);
}
