import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { runChunk } from '../../activities/runChunk.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { createActivityEnvironment } from '../support/items/activityEnvironment.ts';

const logger = createLogger('test', 'silent');

/** Returns the details of an activity's heartbeats. */
async function beatsOf(work: (note: (details: unknown) => void) => void, before?: unknown): Promise<unknown[]> {
  const beats: unknown[] = [];
  const environment = createActivityEnvironment({ heartbeatDetails: before });
  environment.on('heartbeat', (details: unknown) => beats.push(details));
  await environment.run(() => runChunk(logger, async (note) => work(note)));
  return beats;
}

describe('a chunk', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('sends heartbeats while it works, and not afterwards', async () => {
    expect(await beatsOf(() => jest.advanceTimersByTime(12_000))).toEqual([undefined, undefined]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('records the name of a fault in the history, and nothing that people wrote', async () => {
    const fault = Object.assign(new Error('invalid input syntax for type uuid: "Анна Петрова"'), {
      code: '22P02',
      detail: 'Key (email)=(anna@example.com)',
    });
    const failure = await createActivityEnvironment()
      .run(() => runChunk(logger, () => Promise.reject(fault)))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      type: 'Temporary',
      message: 'internal: Error',
      nonRetryable: false,
      cause: undefined,
    });
    expect(JSON.stringify(failure) + String((failure as Error).stack)).not.toMatch(/Анна|anna/);
  });

  it('leaves unchanged a failure that was already worded for the history', async () => {
    const worded = ApplicationFailure.nonRetryable('the mail was refused', 'Permanent');
    await expect(createActivityEnvironment().run(() => runChunk(logger, () => Promise.reject(worded)))).rejects.toBe(
      worded,
    );
  });

  it('reports its progress with each heartbeat, because a heartbeat without it would erase it', async () => {
    const beats = await beatsOf((note) => {
      note({ progress: 0.5 });
      jest.advanceTimersByTime(5_000);
      note({ progress: 0.7 });
      jest.advanceTimersByTime(5_000);
    });
    expect(beats).toEqual([{ progress: 0.5 }, { progress: 0.5 }, { progress: 0.7 }, { progress: 0.7 }]);
  });

  it('passes on the progress that an earlier attempt recorded', async () => {
    expect(await beatsOf(() => jest.advanceTimersByTime(5_000), { faults: 2 })).toEqual([{ faults: 2 }]);
  });
});
