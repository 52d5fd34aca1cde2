/** Paid work is neither lost nor paid for twice, and its cost is always recorded. */
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createAiActivities } from '../../../activities/ai/index.ts';
import { updateProject } from '../../../db/accounts/projects.ts';
import { ProviderError } from '../../../providers/errors.ts';
import type { Providers, SpeechCapability } from '../../../providers/types.ts';
import type { ItemContent } from '../../../domain/items/item.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { endMediumStep, storePrepared, storeTranscript } from '../../../db/analysis/mediaSteps.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { startStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { patchItem } from '../../../db/items/writeItems.ts';
import type { MediumWork, StepResult, StepWork } from '../../../domain/jobs/workflowMessages.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createOpenAiModeration, createOpenAiSpeech, createOpenAiSummary } from '../../../providers/openai/index.ts';
import { makeAudio } from '../../providers/openai/speech/audio.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeProviders, FAKE_MODELS } from '../../support/items/fakeProviders.ts';
import { ffmpegPath } from '../../support/programs/ffmpeg.ts';
import { Analyst, mediaItem, medium, prepared, PROVENANCE, snapshot } from '../../support/items/items.ts';
import { answerChat, completion } from '../../support/openai/openaiAnswers.ts';
import { readFlac } from '../../support/openai/openaiChecks.ts';
import { startOpenAiServer, type OpenAiServer, type Reply } from '../../support/openai/openaiServer.ts';
import { createTestProject, textItem } from '../../support/project.ts';

const AUDIO_KEY = 'audio.flac';
const ALL = { transcript: true, frames: true, searchChunks: true };

let database: TestDatabase;
let projectId: string;
let analyst: Analyst;
let server: OpenAiServer;
let ffmpeg: string;
let dir: string;
let count = 0;
let id = '';

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  analyst = new Analyst(database.pool, projectId);
  ffmpeg = await ffmpegPath();
  dir = await mkdtemp(join(tmpdir(), 'attune-paid-'));
  // Three pieces of at most a minute.
  await makeAudio(ffmpeg, join(dir, 'made.flac'), [
    ['sound', 50],
    ['silence', 2],
    ['sound', 58],
    ['silence', 3],
    ['sound', 37],
  ]);
  await copyFile(join(dir, 'made.flac'), join(dir, AUDIO_KEY));
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await database.drop();
});
beforeEach(async () => {
  count += 1;
  id = `item-${count}`;
  server = await startOpenAiServer();
});
afterEach(async () => {
  await server.close();
  expect(await tableRows('analysis_drafts')).toBe(0);
});

/** Returns a worker that has just started, without any state in memory. */
function newWorker(overrides: Partial<Providers> = {}) {
  const options = { baseUrl: server.baseUrl, apiKey: 'test-key', requestTimeoutMs: 60_000 };
  const providers = createFakeProviders({
    summary: createOpenAiSummary({ ...options, model: 'gpt-test' }),
    moderation: createOpenAiModeration({ ...options, model: 'moderator' }),
    speech: createOpenAiSpeech({ ...options, model: 'gpt-4o-transcribe', ffmpegPath: ffmpeg, workDir: dir }),
    ...overrides,
  });
  return createAiActivities({
    pool: database.pool,
    blobs: createLocalBlobStore(dir),
    providers,
    models: FAKE_MODELS,
    logger: createLogger('test', 'silent'),
  });
}

const attempt = () => new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
const summarise = (work: StepWork) => attempt().run(newWorker().summariseItem, work) as Promise<StepResult>;
const embed = (work: StepWork) => attempt().run(newWorker().embedItem, work) as Promise<StepResult>;
const transcribe = (work: MediumWork) => attempt().run(newWorker().transcribeMedium, work) as Promise<boolean>;
const asked = (endpoint: string): number => server.requests.filter((request) => request.endpoint === endpoint).length;
const read = () => readItem(database.pool, projectId, id, ALL);

/** Stores that the step of speech was deferred twice: the test does not wait for that. */
async function deferTwice(): Promise<void> {
  await database.pool.query(
    `update items set steps = jsonb_set(steps, '{speech,deferrals}', '2') where project_id = $1 and id = $2`,
    [projectId, id],
  );
}

async function secondsOf(form: FormData | null): Promise<number> {
  const file = form?.get('file');
  const read = file instanceof File ? await readFlac(file) : undefined;
  return Math.round((read?.seconds ?? 0) * 10) / 10;
}

async function tableRows(table: 'analysis_drafts' | 'analysis_usage'): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int from ${table} where project_id = $1 and item_id = $2`,
    [projectId, id],
  );
  return rows[0]?.count ?? -1;
}

async function bills(): Promise<{ step: string; model: string; tokens: number | null; seconds: number | null }[]> {
  const { rows } = await database.pool.query<{
    step: string;
    model: string;
    tokens: number | null;
    seconds: number | null;
  }>(
    `select step, model, input_tokens::int as tokens, round(audio_seconds::numeric, 1)::float8 as seconds from analysis_usage
      where project_id = $1 and item_id = $2 order by id`,
    [projectId, id],
  );
  return rows;
}

async function summaryWork(): Promise<StepWork> {
  await analyst.put(id, textItem());
  const plan = await planItem(database.pool, { projectId, itemId: id }, {});
  return { projectId, itemId: id, step: 'summary', revision: plan?.steps.summary.revision ?? 0 };
}

async function speechWork(durationSec = 10, content: Partial<ItemContent> = {}): Promise<MediumWork> {
  await analyst.put(id, mediaItem('audio', [medium('audio', 'a')], content));
  const ref = { projectId, itemId: id };
  const plan = await planItem(database.pool, ref, {});
  const mediumId = plan?.todo.prepare[0] ?? '';
  await storePrepared(
    database.pool,
    { ...ref, mediumId, step: 'prepare', revision: plan?.steps.prepare.revision ?? 0 },
    { ...prepared('a'), durationSec, audioKey: AUDIO_KEY, frames: [] },
  );
  const after = await planItem(database.pool, ref, {});
  return { ...ref, mediumId, step: 'speech', revision: after?.steps.speech.revision ?? 0 };
}

describe('a summary', () => {
  it.each<[string, Reply]>([
    ['is refused', { status: 400, json: { error: { code: 'content_policy_violation' } } }],
    ['is too large for the server', { status: 413, raw: '' }],
    ['is not offered by the server', { status: 404, raw: '404 page not found' }],
    ['is not offered, as a server says with 200', { status: 200, json: { error: 'Unexpected endpoint or method.' } }],
    ['is done by a model that the server does not have', { status: 404, json: { error: { code: 'model_not_found' } } }],
    ['is not allowed to the key', { status: 403, raw: '' }],
  ])('whose moderation %s is stored without a verdict', async (_, reply) => {
    server.script('/moderations', () => reply);
    const work = await summaryWork();
    expect(await summarise(work)).toMatchObject({ summary: { state: 'done', error: null } });
    expect((await read())?.summary).toMatchObject({ moderation: null, summary: expect.any(String) });
  });

  it('whose moderation fails temporarily is kept, and the next attempt only moderates it', async () => {
    server.script('/moderations', (_, index) => (index === 0 ? { status: 503, raw: '' } : undefined));
    const work = await summaryWork();
    await expect(summarise(work)).rejects.toMatchObject({ nonRetryable: false });
    expect(await bills()).toMatchObject([{ step: 'summary', model: 'gpt-test', tokens: 100 }]);
    expect(await tableRows('analysis_drafts')).toBe(1);
    await summarise(work);
    expect([asked('/chat/completions'), asked('/moderations')]).toEqual([1, 2]);
    expect((await read())?.summary).toMatchObject({ moderation: { level: 'none' } });
    expect((await bills()).map(({ model }) => model)).toEqual(['gpt-test', 'moderator']);
  });

  it('whose moderation failed is not reused for changed content', async () => {
    server.script('/moderations', (_, index) => (index === 0 ? { status: 503, raw: '' } : undefined));
    const work = await summaryWork();
    await expect(summarise(work)).rejects.toMatchObject({ nonRetryable: false });
    await patchItem(database.pool, { projectId, itemId: id, patch: { body: 'Совсем другое.' }, requestId: null });
    const { steps } = await snapshot(database.pool, projectId, id);
    await summarise({ ...work, revision: steps.summary.revision });
    expect(asked('/chat/completions')).toBe(2);
  });
});

describe('a summary that fails', () => {
  it('is recorded in the usage, and leaves nothing behind', async () => {
    server.script('/chat/completions', (_, index) =>
      index === 0 ? undefined : { status: 400, json: { error: { code: 'content_filter' } } },
    );
    const long = 'Предложение о погоде. '.repeat(1_500);
    const work = await summaryWork();
    await patchItem(database.pool, { projectId, itemId: id, patch: { body: long }, requestId: null });
    const { steps } = await snapshot(database.pool, projectId, id);
    const after = await summarise({ ...work, revision: steps.summary.revision });
    expect(after?.summary).toMatchObject({ state: 'failed', error: { code: 'provider_refused' } });
    expect(await bills()).toMatchObject([{ model: 'gpt-test', tokens: 100 }, { model: 'moderator' }]);
  });
});

/** Returns the work of summarising a recording of five minutes about two topics. */
async function recordingWork(): Promise<StepWork> {
  const speech = await speechWork(300);
  const segments = Array.from({ length: 30 }, (_, at) => ({
    start: at * 10,
    end: at * 10 + 8,
    text: at < 15 ? `Пекарь месит тесто ${at}.` : `Трамвай едет по рельсам ${at}.`,
    speaker: null,
  }));
  const text = segments.map((segment) => segment.text).join(' ');
  await startStep(database.pool, speech);
  await storeTranscript(database.pool, speech, { language: 'ru', timestamps: 'model', text, segments }, PROVENANCE);
  const plan = await planItem(database.pool, { projectId, itemId: id }, {});
  return { projectId, itemId: id, step: 'summary', revision: plan?.steps.summary.revision ?? 0 };
}

describe('the chapters of a recording', () => {
  const proposed = [
    { start: 150, title: 'Трамвай' },
    { start: 0, title: 'Хлеб' },
    { start: 4_000, title: 'После конца' },
  ];
  const chaptersAnswer: Reply = { json: completion(JSON.stringify({ chapters: proposed })) };
  const isAboutChapters = ({ body }: { body: unknown }) => JSON.stringify(body).includes('recording_chapters');
  /** @param answers the replies to the successive questions about chapters */
  const answer = (...answers: Reply[]) =>
    server.script('/chat/completions', (request) =>
      isAboutChapters(request) ? answers.shift() : { json: answerChat(request.body) },
    );
  const chapters = [
    { media_position: 0, start: 0, end: 150, title: 'Хлеб' },
    { media_position: 0, start: 150, end: 300, title: 'Трамвай' },
  ];

  it('are part of the summary, and are found by their titles', async () => {
    answer(chaptersAnswer);
    const work = await recordingWork();
    const after = await summarise(work);
    expect((await read())?.summary?.chapters).toEqual(chapters);
    const revision = after?.embedding.revision ?? 0;
    await embed({ ...work, step: 'embedding', revision });
    expect((await read())?.searchChunks?.slice(1, 3)).toEqual(
      chapters.map(({ start, end, title }) => ({ mediaPosition: 0, startSec: start, endSec: end, text: title })),
    );
  });

  it('are retried while the server is briefly unavailable, and neither they nor the summary are paid for twice', async () => {
    answer({ status: 503, raw: '' }, chaptersAnswer);
    server.script('/moderations', (_, index) => (index === 0 ? { status: 503, raw: '' } : undefined));
    const work = await recordingWork();
    for (const _ of ['the chapters', 'the moderation'])
      await expect(summarise(work)).rejects.toMatchObject({ nonRetryable: false });
    await summarise(work);
    expect((await read())?.summary).toMatchObject({ chapters, moderation: { level: 'none' } });
    expect(asked('/chat/completions')).toBe(3);
    expect((await bills()).map(({ model }) => model)).toEqual(['gpt-test', 'gpt-test', 'moderator']);
  });

  it.each<[string, Reply[]]>([
    ['refuses them', [{ status: 400, json: { error: { code: 'content_filter' } } }]],
    ['answers nonsense', [{ json: completion('глава') }, { json: completion('глава') }]],
    ['has no quota left', [{ status: 429, json: { error: { code: 'insufficient_quota' } } }]],
  ])('are left out when the server %s, and the summary is still stored', async (_, answers) => {
    answer(...answers);
    expect(await summarise(await recordingWork())).toMatchObject({ summary: { state: 'done' } });
    const { summary } = (await read()) ?? {};
    expect(summary).toMatchObject({ summary: expect.any(String) });
    expect(summary).not.toHaveProperty('chapters');
  });
});

describe('a transcript', () => {
  it('is resumed where a failed attempt left it', async () => {
    const outage: Reply = { status: 500, headers: { 'retry-after-ms': '1' }, raw: '' };
    server.script('/audio/transcriptions', (_, index) => (index === 0 ? undefined : outage));
    const work = await speechWork();
    await expect(transcribe(work)).rejects.toMatchObject({ nonRetryable: false });
    expect(await bills()).toMatchObject([{ step: 'speech', model: 'gpt-4o-transcribe', seconds: 51 }]);
    server.script('/audio/transcriptions', () => undefined);
    const before = asked('/audio/transcriptions');
    expect(await transcribe(work)).toBe(true);
    expect(asked('/audio/transcriptions') - before).toBe(2);
    expect((await bills()).map(({ seconds }) => seconds)).toEqual([51, 59.5, 39.5]);
    expect((await read())?.transcript?.[0]?.segments.map(({ start }) => start)).toEqual([0, 51, 110.5]);
    expect((await readdir(dir)).toSorted()).toEqual([AUDIO_KEY, 'made.flac']);
  });

  it('is paid for once if the language of the catalogue becomes known meanwhile', async () => {
    const outage: Reply = { status: 500, headers: { 'retry-after-ms': '1' }, raw: '' };
    await database.pool.query('delete from item_summaries');
    await updateProject(database.pool, projectId, { language: 'ru' });
    server.script('/audio/transcriptions', (_, index) => (index === 0 ? undefined : outage));
    const work = await speechWork(10, { title: 'IMG 2041' });
    await expect(transcribe(work)).rejects.toMatchObject({ nonRetryable: false });
    for (const n of [1, 2, 3]) {
      await analyst.put(
        `english-${n}`,
        textItem({ title: 'How the tram went back', body: 'It went back to the depot.' }),
      );
      await analyst.analyse(`english-${n}`);
    }
    server.script('/audio/transcriptions', () => undefined);
    expect(await transcribe(work)).toBe(true);
    expect((await bills()).map(({ seconds }) => seconds)).toEqual([51, 59.5, 39.5]);
    await updateProject(database.pool, projectId, { language: 'auto' });
  });

  it('still accepts gaps if a saved piece has restarted the schedule of retries', async () => {
    const seen: unknown[] = [];
    const speech: SpeechCapability = {
      ...createOpenAiSpeech({
        baseUrl: '',
        apiKey: '',
        requestTimeoutMs: 1,
        model: 'm',
        ffmpegPath: ffmpeg,
        workDir: dir,
      }),
      run: async (_, { acceptsGaps, drafts }) => {
        seen.push(acceptsGaps);
        await drafts?.save(`piece ${seen.length}`, {});
        throw new ProviderError('retryable', 'provider_unavailable', 'away');
      },
    };
    const work = await speechWork();
    const fail = () =>
      expect(attempt().run(newWorker({ speech }).transcribeMedium, work)).rejects.toMatchObject({
        nonRetryable: false,
      });
    await fail();
    await deferTwice();
    await fail();
    await fail();
    expect(seen).toEqual([false, true, true]);
    await endMediumStep(database.pool, work, 'failed', { code: 'internal', message: '' });
  });

  it('is deferred twice while a piece fails, and is then stored without that piece', async () => {
    const failing: Reply = { status: 500, headers: { 'retry-after-ms': '1' }, raw: '' };
    // The second piece lasts 59.5 s; half a minute of another one is sent again to learn whether the server is down.
    server.script('/audio/transcriptions', async ({ form }) =>
      [51, 39.5, 30].includes(await secondsOf(form)) ? undefined : failing,
    );
    const work = await speechWork();
    await expect(transcribe(work)).rejects.toMatchObject({ nonRetryable: false });
    await expect(transcribe(work)).rejects.toMatchObject({ nonRetryable: false });
    expect(asked('/audio/transcriptions')).toBe(6);
    await deferTwice();
    expect(await transcribe(work)).toBe(true);
    expect((await read())?.transcript?.[0]?.segments.map(({ start }) => start)).toEqual([0, 110.5]);
  });
});
