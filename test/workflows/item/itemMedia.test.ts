import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { heartbeat } from '@temporalio/activity';
import { ProviderError } from '../../../providers/errors.ts';
import type { Providers } from '../../../providers/types.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeProviders, fakeResult } from '../../support/items/fakeProviders.ts';
import { outOfQuota } from '../../support/items/itemScripts.ts';
import { ItemStage, prepareAnything } from '../../support/items/itemStage.ts';
import { mediaItem, medium, plain, prepared } from '../../support/items/items.ts';
import { keepHistory } from '../../support/workflows/replay.ts';
import { createTestTemporal, type TestTemporal } from '../../support/temporal.ts';

type Transcribe = NonNullable<Providers['speech']>['run'];
type Describe = NonNullable<Providers['vision']>['run'];

let temporal: TestTemporal;
let stage: ItemStage;
let orphanage: Awaited<ReturnType<typeof createOrphanage>>;

beforeAll(async () => {
  temporal = await createTestTemporal();
  [stage, orphanage] = await Promise.all([ItemStage.open({ temporal }), createOrphanage()]);
});
afterEach(() => {
  Object.assign(stage.providers, createFakeProviders());
  stage.prepare = prepareAnything;
});
afterAll(async () => {
  await Promise.all([stage.close(), orphanage.close()]);
  await temporal.close();
});

/**
 * Creates a separate stage for a worker that dies: its loss is noticed only after 20 s, during which the other
 * tests run.
 */
async function createOrphanage() {
  const temporal = await createTestTemporal();
  const stage = await ItemStage.open({ temporal });
  const began = Promise.withResolvers<void>();
  const silence = Promise.withResolvers<never>();
  let attempts = 0;
  stage.prepareAttempt = async (next) => {
    began.resolve();
    return (attempts += 1) === 1 ? silence.promise : next();
  };
  await stage.put('orphan', mediaItem('image', [medium('image', 'a')]));
  await began.promise;
  const close = async (): Promise<void> => {
    silence.reject(new Error('the test is over'));
    await stage.close();
    await temporal.close();
  };
  return { stage, attempts: () => attempts, close };
}

describe('media', () => {
  // proves: service/1, read/MediaOut
  it('are prepared, transcribed and described, and the item is ready', async () => {
    await stage.put('video', mediaItem('video', [medium('video', 'a')]));
    await stage.finish('video');
    expect(await stage.read('video')).toMatchObject({
      status: 'ready',
      media: [{ status: 'ready', durationSec: 10 }],
      transcript: [{ mediaPosition: 0, text: 'речь' }],
      frames: [{ mediaPosition: 0, description: 'кадр' }],
      processing: { prepare: 'done', speech: 'done', vision: 'done', summary: 'done', embedding: 'done' },
    });
    await keepHistory('item-video', stage.handle('video'));
  });

  it('are found by what is visible in them, with their position and time', async () => {
    const describeFrames: Describe = async ({ frames }) =>
      fakeResult(frames.map(({ id }) => ({ id, description: `кадр ${id}`, ocrText: null, tags: null, safety: null })));
    Object.assign(stage.providers.vision ?? {}, { run: describeFrames });
    await stage.put('moments', mediaItem('mixed', [medium('image', 'a'), medium('video', 'b')]));
    await stage.finish('moments');
    const { frames, searchChunks } = (await stage.read('moments')) ?? {};
    const ofVideo = frames?.filter(({ mediaPosition }) => mediaPosition === 1) ?? [];
    const seen = searchChunks?.filter(({ text }) => text.startsWith('кадр')) ?? [];
    expect(seen).toEqual([
      { mediaPosition: 0, startSec: null, endSec: null, text: expect.any(String) },
      ...ofVideo.map(({ ts, description }, at) => ({
        mediaPosition: 1,
        startSec: ts,
        endSec: ofVideo[at + 1]?.ts ?? ts,
        text: description,
      })),
    ]);
  });

  it('add no colours to tags, chunks and vectors if only the built-in provider described them, but the words in them count', async () => {
    const colours = 'Изображение: преобладает синий цвет.';
    const measure =
      (ocrText: string | null): Describe =>
      async ({ frames }) => {
        const value = frames.map(({ id }) => ({ id, description: colours, ocrText, tags: null, safety: null }));
        return { ...fakeResult(value), provenance: { provider: 'builtin', model: 'measures', requestId: null } };
      };
    const picture = mediaItem('image', [medium('image', 'a')], { title: null });
    Object.assign(stage.providers.vision ?? {}, { run: measure(null) });
    await stage.put('wordless', picture);
    await stage.finish('wordless');
    expect(await stage.read('wordless')).toMatchObject({
      status: 'failed',
      frames: [{ description: colours }],
      summary: null,
      searchChunks: null,
      processingErrors: { summary: { code: 'nothing_to_summarise' }, embedding: { code: 'no_content' } },
    });
    Object.assign(stage.providers.vision ?? {}, { run: measure('МУЗЕЙ ТРАМВАЯ') });
    await stage.put('sign', picture);
    await stage.finish('sign');
    const sign = await stage.read('sign');
    expect(sign?.searchChunks?.[0]).toMatchObject({ mediaPosition: 0, text: 'МУЗЕЙ ТРАМВАЯ' });
    expect(JSON.stringify([sign?.summary, sign?.searchChunks])).not.toContain('цвет');
  });

  it('are transcribed and described in parallel', async () => {
    const heard = Promise.withResolvers<void>();
    const seen = Promise.withResolvers<void>();
    const transcribe: Transcribe = async () => {
      heard.resolve();
      await seen.promise;
      return fakeResult({ language: 'ru', timestamps: 'model', text: 'речь', segments: [] });
    };
    const look: Describe = async ({ frames }) => {
      seen.resolve();
      await heard.promise;
      return fakeResult(frames.map(({ id }) => ({ id, description: 'кадр', ocrText: null, tags: null, safety: null })));
    };
    Object.assign(stage.providers.speech ?? {}, { run: transcribe });
    Object.assign(stage.providers.vision ?? {}, { run: look });
    await stage.put('parallel', mediaItem('video', [medium('video', 'a')]));
    await stage.finish('parallel');
    expect(await stage.look('parallel')).toMatchObject({ status: 'ready' });
  });

  // proves: decisions-items/no-sound
  it('without sound have their speech skipped, with the reason, and the item is ready', async () => {
    stage.prepare = async (_row, work) => ({ ...prepared(work.mediumId), audioKey: null });
    await stage.put('mute', mediaItem('video', [medium('video', 'a')]));
    await stage.finish('mute');
    expect(await stage.read('mute')).toMatchObject({
      status: 'ready',
      processing: { prepare: 'done', speech: 'skipped', vision: 'done', summary: 'done', embedding: 'done' },
      processingErrors: { speech: { code: 'no_audio', media_position: 0 } },
      transcript: null,
    });
    expect(stage.providers.calls).not.toContain('speech');
  });

  // proves: decisions-media/no-provider
  it('have every step after their preparation skipped if there is no provider, with the reason, and the item fails for want of vectors', async () => {
    Object.assign(stage.providers, { speech: undefined, vision: undefined, summary: undefined, embedding: undefined });
    await stage.put('unread', mediaItem('video', [medium('video', 'a')]));
    await stage.finish('unread');
    expect(await stage.read('unread')).toMatchObject({
      status: 'failed',
      processing: { prepare: 'done', speech: 'skipped', vision: 'skipped', summary: 'skipped', embedding: 'skipped' },
      processingErrors: {
        speech: { code: 'no_speech_provider', media_position: 0 },
        vision: { code: 'no_vision_provider', media_position: 0 },
        summary: { code: 'no_summary_provider' },
        embedding: { code: 'no_embedding_provider' },
      },
      summary: null,
      searchChunks: null,
    });
  });

  // proves: states/partial, decisions-items/permanent
  it('make the item partial if one of them is bad, with one event and the position of the bad one', async () => {
    await stage.put(
      'partial',
      mediaItem('mixed', [medium('image', 'a'), medium('video', 'bad'), medium('audio', 'c')]),
    );
    await stage.finish('partial');
    expect(await stage.read('partial')).toMatchObject({
      status: 'partial',
      media: [{ status: 'ready' }, { status: 'failed' }, { status: 'ready' }],
      processing: { prepare: 'failed', speech: 'done', vision: 'done', summary: 'done', embedding: 'done' },
      processingErrors: { prepare: { code: 'unsupported_media', media_position: 1 } },
      transcript: [{ mediaPosition: 2 }],
    });
    expect(await stage.look('partial')).toMatchObject({ events: ['item.failed'] });
  });

  it('are reported with their position if a provider refuses them', async () => {
    Object.assign(stage.providers.vision ?? {}, {
      run: () => Promise.reject(new ProviderError('refused', 'provider_refused', 'no')),
    });
    await stage.put('refused', mediaItem('mixed', [medium('audio', 'a'), medium('image', 'b')]));
    await stage.finish('refused');
    expect(await stage.read('refused')).toMatchObject({
      status: 'partial',
      processingErrors: { vision: { code: 'provider_refused', media_position: 1 } },
    });
    expect(await stage.look('refused')).toMatchObject({ events: ['item.failed'] });
  });

  it('leave the item with only the results of its text if all of them are bad', async () => {
    await stage.put('all-bad', mediaItem('video', [medium('video', 'bad')]));
    await stage.finish('all-bad');
    expect(await stage.look('all-bad')).toMatchObject({ status: 'partial', events: ['item.failed'] });
    await stage.put('all-bad-silent', mediaItem('video', [medium('video', 'bad')], { title: null }));
    await stage.finish('all-bad-silent');
    expect(await stage.read('all-bad-silent')).toMatchObject({
      status: 'failed',
      processing: { summary: 'skipped', embedding: 'failed' },
      processingErrors: { embedding: { code: 'no_content' } },
    });
  });

  it('can be added while another one is being prepared, and the item ends once with the results of both', async () => {
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    stage.prepare = async (row, work) => {
      begun.push(row.url);
      if (row.url.endsWith('slow')) await gate.promise;
      return prepared(work.mediumId);
    };
    await stage.put('added', mediaItem('mixed', [medium('image', 'slow')]));
    await eventually(() => begun.length === 1, 'the first medium');
    await stage.patch('added', { media: [medium('image', 'slow'), medium('image', 'quick')] });
    await eventually(() => begun.some((url) => url.endsWith('quick')), 'the second medium');
    gate.resolve();
    await stage.finish('added');
    expect(await stage.read('added')).toMatchObject({
      status: 'ready',
      media: [{ status: 'ready' }, { status: 'ready' }],
      frames: [{ mediaPosition: 0 }, { mediaPosition: 1 }],
    });
    expect(await stage.look('added')).toMatchObject({ events: ['item.processed'] });
  });

  it('delay nothing if they are removed while they are prepared', async () => {
    const aborted = Promise.withResolvers<void>();
    let begun = 0;
    stage.prepare = (_row, _work, signal) => {
      begun += 1;
      const beat = setInterval(() => heartbeat(), 20);
      return new Promise((_, reject) => {
        signal.addEventListener(
          'abort',
          () => {
            clearInterval(beat);
            aborted.resolve();
            reject(new Error('aborted'));
          },
          { once: true },
        );
      });
    };
    await stage.put('left', mediaItem('mixed', [medium('video', 'hangs')]));
    await eventually(() => begun === 1, 'the medium');
    await stage.patch('left', { media: [] });
    await stage.finish('left');
    await aborted.promise;
    expect(await stage.read('left')).toMatchObject({
      status: 'ready',
      media: [],
      processing: { prepare: 'skipped', summary: 'done' },
    });
  });

  it('defer the item if they cannot be prepared for now, and end its wait when they are removed', async () => {
    stage.prepare = (row, work) =>
      row.url.endsWith('silent') ? Promise.reject(outOfQuota()) : prepareAnything(row, work, AbortSignal.abort());
    await stage.put('silent', mediaItem('mixed', [medium('image', 'good'), medium('image', 'silent')]));
    await eventually(async () => (await stage.look('silent')).status === 'deferred', 'the deferral');
    expect(await stage.read('silent')).toMatchObject({
      processing: { prepare: 'deferred', vision: 'deferred', embedding: 'deferred' },
      processingErrors: { prepare: { code: 'provider_quota_exceeded' } },
    });
    await stage.patch('silent', { media: [medium('image', 'good')] });
    await stage.finish('silent');
    expect(await stage.look('silent')).toMatchObject({ status: 'ready', events: ['item.processed'] });
  });

  // proves: write/media
  it('may be fifty, and the history stays small', async () => {
    await stage.put(
      'fifty',
      mediaItem(
        'mixed',
        Array.from({ length: 50 }, (_, index) => medium('video', `m${index}`)),
      ),
    );
    const history = await stage.finish('fifty');
    expect(await stage.look('fifty')).toMatchObject({ status: 'ready' });
    expect(plain((await stage.look('fifty')).steps)).toMatchObject({ speech: 'done', vision: 'done' });
    expect(history.events?.length).toBeLessThan(1_500);
  });
});

describe('a worker that dies', () => {
  it('is noticed by its silence, and another takes over', async () => {
    await orphanage.stage.finish('orphan');
    expect(orphanage.attempts()).toBe(2);
    expect(await orphanage.stage.look('orphan')).toMatchObject({ status: 'ready', events: ['item.processed'] });
  });
});
