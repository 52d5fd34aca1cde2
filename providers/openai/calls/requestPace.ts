/**
 * Limits the rate of requests to a server: a local model serves a few at a time, a hosted one counts them by the
 * minute.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { FairSlots } from '../../../platform/process/concurrency/fairSlots.ts';

export interface PaceLimits {
  /** Maximum number of concurrent requests; null: unlimited. */
  concurrency: number | null;
  /** Evenly spaced, so that a burst does not use up a minute's allowance; null: unlimited. */
  requestsPerMinute: number | null;
}

export const NO_PACE: PaceLimits = { concurrency: null, requestsPerMinute: null };

/** Runs `work` when its turn comes; throws the signal's reason if it aborts first. */
export type RequestLimiter = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

const ALL = '';

/** The limits hold for one process. */
export function createRequestLimiter({ concurrency, requestsPerMinute }: PaceLimits): RequestLimiter {
  const slots = concurrency === null ? null : new FairSlots(concurrency);
  const gapMs = requestsPerMinute === null ? 0 : 60_000 / requestsPerMinute;
  /** Only one request at a time waits for its start time, so a caller that gives up does not use one up. */
  const turn = new FairSlots(1);
  let nextAt = 0;

  async function spaced(signal: AbortSignal): Promise<void> {
    if (gapMs === 0) return;
    await turn.run(ALL, signal, async () => {
      const now = performance.now();
      const at = Math.max(now, nextAt);
      if (at > now) await delay(at - now, undefined, { signal }).catch(() => signal.throwIfAborted());
      nextAt = at + gapMs;
    });
  }

  return async (signal, work) => {
    const begin = async () => {
      await spaced(signal);
      return work();
    };
    return slots === null ? begin() : slots.run(ALL, signal, begin);
  };
}
