import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { heartbeat } from '@temporalio/activity';
import type { DataActivities } from '../../support/items/analysis.ts';
import type { ItemPlan } from '../../../domain/jobs/workflowMessages.ts';
import type { Providers } from '../../../providers/types.ts';
import { stageSpeech } from '../../providers/openai/speech/speechStage.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeProviders, fakeResult } from '../../support/items/fakeProviders.ts';
import { outOfQuota, timersOf, untilAborted } from '../../support/items/itemScripts.ts';
import { countEvents, ItemStage, prepareAnything, type Prepare } from '../../support/items/itemStage.ts';
import { mediaItem, mediaOf, medium, prepared } from '../../support/items/items.ts';
import { readFlac } from '../../support/openai/openaiChecks.ts';
import { keepHistory } from '../../support/workflows/replay.ts';
import { createTestTemporal, type TestTemporal } from '../../support/temporal.ts';

type Transcribe = NonNullable<Providers['speech']>['run'];

const KEPT = medium('audio', 'kept');
const REMOVED = medium('audio', 'removed');
const BOTH = mediaItem('mixed', [KEPT, REMOVED]);

let temporal: TestTemporal;
let stage: ItemStage;
/** A hook that runs between the reading of a plan and its arrival in the workflow. */
let afterPlanRead: (plan: ItemPlan | null) => Promise<void> = async () => {};

const wrapData = (activities: DataActivities): DataActivities => ({
  ...activities,
  readPlan: async (item, running) => hooked(await activities.readPlan(item, running)),
  analyseOrPlan: async (item) => hooked(await activities.analyseOrPlan(item)),
});

async function hooked(plan: ItemPlan | null): Promise<ItemPlan | null> {
  await afterPlanRead(plan);
  return plan;
}

beforeAll(async () => {
  temporal = await createTestTemporal();
  stage = await ItemStage.open({ temporal, wrapData });
});
afterEach(() => {
  Object.assign(stage.providers, createFakeProviders());
  stage.prepare = prepareAnything;
  stage.prepareAttempt = (next) => next();
  afterPlanRead = async () => {};
});
afterAll(async () => {
  await stage.close();
  await temporal.close();
});

/** Prepares media without frames, whose sound has the address of the medium as its path. */
const prepareSound: Prepare = async (row, work) => ({ ...prepared(work.mediumId), audioKey: row.url, frames: [] });

/**
 * Lets the test decide the transcript of each medium by its address. Records which transcriptions began and which were
 * aborted.
 */
function scriptSpeech(run: (name: string, signal: AbortSignal, call: number) => Promise<string>) {
  const begun: string[] = [];
  const aborted: string[] = [];
  const transcribe: Transcribe = async ({ audioPath }, { signal, progress }) => {
    const name = audioPath?.split('/').at(-1) ?? '';
    begun.push(name);
    signal.addEventListener('abort', () => aborted.push(name), { once: true });
    const beat = setInterval(progress, 20);
    try {
      const text = await run(name, signal, begun.filter((other) => other === name).length);
      return fakeResult({ language: 'ru', timestamps: 'model', text, segments: [] });
    } finally {
      clearInterval(beat);
    }
  };
  stage.prepare = prepareSound;
  Object.assign(stage.providers.speech ?? {}, { run: transcribe });
  return { begun, aborted };
}

async function volume(itemId: string): Promise<{ held: number; kept: boolean }> {
  const { rows } = await stage.database.pool.query<{ held: number; kept: boolean }>(
    `select count(*)::int as held, coalesce(bool_and(m.url like '%/kept'), true) as kept
       from volume_reservations r left join item_media m on m.project_id = r.project_id and m.medium_id::text = r.subject
      where r.project_id = $1 and r.item_id = $2`,
    [stage.projectId, itemId],
  );
  return rows[0] ?? { held: 0, kept: true };
}

async function monthsVolume(): Promise<{ used: number; reserved: number }> {
  const { rows } = await stage.database.pool.query<{ used: number; reserved: number }>(
    'select coalesce(sum(used), 0)::int as used, coalesce(sum(reserved), 0)::int as reserved from analysis_volume where project_id = $1',
    [stage.projectId],
  );
  return rows[0] ?? { used: 0, reserved: 0 };
}

describe('a medium that is removed while a server transcribes it', () => {
  const speech = stageSpeech('short', 'medium');

  it('ends the request to the server, and the transcription of the other one goes on', async () => {
    const { server } = speech;
    const answer = Promise.withResolvers<undefined>();
    const lengths: number[] = [];
    server.script('/audio/transcriptions', async ({ form }) => {
      const file = form?.get('file');
      const seconds = file instanceof File ? ((await readFlac(file))?.seconds ?? 0) : 0;
      lengths.push(seconds);
      return seconds > 60 ? { stall: 'headers' } : answer.promise;
    });
    stage.prepare = async (row, work) => {
      const name = row.url.endsWith('removed') ? 'medium' : 'short';
      return { ...prepared(work.mediumId), audioKey: speech.input(name).audioPath, frames: [] };
    };
    const { run } = speech.speech('whisper-1', { requestTimeoutMs: 3_600_000 });
    Object.assign(stage.providers.speech ?? {}, { run });
    const before = await monthsVolume();
    await stage.put('request', BOTH);
    await eventually(() => lengths.length === 2, 'both requests');
    expect(await volume('request')).toEqual({ held: 2, kept: false });
    await stage.patch('request', { media: [KEPT] });
    await server.nextHangUp();
    expect(await stage.look('request')).toMatchObject({
      status: 'processing',
      steps: { speech: { state: 'running', revision: 1, error: null } },
    });
    expect(await volume('request')).toEqual({ held: 1, kept: true });
    answer.resolve(undefined);
    await stage.finish('request');
    expect(await stage.read('request')).toMatchObject({
      status: 'ready',
      media: [{ status: 'ready' }],
      transcript: [{ mediaPosition: 0 }],
      processing: { speech: 'done' },
    });
    expect(await stage.look('request')).toMatchObject({ events: ['item.processed'] });
    expect(lengths).toHaveLength(2);
    // One unit for the sound that stayed and one for the text; the removed medium had no answer.
    const after = await monthsVolume();
    expect([after.used - before.used, after.reserved]).toEqual([2, 0]);
    await keepHistory('item-medium-removed', stage.handle('request'));
  });
});

describe('a medium that is removed while it is prepared', () => {
  it('ends its preparation, and that of the other one goes on', async () => {
    const gate = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const begun: string[] = [];
    stage.prepare = async (row, work, signal) => {
      begun.push(row.url);
      if (row.url.endsWith('kept')) await gate.promise;
      else await abortedOf(signal).finally(() => aborted.resolve());
      return prepareAnything(row, work, signal);
    };
    await stage.put('prepared', BOTH);
    await eventually(() => begun.length === 2, 'both preparations');
    await stage.patch('prepared', { media: [KEPT] });
    await aborted.promise;
    expect(await stage.look('prepared')).toMatchObject({ steps: { prepare: { state: 'running', revision: 1 } } });
    gate.resolve();
    await stage.finish('prepared');
    expect(await stage.read('prepared')).toMatchObject({ status: 'ready', media: [{ status: 'ready' }] });
    expect(begun).toHaveLength(2);
  });

  it('is not waited for if its work does not end', async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const testEnds = Promise.withResolvers<boolean>();
    stage.prepare = async (row, work, signal) => {
      await gate.promise;
      return prepareAnything(row, work, signal);
    };
    stage.prepareAttempt = async (next, { itemId, mediumId }) => {
      const media = await mediaOf(stage.database.pool, stage.projectId, itemId);
      if (!media.find(({ id }) => id === mediumId)?.url.endsWith('removed')) return next();
      begun.resolve();
      const beat = setInterval(() => heartbeat(), 20);
      return testEnds.promise.finally(() => clearInterval(beat));
    };
    await stage.put('endless', BOTH);
    await begun.promise;
    await stage.patch('endless', { media: [KEPT] });
    await eventually(
      async () => countEvents(await stage.history('endless'), 'activityTaskCancelRequestedEventAttributes') === 1,
      'the cancellation',
    );
    gate.resolve();
    await stage.finish('endless').finally(() => testEnds.resolve(false));
    expect(await stage.look('endless')).toMatchObject({ status: 'ready', events: ['item.processed'] });
  });

  /** Waits for the abort, with heartbeats, because a heartbeat brings it. */
  async function abortedOf(signal: AbortSignal): Promise<void> {
    const beat = setInterval(() => heartbeat(), 20);
    await untilAborted(signal).finally(() => clearInterval(beat));
  }
});

describe('a medium that is removed while it is transcribed', () => {
  it('is cancelled by the next workflow worker if none runs at that moment', async () => {
    const gate = Promise.withResolvers<string>();
    const { begun, aborted } = scriptSpeech((name, signal) => (name === 'kept' ? gate.promise : untilAborted(signal)));
    await stage.put('no-worker', BOTH);
    await eventually(() => begun.length === 2, 'both transcriptions');
    await stage.withoutWorkflows(() => stage.patch('no-worker', { media: [KEPT] }));
    await eventually(() => aborted.length === 1, 'the end of the one that was removed');
    gate.resolve('речь');
    await stage.finish('no-worker');
    expect([begun.toSorted(), aborted]).toEqual([['kept', 'removed'], ['removed']]);
    expect(await stage.look('no-worker')).toMatchObject({ status: 'ready', events: ['item.processed'] });
  });

  it('does not defer the step, although it failed before', async () => {
    const gate = Promise.withResolvers<string>();
    scriptSpeech((name) => (name === 'kept' ? gate.promise : Promise.reject(outOfQuota())));
    await stage.put('failed', BOTH);
    await eventually(
      async () => countEvents(await stage.history('failed'), 'activityTaskFailedEventAttributes') === 1,
      'its failure',
    );
    await stage.patch('failed', { media: [KEPT] });
    await eventually(async () => (await volume('failed')).held === 1, 'the next plan');
    gate.resolve('речь');
    const history = await stage.finish('failed');
    expect(timersOf(history)).toEqual([]);
    expect(await stage.look('failed')).toMatchObject({
      status: 'ready',
      steps: { speech: { state: 'done', deferrals: 0 } },
      events: ['item.processed'],
    });
  });

  it('is transcribed as a new medium if it comes back at once, and the other one is transcribed once more', async () => {
    const { begun, aborted } = scriptSpeech((_name, signal, call) =>
      call === 1 ? untilAborted(signal) : Promise.resolve('речь'),
    );
    await stage.put('back', BOTH);
    await eventually(() => begun.length === 2, 'both transcriptions');
    await stage.patch('back', { media: [KEPT] });
    await stage.put('back', BOTH);
    await stage.finish('back');
    await eventually(() => aborted.length === 2, 'the end of the first attempts');
    expect(await stage.read('back')).toMatchObject({
      status: 'ready',
      media: [{ status: 'ready' }, { status: 'ready' }],
      transcript: [{ mediaPosition: 0 }, { mediaPosition: 1 }],
    });
    expect(begun.toSorted()).toEqual(['kept', 'kept', 'removed', 'removed']);
    expect(await volume('back')).toEqual({ held: 0, kept: true });
  });
});

describe('a medium that is removed between the reservation of its units and its transcription', () => {
  it('is not sent to a server, and its units are released', async () => {
    const { begun } = scriptSpeech(() => Promise.resolve('речь'));
    const before = await monthsVolume();
    let held: unknown;
    afterPlanRead = async (plan) => {
      if (plan?.steps.speech.state !== 'queued' || plan.steps.prepare.state !== 'done') return;
      afterPlanRead = async () => {};
      held = await volume('reserved');
      await stage.patch('reserved', { media: [KEPT] });
    };
    await stage.put('reserved', BOTH);
    await stage.finish('reserved');
    expect(held).toEqual({ held: 2, kept: false });
    expect(begun).toEqual(['kept']);
    const after = await monthsVolume();
    expect([after.used - before.used, after.reserved]).toEqual([2, 0]);
    expect(await stage.look('reserved')).toMatchObject({
      status: 'ready',
      steps: { speech: { state: 'done', revision: 1 } },
      events: ['item.processed'],
    });
  });
});
