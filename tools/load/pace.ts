/** An open loop: each request has its scheduled time, whether earlier ones have been answered or not. */
import { setTimeout as delay } from 'node:timers/promises';

/**
 * @param lanes connections that carry one request at a time; a request waits when all of them are busy
 * @param perSecond Infinity: as fast as they are answered
 * @param send sends request number `n`, from 0, which is scheduled for `dueAt` by `performance.now()`
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
