/** A Temporal worker beside other work of its process, which goes on without it. */
import type { RunningProcess } from '../lifecycle.ts';
import type { Logger } from '../logger.ts';
import { repeat } from '../concurrency/repeat.ts';
import type { TemporalWorker } from './temporalWorkers.ts';

const RESTART_MS = 5_000;

/**
 * Restarts a worker whenever it ends. The end of the process waits neither for Temporal nor for a pause.
 * @param what what the log calls the worker
 * @param start starts it, or throws when Temporal does not answer
 */
export function keepWorkerRunning(what: string, logger: Logger, start: () => Promise<TemporalWorker>): RunningProcess {
  let worker: TemporalWorker | null = null;
  let isStarting = false;
  let isClosed = false;
  const running = repeat(RESTART_MS, logger, what, async () => {
    isStarting = true;
    worker = await start().finally(() => (isStarting = false));
    if (isClosed) await worker.close();
    await worker.ended;
  });
  return {
    async close() {
      isClosed = true;
      const ended = running.close();
      // A start may wait for Temporal; its worker is closed as soon as there is one.
      if (!isStarting) await Promise.all([ended, worker?.close()]);
    },
  };
}
