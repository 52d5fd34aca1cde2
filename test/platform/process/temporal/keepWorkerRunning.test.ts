import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../../../../platform/process/logger.ts';
import { keepWorkerRunning } from '../../../../platform/process/temporal/keepWorkerRunning.ts';
import type { TemporalWorker } from '../../../../platform/process/temporal/temporalWorkers.ts';

const logger = createLogger('test', 'silent');

describe('a process that ends', () => {
  it('does not wait for a worker that is still starting, and closes it once it runs', async () => {
    const started = Promise.withResolvers<TemporalWorker>();
    const ended = Promise.withResolvers<void>();
    const kept = keepWorkerRunning('the worker of a test', logger, () => started.promise);
    expect(await kept.close()).toBeUndefined();
    started.resolve({ ended: ended.promise, close: () => Promise.resolve(ended.resolve()) });
    await ended.promise;
  });

  it('closes a worker that runs', async () => {
    const running = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const worker = { ended: ended.promise, close: () => Promise.resolve(ended.resolve()) };
    const kept = keepWorkerRunning('the worker of a test', logger, () => {
      running.resolve();
      return Promise.resolve(worker);
    });
    await running.promise;
    await new Promise(setImmediate);
    expect(await kept.close()).toBeUndefined();
    await ended.promise;
  });
});
