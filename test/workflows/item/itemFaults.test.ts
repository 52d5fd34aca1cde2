import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { MediaError } from '../../../activities/mediaErrors.ts';
import { DEFERRAL_DELAYS_MS } from '../../../domain/analysis/deferral.ts';
import { ProviderError } from '../../../providers/errors.ts';
import { createFakeProviders, fakeResult } from '../../support/items/fakeProviders.ts';
import { countEvents, ItemStage, prepareAnything } from '../../support/items/itemStage.ts';
import { mediaItem, medium, summaryOf } from '../../support/items/items.ts';
import { textItem } from '../../support/project.ts';
import { keepHistory, type History } from '../../support/workflows/replay.ts';
import { createTimeSkippingEnv } from '../../support/temporal.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Four attempts take this long, with pauses of 2, 6 and 18 seconds. */
const QUICK = 26 * SECOND;
/** Time that a step waits after its quick attempts. */
const FIRST_DEFERRAL = 10 * MINUTE;

// Steps here run one after the other: the time-skipping server can lose a task when several end at once.
let environment: TestWorkflowEnvironment;
let stage: ItemStage;

beforeAll(async () => {
  environment = await createTimeSkippingEnv();
  const { client, nativeConnection } = environment;
  stage = await ItemStage.open({ temporal: { client, nativeConnection, namespace: 'default' } });
});
afterEach(() => {
  Object.assign(stage.providers, createFakeProviders());
  stage.prepare = prepareAnything;
});
afterAll(async () => {
  await stage.close();
  await environment.teardown();
});

const retryable = (retryAfterMs: number | null = null) =>
  new ProviderError('retryable', 'provider_unavailable', 'overloaded', retryAfterMs);
const quota = () => new ProviderError('quota', 'provider_quota_exceeded', 'out of quota');

/** Makes the summariser throw the error that `faultOf` returns for a call, or answer when it returns null. */
function summaries(faultOf: (call: number) => Error | null): { calls: () => number } {
  let calls = 0;
  const run = () => {
    calls += 1;
    const fault = faultOf(calls);
    return fault ? Promise.reject(fault) : Promise.resolve(fakeResult(summaryOf('итог')));
  };
  Object.assign(stage.providers.summary ?? {}, { run });
  return { calls: () => calls };
}

/** Puts an item and waits for its end. @returns the duration by the server's clock, in milliseconds */
async function analyse(itemId: string, content = textItem()): Promise<number> {
  await stage.put(itemId, content);
  return tookOf(await stage.finish(itemId));
}

/** Returns the time from the first event to the last. (The server's clock keeps skipping after the end.) */
function tookOf({ events }: History): number {
  const timeOf = (event: { eventTime?: { seconds?: unknown } | null } | undefined): number =>
    Number(event?.eventTime?.seconds) * SECOND;
  return timeOf(events?.at(-1)) - timeOf(events?.[0]);
}

describe('a provider that fails briefly', () => {
  it('is asked again after 2, 6 and 18 seconds, and nobody is notified', async () => {
    const { calls } = summaries((call) => (call < 4 ? retryable() : null));
    const took = await analyse('moment');
    expect(calls()).toBe(4);
    expect(took).toBeGreaterThanOrEqual(QUICK);
    expect(took).toBeLessThan(FIRST_DEFERRAL);
    expect(await stage.look('moment')).toMatchObject({
      status: 'ready',
      events: ['item.processed'],
      steps: { summary: { deferrals: 0 } },
    });
  });

  it('is asked again at the time that it names, if that is soon', async () => {
    summaries((call) => (call === 1 ? retryable(45 * SECOND) : null));
    expect(await analyse('soon')).toBeGreaterThanOrEqual(45 * SECOND);
    expect(await stage.look('soon')).toMatchObject({ status: 'ready', steps: { summary: { deferrals: 0 } } });
  });

  it('is asked again after a deferral if it names a distant time', async () => {
    const { calls } = summaries((call) => (call === 1 ? retryable(5 * 60 * MINUTE) : null));
    expect(await analyse('later')).toBeLessThan(FIRST_DEFERRAL + 60 * MINUTE);
    expect(calls()).toBe(2);
    expect(await stage.look('later')).toMatchObject({ status: 'ready', steps: { summary: { deferrals: 1 } } });
  });
});

describe('a provider that is unavailable for long', () => {
  const whole = DEFERRAL_DELAYS_MS.reduce((sum, delay) => sum + delay, 0);

  // proves: decisions-items/deferred, decisions-items/deferral-schedule
  it('is asked through the whole schedule, then the step fails and the rest continues', async () => {
    const { calls } = summaries(() => retryable());
    const took = await analyse('away');
    expect(calls()).toBe(5 * 4);
    expect(took).toBeGreaterThanOrEqual(whole + 5 * QUICK);
    expect(took).toBeLessThan(whole + 5 * QUICK + 5 * MINUTE);
    expect(await stage.read('away')).toMatchObject({
      status: 'partial',
      summary: null,
      processing: { summary: 'failed', embedding: 'done' },
      processingErrors: { summary: { code: 'provider_unavailable' } },
    });
    expect(await stage.look('away')).toMatchObject({ events: ['item.failed'] });
    const history = await keepHistory('item-deferred', stage.handle('away'));
    expect(countEvents(history, 'timerStartedEventAttributes')).toBe(4);
  });

  it('may come back in the middle of the schedule', async () => {
    const { calls } = summaries((call) => (call <= 3 ? quota() : null));
    const took = await analyse('back');
    expect(calls()).toBe(4);
    expect(took).toBeGreaterThanOrEqual((10 + 60 + 360) * MINUTE);
    expect(took).toBeLessThan((10 + 60 + 360 + 5) * MINUTE);
    expect(await stage.look('back')).toMatchObject({ status: 'ready', events: ['item.processed'] });
  });

  it('is not asked in quick succession if the quota is exhausted', async () => {
    const { calls } = summaries(() => quota());
    expect(await analyse('quota')).toBeGreaterThanOrEqual(whole);
    expect(calls()).toBe(5);
    expect(await stage.read('quota')).toMatchObject({
      status: 'partial',
      processingErrors: { summary: { code: 'provider_quota_exceeded' } },
    });
  });

  it('leaves an item without vectors failed', async () => {
    Object.assign(stage.providers.embedding ?? {}, { run: () => Promise.reject(quota()) });
    await analyse('no-vectors');
    expect(await stage.read('no-vectors')).toMatchObject({
      status: 'failed',
      processing: { summary: 'done', embedding: 'failed' },
    });
    expect(await stage.look('no-vectors')).toMatchObject({ events: ['item.failed'] });
  });
});

describe('a wait', () => {
  it('is not restarted by a write that does not affect its step', async () => {
    let silent = true;
    stage.prepare = (row, work, signal) => (silent ? Promise.reject(quota()) : prepareAnything(row, work, signal));
    await stage.put('in-between', mediaItem('image', [medium('image', 'a')]));
    await environment.sleep('5 minutes');
    expect(await stage.look('in-between')).toMatchObject({ status: 'deferred' });
    silent = false;
    await stage.patch('in-between', { title: 'Другой' });
    const took = tookOf(await stage.finish('in-between'));
    expect(took).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(took).toBeLessThan(12 * MINUTE);
    expect(await stage.look('in-between')).toMatchObject({ status: 'ready', events: ['item.processed'] });
  });
});

describe('a disk that is full', () => {
  it('defers a medium after its quick attempts, which is processed when there is space', async () => {
    let attempts = 0;
    stage.prepare = (row, work, signal) =>
      (attempts += 1) <= 4 ? Promise.reject(new MediaError('storage_full')) : prepareAnything(row, work, signal);
    await stage.put('full', mediaItem('image', [medium('image', 'a')]));
    await environment.sleep('5 minutes');
    expect(await stage.read('full')).toMatchObject({
      status: 'deferred',
      processing: { prepare: 'deferred' },
      processingErrors: { prepare: { code: 'storage_full' } },
    });
    await stage.finish('full');
    expect(attempts).toBe(5);
    expect(await stage.look('full')).toMatchObject({ status: 'ready', events: ['item.processed'] });
  });
});

describe('a permanent fault', () => {
  // proves: decisions-items/permanent
  it.each([
    ['refused', 'provider_refused'],
    ['permanent', 'provider_bad_request'],
  ] as const)('(%s) fails the step at once, with its code', async (kind, code) => {
    const { calls } = summaries(() => new ProviderError(kind, code, 'no'));
    expect(await analyse(kind)).toBeLessThan(FIRST_DEFERRAL);
    expect(calls()).toBe(1);
    expect(await stage.read(kind)).toMatchObject({
      status: 'partial',
      processingErrors: { summary: { code } },
      processing: { embedding: 'done' },
    });
    expect(await stage.look(kind)).toMatchObject({ events: ['item.failed'] });
  });
});

describe('malformed vectors', () => {
  it.each<[string, (texts: string[]) => Float32Array[]]>([
    ['missing', () => []],
    ['empty', (texts) => texts.map(() => new Float32Array())],
    ['no numbers', (texts) => texts.map(() => new Float32Array([1, Number.NaN]))],
    ['infinite', (texts) => texts.map(() => new Float32Array([1, Number.POSITIVE_INFINITY]))],
    ['of different lengths', (texts) => texts.map((_, index) => new Float32Array(index + 1).fill(1))],
  ])('(%s) are requested again and never stored', async (name, vectors) => {
    let calls = 0;
    const run = (texts: string[]) => {
      calls += 1;
      return Promise.resolve(fakeResult(calls === 1 ? vectors(texts) : texts.map(() => new Float32Array([0, 1]))));
    };
    Object.assign(stage.providers.embedding ?? {}, { run });
    await analyse(`vectors ${name}`);
    expect(calls).toBe(2);
    const { rows } = await stage.database.pool.query<{ vector: Buffer }>(
      'select vector from item_chunks where item_id = $1',
      [`vectors ${name}`],
    );
    expect(rows.map(({ vector }) => vector.toString('hex'))).toEqual(['000000000000803f', '000000000000803f']);
  });
});

describe('an unexpected error', () => {
  it('is retried, then deferred, and its text stays out of the history', async () => {
    const { calls } = summaries((call) => (call <= 4 ? new Error('секрет') : null));
    await analyse('bug');
    expect(calls()).toBe(5);
    expect(await stage.look('bug')).toMatchObject({ status: 'ready', steps: { summary: { deferrals: 1 } } });
  });
});
