/** Texts in HTML are moderated as they were sent and as their readers see them. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createAiActivities } from '../../../activities/ai/index.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { readUsage } from '../../../db/analysis/usage.ts';
import { deferStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { DEFERRAL_DELAYS_MS } from '../../../domain/analysis/deferral.ts';
import { monthOf } from '../../../domain/analysis/volume.ts';
import type { StepResult, StepWork } from '../../../domain/jobs/workflowMessages.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createModeration } from '../../../providers/builtin/moderation.ts';
import { createTextRunner } from '../../../providers/builtin/textRunner.ts';
import { ProviderError } from '../../../providers/errors.ts';
import { createOpenAiModeration } from '../../../providers/openai/index.ts';
import type { Providers } from '../../../providers/types.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeProviders, FAKE_MODELS } from '../../support/items/fakeProviders.ts';
import { Analyst, snapshot } from '../../support/items/items.ts';
import { moderationResult } from '../../support/openai/openaiAnswers.ts';
import { startOpenAiServer, type OpenAiServer, type Reply } from '../../support/openai/openaiServer.ts';
import { createTestProject, textItem } from '../../support/project.ts';

const ALL = { transcript: true, frames: true, searchChunks: true };
const HIDDEN = ['<p>&#1087;&#1086;рно</p>', '<p>по<b></b>рно</p>', 'по&shy;рно'];
const runner = createTextRunner();

let database: TestDatabase;
let projectId: string;
let server: OpenAiServer;
let count = 0;
let id = '';

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await runner.close();
  await database.drop();
});
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
  server = await startOpenAiServer();
  count += 1;
  id = `item-${count}`;
});
afterEach(async () => {
  expect(server.violations).toEqual([]);
  await server.close();
});

const ref = () => ({ projectId, itemId: id });
const put = (body: string, title: string | null = null) =>
  new Analyst(database.pool, projectId).put(id, textItem({ title, description: null, body }));
const moderationOf = async () => (await readItem(database.pool, projectId, id, ALL))?.moderation;

async function workOf(): Promise<StepWork> {
  await planItem(database.pool, ref(), {});
  const { steps } = await snapshot(database.pool, projectId, id);
  return { ...ref(), step: 'summary', revision: steps.summary.revision };
}

async function run(moderation: Providers['moderation']): Promise<StepResult> {
  const activities = createAiActivities({
    pool: database.pool,
    blobs: createLocalBlobStore('/nowhere'),
    providers: createFakeProviders({ moderation }),
    models: FAKE_MODELS,
    logger: createLogger('test', 'silent'),
  });
  const attempt = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  return attempt.run(activities.summariseItem, await workOf());
}

const openai = () =>
  createOpenAiModeration({
    baseUrl: server.baseUrl,
    apiKey: 'test-key',
    model: 'omni-moderation-latest',
    requestTimeoutMs: 60_000,
  });

/** Answers each text that the server receives with a reply or with scores. */
function answer(reply: (text: string) => Reply | Record<string, number>): void {
  server.script('/moderations', ({ body }) => {
    const texts = (body as { input: string[] }).input;
    const answers = texts.map(reply);
    const failed = answers.find((one): one is Reply => 'status' in one);
    return (
      failed ?? { json: { results: answers.map((one) => moderationResult(one as Record<string, number>, false)) } }
    );
  });
}
const sentTexts = () => server.requests.flatMap(({ body }) => (body as { input: string[] }).input);

/** Uses up the deferral schedule except for the last attempt. */
async function toLastTry(): Promise<void> {
  const away = new ProviderError('retryable', 'provider_unavailable', 'away');
  for (const _ of DEFERRAL_DELAYS_MS) {
    await deferStep(database.pool, await workOf(), away);
    await database.pool.query(
      `update items set steps = jsonb_set(steps, '{summary,retryAt}', '"2020-01-01T00:00:00.000Z"') where id = $1`,
      [id],
    );
  }
}

async function recordedCalls(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `select capability, provider from analysis_usage where item_id = $1 and capability = 'moderation'`,
    [id],
  );
  return rows;
}

describe('a text in HTML', () => {
  it.each(HIDDEN)('is judged by the words that its readers see: %s', async (body) => {
    await put(body);
    await run(createModeration(runner));
    expect(await moderationOf()).toMatchObject({
      level: 'high',
      categories: { sexual: 'high', violence: 'none' },
      evidence: [{ category: 'sexual', level: 'high', term: 'п****', where: null }],
    });
  });

  it('is still judged by what was sent, with its places', async () => {
    await put('<p>Привет</p><a href="x"><!-- порно --></a>');
    await run(createModeration(runner));
    expect(await moderationOf()).toMatchObject({
      level: 'high',
      evidence: [{ category: 'sexual', where: { offset: 30, length: 5 } }],
    });
  });

  it('that is harmless in both readings is harmless', async () => {
    await put('<p>Тихий вечер у&nbsp;реки.</p>', 'Вечер');
    await run(createModeration(runner));
    expect(await moderationOf()).toMatchObject({ level: 'none', categories: { sexual: 'none' }, evidence: [] });
  });

  it('costs a second call for the texts that differ, which is recorded and uses no volume', async () => {
    answer((text) => (text === 'порно' ? { sexual: 0.95 } : {}));
    await put('<p>по<b></b>рно</p>', 'Вечер');
    await run(openai());
    expect(sentTexts()).toEqual(['Вечер\n\n<p>по<b></b>рно</p>', 'порно']);
    expect(await recordedCalls()).toHaveLength(2);
    expect(await readUsage(database.pool, projectId, monthOf(new Date()))).toMatchObject({ used: 1 });
    expect(await moderationOf()).toMatchObject({
      level: 'high',
      categories: { sexual: { level: 'high', score: 0.95 }, violence: { level: 'none' } },
      evidence: [{ category: 'sexual', level: 'high', kind: 'text', where: null }],
    });
  });

  it.each(['Тихий вечер.', 'Если a < b, то b > a.', 'List<string>', ''])(
    'costs one call if it contains no HTML after all: %s',
    async (body) => {
      await put(body, 'Вечер');
      await run(openai());
      expect(server.requests).toHaveLength(1);
      expect(await recordedCalls()).toHaveLength(1);
      expect(await moderationOf()).toMatchObject({ level: 'none' });
    },
  );

  it('costs one call if its readers see no words', async () => {
    await put('<p>&nbsp;</p><br>');
    await run(openai());
    expect(server.requests).toHaveLength(1);
  });
});

describe('when the moderator does not judge the plain text', () => {
  const asSent = (text: string) => text.includes('<');

  it('because it refuses, no category is harmless, and findings in the text as sent are kept', async () => {
    answer((text) => (asSent(text) ? { violence: 0.95 } : { status: 403, json: { error: { message: 'no' } } }));
    await put('<p>Вечер</p>');
    expect(await run(openai())).toMatchObject({ summary: { state: 'done' } });
    expect(await moderationOf()).toMatchObject({
      level: 'high',
      categories: { violence: { level: 'high', score: 0.95 }, sexual: null },
      evidence: [{ category: 'violence', level: 'high', where: { offset: 0, length: 12 } }],
    });
  });

  it('because it refuses, it is unknown whether the item is harmless', async () => {
    answer((text) => (asSent(text) ? {} : { status: 403, json: { error: { message: 'no' } } }));
    await put('<p>Вечер</p>');
    await run(openai());
    expect(await moderationOf()).toMatchObject({ level: null, categories: { sexual: null, violence: null } });
  });

  it('because it is unavailable, it is asked about both again, and in the last attempt only the text as sent counts', async () => {
    answer((text) => (asSent(text) ? { violence: 0.95 } : { status: 503 }));
    await put('<p>Вечер</p>');
    await expect(run(openai())).rejects.toThrow('provider_unavailable');
    expect(await moderationOf()).toBeNull();
    await toLastTry();
    expect(await run(openai())).toMatchObject({ summary: { state: 'done' } });
    expect(sentTexts().slice(-2)).toEqual(['<p>Вечер</p>', 'Вечер']);
    expect(await moderationOf()).toMatchObject({ level: 'high', categories: { sexual: null } });
  });

  it('because it is briefly unavailable, it judges both in the next attempt', async () => {
    let isUnavailable = true;
    answer((text) => (asSent(text) || !isUnavailable ? {} : { status: 503 }));
    await put('<p>Вечер</p>');
    await expect(run(openai())).rejects.toThrow('provider_unavailable');
    isUnavailable = false;
    await run(openai());
    expect(await moderationOf()).toMatchObject({ level: 'none' });
  });
});
