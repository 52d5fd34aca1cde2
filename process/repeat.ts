/** Work on a clock: at once, then again and again, never twice at a time. */
import type { RunningProcess } from './lifecycle.ts';
import type { Logger } from './logger.ts';
import { WakeUp } from './wakeUp.ts';

/** A tenth of the pause is left to chance, so that several relays do not keep step. */
const JITTER = 0.1;

/** Faults are logged and the next turn comes as usual. */
export function repeat(everyMs: number, logger: Logger, what: string, work: () => Promise<unknown>): RunningProcess {
  const wakeUp = new WakeUp();
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await work().catch((error: unknown) => logger.warn({ err: error }, `${what} failed`));
      if (!stop.signal.aborted) await wakeUp.sleep(everyMs * (1 + JITTER * Math.random()));
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
