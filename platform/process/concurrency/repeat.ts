/** Periodic work: it runs at once, then repeatedly, never twice at a time. */
import type { RunningProcess } from '../lifecycle.ts';
import type { Logger } from '../logger.ts';
import { WakeUp } from './wakeUp.ts';

/** Share of the pause that is random, so that several relays do not run in step. */
const JITTER = 0.1;

/**
 * Repeats work. Errors are logged, and the next run follows as usual.
 * @param everyMs the pause after each run, or a function that returns it
 */
export function repeat(
  everyMs: number | (() => number),
  logger: Logger,
  what: string,
  work: () => Promise<unknown>,
): RunningProcess {
  const wakeUp = new WakeUp();
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await work().catch((error: unknown) => logger.warn({ err: error }, `${what} failed`));
      const pauseMs = typeof everyMs === 'number' ? everyMs : everyMs();
      if (!stop.signal.aborted) await wakeUp.sleep(pauseMs * (1 + JITTER * Math.random()));
    }
  };
  const running = run();
  return {
    async close() {
      stop.abort();
      wakeUp.ring();
      await running;
    },
  };
}
