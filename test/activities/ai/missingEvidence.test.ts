/** Unseen and unheard parts are never reported as harmless, and findings are always reported. */
import { basename } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createAiActivities } from '../../../activities/ai/index.ts';
import {
  endMediumStep,
  storeFrameDescriptions,
  storePrepared,
  storeTranscript,
} from '../../../db/analysis/mediaSteps.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { deferStep, startStep } from '../../../db/analysis/steps.ts';
import { readItem, type StoredItem } from '../../../db/items/readItem.ts';
import { DEFERRAL_DELAYS_MS } from '../../../domain/analysis/deferral.ts';
import type { Moderation, Provenance } from '../../../domain/analysis/results.ts';
import type { MediaStep } from '../../../domain/analysis/steps.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { ProviderError } from '../../../providers/errors.ts';
import type { ModerationInput, SummaryInput } from '../../../providers/types.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeProviders, FAKE_MODELS, fakeResult, type FakeProviders } from '../../support/items/fakeProviders.ts';
import { Analyst, mediaItem, medium, prepared, PROVENANCE, snapshot } from '../../support/items/items.ts';
import { createTestProject } from '../../support/project.ts';

const HARMLESS: Moderation = { level: 'none', categories: { violence: { level: 'none', score: 0.01 } }, evidence: [] };
const SAFE = { sexual: 'none', violence: 'none' };
const NUDE = { sexual: 'high', violence: null, self_harm: null };
const BUILTIN: Provenance = { provider: 'builtin', model: 'builtin-vision-5', requestId: null };
const failed = new ProviderError('permanent', 'provider_bad_request', 'no');

let database: TestDatabase;
let projectId: string;
let analyst: Analyst;
let providers: FakeProviders;
let shown: string[] = [];
let asked: SummaryInput[] = [];
let count = 0;
let id = '';

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  analyst = new Analyst(database.pool, projectId);
});
afterAll(() => database.drop());
beforeEach(() => {
  count += 1;
  id = `item-${count}`;
  shown = [];
  asked = [];
  providers = createFakeProviders();
  moderator(() => HARMLESS);
  const { summary } = createFakeProviders();
  providers.summary = {
    model: 'fake-1',
    async run(input, context) {
      asked.push(input);
      const made = await summary?.run(input, context);
      return fakeResult({ ...made?.value, ageRating: '0+' } as never);
    },
  };
});

function moderator(judge: (input: ModerationInput) => Moderation): void {
  providers.moderation = {
    model: 'fake-1',
    async run(input) {
      shown = input.frames.map(({ path }) => basename(path));
      return fakeResult(judge(input));
    },
  };
}

interface Video {
  /** Safety of each frame; undefined: nobody described it. */
  frames: (Record<string, unknown> | null | undefined)[];
  /** The frames are measured and not described. */
  isMeasured?: boolean;
  isTruncated?: boolean;
  /** The sound could not be decoded. */
  isAudioUnreadable?: boolean;
  speech?: 'done' | 'partial' | 'failed' | 'skipped' | 'none';
}

const ref = () => ({ projectId, itemId: id });

async function workOf(step: MediaStep, at = 0) {
  const mediumId = (await planItem(database.pool, ref(), {}))?.todo[step][at] ?? '';
  const { steps } = await snapshot(database.pool, projectId, id);
  const work = { ...ref(), step, mediumId, revision: steps[step].revision };
  await startStep(database.pool, work);
  return work;
}

/** Prepares a video with the given frames, transcribes it, and describes the frames. */
async function watch({
  frames,
  isMeasured = false,
  isTruncated = false,
  isAudioUnreadable = false,
  speech = 'none',
}: Video): Promise<void> {
  const rows = frames.map((_, ts) => ({ ts, blobKey: `media/a/${ts}.jpg`, duplicateOfTs: null, flat: false }));
  const audioKey = speech === 'none' || isAudioUnreadable ? null : 'media/a/audio.flac';
  await storePrepared(database.pool, await workOf('prepare'), {
    ...prepared('a'),
    audioKey,
    ...(isAudioUnreadable && speech !== 'none' && { subtitlesKey: 'media/a/subtitles.vtt' }),
    truncated: isTruncated,
    loss: isAudioUnreadable ? { code: 'audio_unreadable', message: 'no' } : null,
    frames: rows,
  });
  const said = { language: 'ru', timestamps: 'model' as const, text: 'речь', segments: [] };
  const heard = await workOf('speech');
  if (speech === 'done') await storeTranscript(database.pool, heard, said, PROVENANCE);
  else if (speech === 'partial') await storeTranscript(database.pool, heard, { ...said, isPartial: true }, PROVENANCE);
  else await endMediumStep(database.pool, heard, speech === 'failed' ? 'failed' : 'skipped', failed);
  const seen = await workOf('vision');
  const described = frames.flatMap((safety, ts) =>
    safety === undefined ? [] : [{ id: `${ts}`, ts, description: 'вид', ocrText: null, tags: null, safety }],
  );
  await storeFrameDescriptions(database.pool, seen, described, isMeasured ? BUILTIN : PROVENANCE);
  await endMediumStep(database.pool, seen, described.length > 0 ? 'done' : 'skipped', null);
}

const put = (kinds: ('video' | 'image')[] = ['video']) =>
  analyst.put(
    id,
    mediaItem(
      'mixed',
      kinds.map((kind, at) => medium(kind, `${at}`)),
      { title: 'Мультфильм о котёнке' },
    ),
  );

async function video(watched: Video): Promise<void> {
  await put();
  await watch(watched);
}

/** Runs the step summary once, and reads the item. */
async function runSummary(): Promise<StoredItem | null> {
  await planItem(database.pool, ref(), {});
  const { steps } = await snapshot(database.pool, projectId, id);
  const activities = createAiActivities({
    pool: database.pool,
    blobs: createLocalBlobStore('/nowhere'),
    providers,
    models: FAKE_MODELS,
    logger: createLogger('test', 'silent'),
  });
  const work = { ...ref(), step: 'summary' as const, revision: steps.summary.revision };
  await new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(activities.summariseItem, work);
  return readItem(database.pool, projectId, id, { transcript: false, frames: false, searchChunks: false });
}

const outcome = async () => {
  const item = await runSummary();
  return [item?.moderation?.level, item?.summary?.['age_rating']];
};

describe('an item', () => {
  it('of which everything was judged and described is harmless', async () => {
    await video({ frames: [SAFE, SAFE], speech: 'done' });
    expect(await outcome()).toEqual(['none', '0+']);
    expect(asked).toMatchObject([{ isIncomplete: false }]);
  });

  // proves: decisions-media/missing-evidence
  it.each<[string, Video]>([
    ['whose speech could not be recognised', { frames: [SAFE], speech: 'failed' }],
    ['some of whose speech could not be recognised', { frames: [SAFE], speech: 'partial' }],
    ['whose speech nobody recognises', { frames: [SAFE], speech: 'skipped' }],
    ['whose sound could not be decoded', { frames: [SAFE], isAudioUnreadable: true }],
    [
      'whose sound could not be decoded, but which has subtitles',
      { frames: [SAFE], isAudioUnreadable: true, speech: 'done' },
    ],
    ['that is longer than the part that is read', { frames: [SAFE], isTruncated: true }],
  ])('%s is not harmless', async (_, watched) => {
    await video(watched);
    expect(await outcome()).toEqual([null, null]);
    expect(asked).toMatchObject([{ isIncomplete: true }]);
  });

  // proves: decisions-media/missing-evidence
  it('with a medium that could not be loaded is not harmless', async () => {
    await put(['video', 'image']);
    await endMediumStep(database.pool, await workOf('prepare', 1), 'failed', failed);
    await watch({ frames: [SAFE] });
    expect(await outcome()).toEqual([null, null]);
  });

  it('whose only medium could not be loaded is not called harmless, even if its title is', async () => {
    await put(['image']);
    await endMediumStep(database.pool, await workOf('prepare'), 'failed', failed);
    expect(await outcome()).toEqual([null, null]);
  });

  it('whose pictures only the moderator saw is harmless by the verdict of the moderator, but has no age rating', async () => {
    await video({ frames: [null, null], isMeasured: true });
    expect(await outcome()).toEqual(['none', null]);
  });

  it('with more pictures than the moderator receives is not harmless', async () => {
    await video({ frames: Array(60).fill(undefined) });
    expect(await outcome()).toEqual([null, null]);
    expect(shown).toHaveLength(8);
    expect([shown[0], shown.at(-1)]).toEqual(['0.jpg', '59.jpg']);
  });

  it('has the pictures that the vision step did not judge shown to the moderator', async () => {
    const frames = Array.from({ length: 60 }, (_, at) => (at === 31 || at === 40 ? undefined : SAFE));
    await video({ frames });
    expect((await runSummary())?.moderation?.level).toBe('none');
    expect(shown).toHaveLength(8);
    expect(shown).toEqual(expect.arrayContaining(['31.jpg', '40.jpg']));
  });
});

describe('what the vision step found', () => {
  const found = {
    level: 'high',
    categories: { sexual: 'high' },
    evidence: [{ category: 'sexual', level: 'high', kind: 'frame', frame: expect.stringMatching(/:1$/) }],
  };
  const lastTry = async (): Promise<void> => {
    for (const _ of DEFERRAL_DELAYS_MS) {
      const { steps } = await snapshot(database.pool, projectId, id);
      await deferStep(database.pool, { ...ref(), step: 'summary', revision: steps.summary.revision }, failed);
      await database.pool.query(
        `update items set steps = jsonb_set(steps, '{summary,retryAt}', '"2020-01-01T00:00:00.000Z"') where id = $1`,
        [id],
      );
    }
  };

  it.each([
    ['refuses the content', new ProviderError('refused', 'provider_refused', 'no')],
    ['does not accept the key', new ProviderError('permanent', 'provider_unauthorized', 'no')],
    ['has no such model', new ProviderError('permanent', 'provider_model_not_found', 'no')],
  ])('reaches the moderation of an item if the moderator %s', async (_, error) => {
    await video({ frames: [null, NUDE], isMeasured: true });
    moderator(() => {
      throw error;
    });
    const item = await runSummary();
    expect(item?.moderation).toMatchObject(found);
    expect(item?.summary).toMatchObject({ moderation: found });
  });

  it('reaches the moderation if the moderator stays unavailable', async () => {
    await video({ frames: [null, NUDE], isMeasured: true });
    moderator(() => {
      throw new ProviderError('retryable', 'provider_unavailable', 'away');
    });
    await lastTry();
    expect((await runSummary())?.moderation).toMatchObject(found);
  });

  it('reaches the moderation without a moderator, and without a summariser', async () => {
    await video({ frames: [null, NUDE], isMeasured: true });
    providers.moderation = undefined;
    providers.summary = undefined;
    expect((await runSummary())?.moderation).toMatchObject(found);
  });

  it('does not count as a judgement if it is harmless and there is no moderator', async () => {
    await video({ frames: [SAFE, SAFE] });
    providers.moderation = undefined;
    expect((await runSummary())?.moderation).toBeNull();
  });
});
