/** The handling of a step's faults, attempt by attempt. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createTrainingActivities } from '../../../activities/training/index.ts';
import type { TrainingDeps } from '../../../activities/training/deps.ts';
import { BlobStoreError } from '../../../platform/blobs/createBlobStore.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { ThreadJobError } from '../../../providers/builtin/threads/thread.ts';
import { createActivityEnvironment } from '../../support/items/activityEnvironment.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const REF = { projectId: 'p', modelId: 'm' };
const FULL_DISK = { code: 'ENOSPC', syscall: 'write' };
const HOUR_MS = 3_600_000;

const storeAway = new BlobStoreError('connect ECONNREFUSED');
const diskFull = Object.assign(new Error('ENOSPC: no space left on device, write'), FULL_DISK);
const ownFault = new TypeError('x is not a function');

type Lines = Record<string, unknown>[];

/** Runs attempts at a step, each of which receives the previous one's heartbeat details, as in Temporal. */
function attempts(lines: Lines = []) {
  let [attempt, heartbeatDetails]: [number, unknown] = [0, undefined];
  const logger = createLogger('test', 'warn', { write: (line) => void lines.push(JSON.parse(line) as Lines[number]) });

  function environment() {
    const made = createActivityEnvironment({ attempt: (attempt += 1), heartbeatDetails });
    made.on('heartbeat', (details: unknown) => (heartbeatDetails = details));
    return made;
  }

  return {
    /** Returns the failure of the next attempt, which meets the fault. */
    meets(fault: Error, inEnvironment = environment()): Promise<unknown> {
      // The step reads the blob store before anything else.
      const blobs = { open: () => Promise.reject(fault) };
      const { solveColumns } = createTrainingActivities({ blobs, logger } as unknown as TrainingDeps);
      return inEnvironment
        .run(() => solveColumns(REF, { part: 'taste', from: 0, to: 1 }, 'full'))
        .catch((error: unknown) => error);
    },
    /** Returns the failure of the next attempt, whose query fails with the fault. */
    meetsInQuery(query: () => Promise<unknown>): Promise<unknown> {
      const { readEvents } = createTrainingActivities({ pool: { query }, logger } as unknown as TrainingDeps);
      return environment()
        .run(() => readEvents(REF))
        .catch((error: unknown) => error);
    },
    environment,
  };
}

const TRIED_AGAIN = { nonRetryable: false };
const ENDED = { type: 'Permanent', nonRetryable: true };

describe('a step of a training that fails often', () => {
  it.each([
    ['the blob store', storeAway],
    ['the disk', diskFull],
    ['the disk of the thread', Object.assign(new ThreadJobError('no space left on device'), FULL_DISK)],
  ])('is retried while %s is unavailable', async (_what, fault) => {
    const step = attempts();
    for (let n = 1; n < 9; n += 1) await step.meets(fault);
    expect(await step.meets(fault)).toMatchObject(TRIED_AGAIN);
  });

  it('ends the training at the fourth fault of its own', async () => {
    const step = attempts();
    for (let n = 1; n < 4; n += 1) expect(await step.meets(ownFault)).toMatchObject(TRIED_AGAIN);
    expect(await step.meets(ownFault)).toMatchObject({ ...ENDED, message: 'internal: TypeError' });
  });

  it('is not blamed for outages before, between or after its own faults', async () => {
    const step = attempts();
    for (const fault of [storeAway, diskFull, storeAway, diskFull, storeAway, ownFault, storeAway, ownFault, ownFault])
      expect(await step.meets(fault)).toMatchObject(TRIED_AGAIN);
    expect(await step.meets(diskFull)).toMatchObject(TRIED_AGAIN);
    expect(await step.meets(ownFault)).toMatchObject(ENDED);
  });

  it('is not blamed for attempts that the end of the process interrupted', async () => {
    const step = attempts();
    for (let n = 1; n < 3; n += 1) await step.meets(ownFault);
    const stopping = step.environment();
    stopping.cancel('WORKER_SHUTDOWN');
    expect(await step.meets(ownFault, stopping)).toMatchObject({ name: 'CancelledFailure' });
    expect(await step.meets(ownFault)).toMatchObject(TRIED_AGAIN);
    expect(await step.meets(ownFault)).toMatchObject(ENDED);
  });

  it('names the fault in the log', async () => {
    const lines: Lines = [];
    const step = attempts(lines);
    await step.meets(diskFull);
    await step.meets(storeAway);
    for (let n = 1; n <= 4; n += 1) await step.meets(ownFault);
    expect(lines).toMatchObject([
      { msg: 'chunk failed', attempt: 1, err: { code: 'ENOSPC' } },
      { msg: 'chunk failed', attempt: 2, err: { type: 'BlobStoreError' } },
      ...[3, 4, 5, 6].map((attempt) => ({ msg: 'chunk failed', attempt, err: { type: 'TypeError' } })),
      { msg: 'a training was given up', reason: 'internal: TypeError' },
    ]);
  });
});

describe('a step of a training in an outage of PostgreSQL', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());

  it('is retried while PostgreSQL closes its sessions', async () => {
    const step = attempts();
    const shutDown = () => database.pool.query('select pg_terminate_backend(pg_backend_pid())');
    for (let n = 1; n < 9; n += 1) await step.meetsInQuery(shutDown);
    expect(await step.meetsInQuery(shutDown)).toMatchObject({ type: 'Interrupted', ...TRIED_AGAIN });
  });

  it('ends the training when PostgreSQL refuses its statement', async () => {
    const step = attempts();
    const refuse = () => database.pool.query('select nothing');
    for (let n = 1; n < 4; n += 1) expect(await step.meetsInQuery(refuse)).toMatchObject(TRIED_AGAIN);
    expect(await step.meetsInQuery(refuse)).toMatchObject(ENDED);
  });
});

describe('a step of a training in an outage that does not end', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('ends the training after twelve hours, and says what was unavailable', async () => {
    const lines: Lines = [];
    const step = attempts(lines);
    await step.meets(diskFull);
    jest.advanceTimersByTime(12 * HOUR_MS - 1);
    expect(await step.meets(diskFull)).toMatchObject(TRIED_AGAIN);
    jest.advanceTimersByTime(1);
    const message = 'the disk was unavailable for 12 hours: storage_full: Error';
    expect(await step.meets(diskFull)).toMatchObject({ ...ENDED, message });
    expect(lines.at(-1)).toMatchObject({ msg: 'a training was given up', reason: message });
  });

  it('continues when the outage ended in between', async () => {
    const step = attempts();
    await step.meets(storeAway);
    jest.advanceTimersByTime(11 * HOUR_MS);
    await step.meets(ownFault);
    await step.meets(storeAway);
    jest.advanceTimersByTime(11 * HOUR_MS);
    expect(await step.meets(storeAway)).toMatchObject(TRIED_AGAIN);
  });
});
