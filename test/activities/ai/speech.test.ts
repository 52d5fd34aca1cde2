/** A transcript that leaves out speech says so (docs/decisions/processing-errors.md). */
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createAiActivities } from '../../../activities/ai/index.ts';
import { storePrepared } from '../../../db/analysis/mediaSteps.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { startStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import type { CallContext, SpeechCapability, Transcript } from '../../../providers/types.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeProviders, FAKE_MODELS, fakeResult } from '../../support/items/fakeProviders.ts';
import { Analyst, mediaItem, medium, prepared, snapshot } from '../../support/items/items.ts';
import { createTestProject } from '../../support/project.ts';

const SUBTITLES_KEY = 'subtitles.vtt';
const SAID: Transcript = { language: 'ru', timestamps: 'model', text: 'речь', segments: [] };

let database: TestDatabase;
let projectId: string;
let analyst: Analyst;
let dir: string;
let count = 0;
let id = '';

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  analyst = new Analyst(database.pool, projectId);
  dir = await mkdtemp(join(tmpdir(), 'attune-heard-'));
  await writeFile(join(dir, SUBTITLES_KEY), 'WEBVTT\n');
});
afterAll(async () => {
  await rm(dir, { recursive: true });
  await database.drop();
});
beforeEach(() => {
  count += 1;
  id = `item-${count}`;
});

/** Returns a provider that reads subtitles, and recognises speech or not. */
function provider(transcript: Transcript, recognises: boolean): SpeechCapability {
  return {
    model: 'fake-1',
    skipReason: 'no_speech_provider',
    canTranscribe: ({ hasSubtitles }) => recognises || hasSubtitles,
    run: async () => fakeResult(transcript),
  };
}

/** Transcribes the media of an item, each with its subtitles unless it is silent; returns the step as shown to clients. */
async function transcribed(speech: SpeechCapability, silent: boolean[], attempt = 1): Promise<unknown> {
  await analyst.put(
    id,
    mediaItem(
      'audio',
      silent.map((_, at) => medium('audio', `${at}`)),
    ),
  );
  const ref = { projectId, itemId: id };
  const media = (await planItem(database.pool, ref, {}))?.todo.prepare ?? [];
  const { steps } = await snapshot(database.pool, projectId, id);
  const activities = createAiActivities({
    pool: database.pool,
    blobs: createLocalBlobStore(dir),
    providers: createFakeProviders({ speech }),
    models: FAKE_MODELS,
    logger: createLogger('test', 'silent'),
  });
  for (const [at, mediumId] of media.entries()) {
    const row = { ...prepared(mediumId), audioKey: null, frames: [] };
    const subtitlesKey = silent[at] ? null : SUBTITLES_KEY;
    await storePrepared(
      database.pool,
      { ...ref, step: 'prepare', mediumId, revision: steps.prepare.revision },
      { ...row, subtitlesKey },
    );
  }
  await planItem(database.pool, ref, {});
  const work = { ...ref, step: 'speech' as const, revision: steps.speech.revision };
  await startStep(database.pool, work);
  for (const mediumId of media)
    await new MockActivityEnvironment({ attempt }, { logger: new DefaultLogger('ERROR') }).run(
      activities.transcribeMedium,
      {
        ...work,
        mediumId,
      },
    );
  await analyst.analyse(id);
  const item = await readItem(database.pool, projectId, id, { transcript: false, frames: false, searchChunks: false });
  return { state: item?.processing.speech, status: item?.status, error: item?.processingErrors.speech };
}

it('a complete transcript is done, and shows no error', async () => {
  expect(await transcribed(provider(SAID, false), [false])).toEqual({ state: 'done', status: 'ready' });
});

it.each([
  ['no_speech_provider', false],
  ['speech_partial', true],
])('a partial transcript is done, and shows %s', async (code, recognises) => {
  const speech = provider({ ...SAID, isPartial: true }, recognises);
  expect(await transcribed(speech, [false])).toEqual({
    state: 'done',
    status: 'ready',
    error: { code, message: expect.stringMatching(/^[А-Я].*\.$/), media_position: 0 },
  });
});

it('a medium without sound does not hide that another is transcribed in part', async () => {
  const speech = provider({ ...SAID, isPartial: true }, false);
  expect(await transcribed(speech, [true, false])).toMatchObject({
    error: { code: 'no_speech_provider', media_position: 1 },
  });
});

it.each([
  [1, false],
  [4, true],
])('attempt %d of four is the last one: %j', async (attempt, isLastAttempt) => {
  const seen: CallContext[] = [];
  const run: SpeechCapability['run'] = async (_, context) => {
    seen.push(context);
    return fakeResult(SAID);
  };
  await transcribed({ ...provider(SAID, true), run }, [false], attempt);
  expect(seen).toMatchObject([{ isLastTry: false, isLastAttempt }]);
});
