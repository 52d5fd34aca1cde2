/** What a step makes of its fault when it has been tried often. */
import { describe, expect, it } from '@jest/globals';
import { createTrainingActivities } from '../../../activities/training/index.ts';
import type { TrainingDeps } from '../../../activities/training/deps.ts';
import { BlobStoreError } from '../../../blobs/store.ts';
import { createLogger } from '../../../process/logger.ts';
import { ThreadJobError } from '../../../providers/builtin/threads/thread.ts';
import { createActivityEnvironment } from '../../support/activityEnvironment.ts';

const REF = { projectId: 'p', modelId: 'm' };
const FULL_DISK = { code: 'ENOSPC', syscall: 'write' };

/** The failure of the ninth attempt at a step that meets the fault. */
async function ninthFailure(fault: Error): Promise<unknown> {
  const blobs = { open: () => Promise.reject(fault) };
  // The step asks the blob store before anything else.
  const deps = { blobs, logger: createLogger('test', 'silent') } as unknown as TrainingDeps;
  const { solveColumns } = createTrainingActivities(deps);
  return createActivityEnvironment({ attempt: 9 })
    .run(() => solveColumns(REF, { part: 'taste', from: 0, to: 1 }, 'full'))
    .catch((error: unknown) => error);
}

describe('a step of a training that has failed often', () => {
  it.each([
    ['the blob store is away', new BlobStoreError('connect ECONNREFUSED')],
    ['the disk is full', Object.assign(new Error('no space left on device'), FULL_DISK)],
    ['the disk is full for the thread', Object.assign(new ThreadJobError('no space left on device'), FULL_DISK)],
    ['PostgreSQL is away', Object.assign(new Error('the database system is starting up'), { code: '57P03' })],
  ])('is tried again while %s', async (_what, fault) => {
    expect(await ninthFailure(fault)).toMatchObject({ nonRetryable: false });
  });

  it('ends the training when the step itself goes wrong', async () => {
    expect(await ninthFailure(new TypeError('x is not a function'))).toMatchObject({
      type: 'Permanent',
      nonRetryable: true,
    });
  });
});
