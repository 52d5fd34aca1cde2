/** Moderation does not depend on the summary, nor does the summary depend on it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createAiActivities } from '../../../activities/ai/index.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { endMediumStep, storeFrameDescriptions, storePrepared } from '../../../db/analysis/mediaSteps.ts';
import { deferStep, startStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { patchItem } from '../../../db/items/writeItems.ts';
import { DEFERRAL_DELAYS_MS } from '../../../domain/analysis/deferral.ts';
import type { MediaStep } from '../../../domain/analysis/steps.ts';
import type { StepResult, StepWork } from '../../../domain/jobs/workflowMessages.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createModeration } from '../../../providers/builtin/moderation.ts';
import { ProviderError } from '../../../providers/errors.ts';
import type { Providers } from '../../../providers/types.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeProviders, FAKE_MODELS, fakeResult, type FakeProviders } from '../../support/items/fakeProviders.ts';
import {
  addSilentWebhook,
  Analyst,
  mediaItem,
  medium,
  prepared,
  PROVENANCE,
  snapshot,
} from '../../support/items/items.ts';
import { createTestProject, textItem } from '../../support/project.ts';

const ALL = { transcript: true, frames: true, searchChunks: true };
const HIGH = { level: 'high' as const, categories: { violence: { level: 'high' } }, evidence: null };
const refused = new ProviderError('refused', 'provider_refused', 'no');
const away = new ProviderError('retryable', 'provider_unavailable', 'away');
const quota = new ProviderError('quota', 'provider_quota_exceeded', 'out of quota');

let database: TestDatabase;
let files: string;
let projectId: string;
let analyst: Analyst;
let providers: FakeProviders;
let judged: string[] = [];
/** The pictures that the moderator received at each call. */
let shown: string[][] = [];
let count = 0;
let id = '';

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'attune-moderation-'));
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  await addSilentWebhook(database.pool, projectId);
  analyst = new Analyst(database.pool, projectId);
});
afterAll(() => Promise.all([database.drop(), rm(files, { recursive: true, force: true })]));
beforeEach(() => {
  count += 1;
  id = `item-${count}`;
  judged = [];
  shown = [];
  providers = createFakeProviders();
  moderator((text) => {
    judged.push(text);
    return HIGH;
  });
});
afterEach(async () => {
  const { rows } = await database.pool.query('select from analysis_drafts where item_id = $1', [id]);
  expect(rows).toEqual([]);
});

function moderator(judge: (text: string) => typeof HIGH): void {
  providers.moderation = {
    model: 'fake-1',
    async run({ text, frames }) {
      shown.push(frames.map(({ path }) => basename(path)));
      return fakeResult(judge(text));
    },
  };
}

const failing = (fault: ProviderError): NonNullable<Providers['summary']> => ({
  model: 'fake-1',
  run: () => Promise.reject(fault),
});
const ref = () => ({ projectId, itemId: id });
const read = () => readItem(database.pool, projectId, id, ALL);

/** Makes the plan and runs the step once in its current state. */
async function run(step: 'summary' | 'embedding'): Promise<StepResult> {
  await planItem(database.pool, ref(), {});
  const { steps } = await snapshot(database.pool, projectId, id);
  const work: StepWork = { ...ref(), step, revision: steps[step].revision };
  const activities = createAiActivities({
    pool: database.pool,
    blobs: createLocalBlobStore(files),
    providers,
    models: FAKE_MODELS,
    logger: createLogger('test', 'silent'),
  });
  const attempt = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  return attempt.run(step === 'summary' ? activities.summariseItem : activities.embedItem, work);
}

/** Uses up the deferral schedule except for the last attempt. */
async function toLastTry(): Promise<void> {
  for (const _ of DEFERRAL_DELAYS_MS) {
    const { steps } = await snapshot(database.pool, projectId, id);
    await deferStep(database.pool, { ...ref(), step: 'summary', revision: steps.summary.revision }, refused);
    await database.pool.query(
      `update items set steps = jsonb_set(steps, '{summary,retryAt}', '"2020-01-01T00:00:00.000Z"') where id = $1`,
      [id],
    );
  }
}

async function lastDelivery(): Promise<unknown> {
  const { rows } = await database.pool.query<{ item: unknown }>(
    'select item from deliveries where item_id = $1 order by id desc limit 1',
    [id],
  );
  return rows[0]?.item;
}

describe('new content that the summariser refuses', () => {
  // proves: decisions-results/failed-reanalysis, decisions-results/moderation
  it('gets its own moderation and its own vectors, and loses the summary of the old content', async () => {
    await analyst.put(id, textItem({ body: 'Текст А.' }));
    moderator(() => ({ ...HIGH, level: 'none' }) as unknown as typeof HIGH);
    await run('summary');
    await run('embedding');
    expect(await read()).toMatchObject({ status: 'ready', moderation: { level: 'none' } });
    await patchItem(database.pool, { ...ref(), patch: { body: 'Текст Б.' }, requestId: null });
    providers.summary = failing(refused);
    moderator(() => HIGH);
    expect(await run('summary')).toMatchObject({ summary: { state: 'failed', error: { code: 'provider_refused' } } });
    await run('embedding');
    const item = await read();
    expect(item).toMatchObject({ status: 'partial', summary: null, moderation: HIGH });
    expect(item?.searchChunks?.map(({ text }) => text).join(' ')).not.toMatch(/Текст А|о чём/);
    expect(await lastDelivery()).toMatchObject({ status: 'partial', moderation: HIGH });
    expect(await lastDelivery()).not.toHaveProperty('summary');
  });

  // proves: decisions-results/failed-reanalysis
  it('does not keep the vectors of the old content when embedding fails too', async () => {
    await analyst.put(id, textItem({ body: 'Текст А.' }));
    await run('summary');
    await run('embedding');
    await patchItem(database.pool, { ...ref(), patch: { body: 'Текст Б.' }, requestId: null });
    providers.summary = failing(refused);
    Object.assign(providers.embedding ?? {}, { run: () => Promise.reject(refused) });
    await run('summary');
    await run('embedding');
    expect(await read()).toMatchObject({ status: 'failed', summary: null, moderation: HIGH, searchChunks: null });
  });
});

describe('an item', () => {
  it('whose summariser is unavailable is moderated once, however often the summary is retried', async () => {
    await analyst.put(id, textItem());
    providers.summary = failing(away);
    await expect(run('summary')).rejects.toMatchObject({ nonRetryable: false });
    expect(await read()).toMatchObject({ summary: null, moderation: HIGH });
    await expect(run('summary')).rejects.toMatchObject({ nonRetryable: false });
    providers.summary = createFakeProviders().summary;
    await run('summary');
    expect(await read()).toMatchObject({ summary: { moderation: HIGH }, moderation: HIGH });
    expect(judged).toHaveLength(1);
  });

  it('whose summariser is unavailable through the whole schedule keeps its moderation', async () => {
    await analyst.put(id, textItem());
    providers.summary = failing(away);
    await expect(run('summary')).rejects.toThrow('provider_unavailable');
    await toLastTry();
    const { steps } = await snapshot(database.pool, projectId, id);
    await deferStep(database.pool, { ...ref(), step: 'summary', revision: steps.summary.revision }, refused);
    expect(await read()).toMatchObject({ processing: { summary: 'failed' }, summary: null, moderation: HIGH });
  });

  it('whose summariser is switched off is still moderated', async () => {
    await analyst.put(id, textItem());
    providers.summary = undefined;
    expect(await run('summary')).toMatchObject({ summary: { state: 'skipped' } });
    expect(await read()).toMatchObject({ summary: null, moderation: HIGH });
  });

  it('that its summariser refuses is retried for its moderation if the moderator was unavailable', async () => {
    await analyst.put(id, textItem());
    providers.summary = failing(refused);
    moderator(() => {
      throw away;
    });
    await expect(run('summary')).rejects.toMatchObject({ nonRetryable: false });
    moderator(() => HIGH);
    expect(await run('summary')).toMatchObject({ summary: { state: 'failed' } });
    expect(await read()).toMatchObject({ moderation: HIGH });
  });
});

describe('pictures without a description', () => {
  const FRAMES = [0, 1, 2].map((ts) => ({ ts, blobKey: `media/a/${ts}.jpg`, duplicateOfTs: null, flat: false }));

  /** Prepares three pictures; vision describes those at the given times, and then ends as given. */
  async function look(title: string | null, described: number[], end: 'done' | 'failed' | 'skipped'): Promise<void> {
    await analyst.put(id, mediaItem('video', [medium('video', 'a')], { title }));
    const [mediumId = ''] = (await planItem(database.pool, ref(), {}))?.todo.prepare ?? [];
    const workOf = async (step: MediaStep) => {
      await planItem(database.pool, ref(), {});
      const { steps } = await snapshot(database.pool, projectId, id);
      const work = { ...ref(), step, mediumId, revision: steps[step].revision };
      await startStep(database.pool, work);
      return work;
    };
    await storePrepared(database.pool, await workOf('prepare'), { ...prepared('a'), audioKey: null, frames: FRAMES });
    const work = await workOf('vision');
    const rows = described.map((ts) => ({
      id: `${ts}`,
      ts,
      description: 'вид',
      ocrText: null,
      tags: null,
      safety: null,
    }));
    await storeFrameDescriptions(database.pool, work, rows, PROVENANCE);
    await endMediumStep(database.pool, work, end, end === 'done' ? null : refused);
  }

  it.each([
    ['refused, without a title', null, [], 'failed', 'skipped'],
    ['refused, with a harmless title', 'Отпуск', [], 'failed', 'done'],
    ['refused in part', 'Отпуск', [0, 2], 'done', 'done'],
    ['not asked for', 'Отпуск', [], 'skipped', 'done'],
  ] as const)('are shown to the moderator: %s', async (_, title, described, end, state) => {
    await look(title, [...described], end);
    expect(await run('summary')).toMatchObject({ summary: { state } });
    expect(shown).toEqual([['0.jpg', '1.jpg', '2.jpg']]);
    expect(await read()).toMatchObject({ moderation: HIGH });
  });

  it('do not make an item clean when the built-in moderator, which cannot see them, is used', async () => {
    await look('Отпуск', [], 'failed');
    providers.moderation = createModeration({
      run: async () => ({ level: 'none', categories: {}, evidence: null }),
    } as never);
    await run('summary');
    expect(await read()).toMatchObject({ moderation: { level: null } });
  });

  it('are left out when they repeat another or have one colour', async () => {
    await analyst.put(id, mediaItem('video', [medium('video', 'a')]));
    await analyst.analyse(id);
    await database.pool.query(`update item_frames set flat = true where item_id = $1`, [id]);
    await patchItem(database.pool, { ...ref(), patch: { title: 'Другой' }, requestId: null });
    await run('summary');
    expect(shown).toEqual([[]]);
  });
});

describe('a moderator', () => {
  it.each([
    ['that has no such endpoint', 'permanent', 'provider_endpoint_not_found'],
    ['that has no such model', 'permanent', 'provider_model_not_found'],
    ['that refuses the key', 'permanent', 'provider_unauthorized'],
    ['that the key may not use', 'permanent', 'provider_forbidden'],
    ['that does not support moderation', 'permanent', 'provider_unsupported'],
    ['that refuses the content', 'refused', 'provider_refused'],
  ] as const)('%s does not cost the item its summary', async (_, kind, code) => {
    await analyst.put(id, textItem());
    moderator(() => {
      throw new ProviderError(kind, code, 'no');
    });
    expect(await run('summary')).toMatchObject({ summary: { state: 'done', error: null } });
    expect(await read()).toMatchObject({ summary: { moderation: null }, moderation: null });
  });

  it.each([
    ['away', away],
    ['out of quota', quota],
  ])(
    'that is %s is asked again through the whole schedule, and does not cost the item its summary',
    async (_, error) => {
      await analyst.put(id, textItem());
      moderator(() => {
        throw error;
      });
      await expect(run('summary')).rejects.toThrow(error.code);
      expect(await read()).toMatchObject({ summary: null });
      await toLastTry();
      expect(await run('summary')).toMatchObject({ summary: { state: 'done' } });
      expect(await read()).toMatchObject({ summary: { moderation: null }, moderation: null });
    },
  );

  it('is asked again about new content', async () => {
    await analyst.put(id, textItem({ body: 'Текст А.' }));
    await run('summary');
    await patchItem(database.pool, { ...ref(), patch: { body: 'Текст Б.' }, requestId: null });
    await run('summary');
    expect(judged).toEqual([expect.stringContaining('Текст А.'), expect.stringContaining('Текст Б.')]);
  });
});

describe('the titles of chapters that the author put into a file', () => {
  const authored = [
    { start: 0, title: 'Замес' },
    { start: 4, title: 'Выпечка' },
  ];
  const chapters = [
    { media_position: 0, start: 0, end: 4, title: 'Замес' },
    { media_position: 0, start: 4, end: 10, title: 'Выпечка' },
  ];

  beforeEach(async () => {
    await analyst.put(id, mediaItem('audio', [medium('audio', 'a')]));
    await analyst.analyseMedia(id);
    const { rows } = await database.pool.query<{ key: string }>(
      'select audio_key as key from item_media where item_id = $1',
      [id],
    );
    const folder = join(files, dirname(rows[0]?.key ?? ''));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'chapters.json'), JSON.stringify(authored));
  });

  it('are shown and judged', async () => {
    await run('summary');
    expect((await read())?.summary?.chapters).toEqual(chapters);
    expect(judged).toEqual([expect.stringMatching(/\n\nЗамес\n\nВыпечка$/)]);
  });

  it('are judged once and shown, even if the first attempt of the summary failed', async () => {
    const { summary } = providers;
    providers.summary = failing(away);
    await expect(run('summary')).rejects.toThrow('provider_unavailable');
    providers.summary = summary;
    await run('summary');
    expect((await read())?.summary?.chapters).toEqual(chapters);
    expect(judged).toEqual([expect.stringMatching(/\n\nЗамес\n\nВыпечка$/)]);
  });
});
