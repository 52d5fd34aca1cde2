/** A summariser that will not answer about an item ends its step after two tries at most; the item stays usable. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createAiActivities } from '../../../activities/ai/index.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { deferStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { ACTIVITY_OPTIONS } from '../../../domain/jobs/activityOptions.ts';
import type { StepWork } from '../../../domain/jobs/workflowMessages.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { EmptyAnswerError, ProviderError } from '../../../providers/errors.ts';
import { createOpenAiSummary } from '../../../providers/openai/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeProviders, FAKE_MODELS } from '../../support/items/fakeProviders.ts';
import { Analyst, snapshot } from '../../support/items/items.ts';
import { completion } from '../../support/openai/openaiAnswers.ts';
import { startOpenAiServer, type OpenAiServer } from '../../support/openai/openaiServer.ts';
import { createTestProject, textItem } from '../../support/project.ts';

const ALL = { transcript: true, frames: true, searchChunks: true };
const LAST_ATTEMPT = ACTIVITY_OPTIONS.ai.retry.maximumAttempts;
const empty = new EmptyAnswerError();
const away = new ProviderError('retryable', 'provider_unavailable', 'away');
const SILENCE = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 0, total_tokens: 100 } };

let database: TestDatabase;
let projectId: string;
let server: OpenAiServer;
let activities: ReturnType<typeof createAiActivities>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
  server = await startOpenAiServer();
  const options = { baseUrl: server.baseUrl, apiKey: 'test-key', requestTimeoutMs: 60_000, model: 'gpt-test' };
  activities = createAiActivities({
    pool: database.pool,
    blobs: createLocalBlobStore('/nowhere'),
    providers: createFakeProviders({ summary: createOpenAiSummary(options) }),
    models: FAKE_MODELS,
    logger: createLogger('test', 'silent'),
  });
});
afterEach(async () => {
  expect(server.violations).toEqual([]);
  await server.close();
});

/** Answers properly, except about the given words. */
function answerExcept(words: string, reply: unknown): void {
  server.script('/chat/completions', ({ body }) =>
    JSON.stringify(body).includes(words) ? { json: reply } : undefined,
  );
}
const put = (id: string, body: string) => new Analyst(database.pool, projectId).put(id, textItem({ body }));
const read = (id: string) => readItem(database.pool, projectId, id, ALL);

async function workOf(id: string, step: 'summary' | 'embedding'): Promise<StepWork> {
  await planItem(database.pool, { projectId, itemId: id }, {});
  const { steps } = await snapshot(database.pool, projectId, id);
  return { projectId, itemId: id, step, revision: steps[step].revision };
}
const attempt = (number = 1) =>
  new MockActivityEnvironment({ attempt: number }, { logger: new DefaultLogger('ERROR') });
const summarise = async (id: string, number?: number) =>
  attempt(number).run(activities.summariseItem, await workOf(id, 'summary'));

/** Defers the step, and lets its ten minutes pass. */
async function waitForNextTry(id: string, fault: ProviderError): Promise<void> {
  await deferStep(database.pool, await workOf(id, 'summary'), fault);
  await database.pool.query(
    `update items set steps = jsonb_set(steps, '{summary,retryAt}', '"2020-01-01T00:00:00.000Z"') where project_id = $1 and id = $2`,
    [projectId, id],
  );
}

it('a refusal in prose ends the step after two requests, and the item stays searchable and moderated', async () => {
  answerExcept('тайное', completion("I'm sorry, but I can't assist with that request."));
  await put('refused', 'Это тайное дело.');
  expect(await summarise('refused')).toMatchObject({
    summary: { state: 'failed', error: { code: 'provider_refused' } },
  });
  expect(server.requests).toHaveLength(2);
  await attempt().run(activities.embedItem, await workOf('refused', 'embedding'));
  expect(await read('refused')).toMatchObject({
    status: 'partial',
    summary: null,
    moderation: { level: 'none' },
    searchChunks: [{ text: expect.stringContaining('Это тайное дело.') }],
  });
});

it('silence about one item ends its step in the last attempt of the second try', async () => {
  answerExcept('тайное', SILENCE);
  await put('silent', 'Это тайное дело.');
  await put('other', 'Трамвай вернулся.');
  await expect(summarise('silent')).rejects.toThrow('provider_bad_answer');
  await summarise('other');
  await waitForNextTry('silent', empty);
  await expect(summarise('silent', LAST_ATTEMPT - 1)).rejects.toThrow('provider_bad_answer');
  expect(await summarise('silent', LAST_ATTEMPT)).toMatchObject({
    summary: { state: 'failed', error: { code: 'provider_refused' } },
  });
});

it('silence after an outage is tried again', async () => {
  answerExcept('тайное', SILENCE);
  await put('silent', 'Это тайное дело.');
  await put('other', 'Трамвай вернулся.');
  await summarise('other');
  await waitForNextTry('silent', away);
  await expect(summarise('silent', LAST_ATTEMPT)).rejects.toThrow('provider_bad_answer');
});

it('silence about every item is a fault of the server, and is tried again', async () => {
  answerExcept('', SILENCE);
  await put('silent', 'Это тайное дело.');
  await expect(summarise('silent')).rejects.toThrow('provider_bad_answer');
  await waitForNextTry('silent', empty);
  await expect(summarise('silent', LAST_ATTEMPT)).rejects.toThrow('provider_bad_answer');
});
