import { describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { BusyError } from '../../activities/mediaErrors.ts';
import { runWork } from '../../activities/runActivity.ts';
import { FAILURE } from '../../domain/jobs/failureTypes.ts';
import { createLogger } from '../../platform/process/logger.ts';

const logger = createLogger('test', 'silent');
const noFault = () => Promise.reject(new Error('not permanent'));

/** Returns work that ends when it is cancelled, with the reason of its cancellation signal. */
function cancelledBy(reason: 'WORKER_SHUTDOWN' | 'CANCELLED'): Promise<unknown> {
  const environment = new MockActivityEnvironment();
  const work = environment.run(() =>
    runWork(
      logger,
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      noFault,
    ),
  );
  environment.cancel(reason);
  return work;
}

describe('work that is interrupted', () => {
  it('starts again without using up an attempt when its worker stops', async () => {
    await expect(cancelledBy('WORKER_SHUTDOWN')).rejects.toMatchObject({
      type: FAILURE.interrupted,
      nonRetryable: true,
    });
  });

  it('is cancelled when the workflow cancels it', async () => {
    await expect(cancelledBy('CANCELLED')).rejects.toMatchObject({ name: 'CancelledFailure' });
  });

  it('starts again without using up an attempt when no slot is free', async () => {
    const work = new MockActivityEnvironment().run(() =>
      runWork(logger, () => Promise.reject(new BusyError()), noFault),
    );
    await expect(work).rejects.toMatchObject({ type: FAILURE.interrupted });
  });
});
