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
  const running = repeat(RESTART_MS, logger, what, async () => {
    worker = await start();
    await worker.ended;
  });
  return {
    async close() {
      await Promise.all([running.close(), worker?.close()]);
    },
  };
}
