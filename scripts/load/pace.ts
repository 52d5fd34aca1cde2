/** An open loop: each request has its moment, whether those before it are answered or not. */
import { setTimeout as delay } from 'node:timers/promises';

/**
 * @param lanes what carries one request at a time; a request waits when all of them are taken
 * @param perSecond Infinity: as fast as they are answered
 * @param dueAt of `send`: when its turn was, by `performance.now()`
 * @param n of `send`: its number, from 0
 */
export async function atPace<Lane>(
  lanes: readonly Lane[],
  perSecond: number,
  total: number,
  send: (lane: Lane, dueAt: number, n: number) => Promise<void>,
): Promise<void> {
  const started = performance.now();
  let next = 0;
  await Promise.all(
    lanes.map(async (lane) => {
      while (next < total) {
        const n = next++;
        const dueAt = started + (n * 1000) / perSecond;
        const wait = dueAt - performance.now();
        if (wait > 0) await delay(wait);
        await send(lane, dueAt, n);
      }
    }),
  );
}
