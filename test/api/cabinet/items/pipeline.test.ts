/** GET /projects/{id}/pipeline, and the items behind a reason. */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { planItem } from '../../../../db/analysis/plan.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { Analyst } from '../../../support/items/items.ts';
import { textItem } from '../../../support/project.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let call: Client;
let project: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  call = clientOf(api.cabinet, await createTestToken(api.pool));
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});
beforeEach(async () => {
  project = await createTestProject(api.pool);
});

const get = () => call('GET', `/projects/${project.id}/pipeline`);

async function addFailed(id: string, code: string): Promise<void> {
  const analyst = new Analyst(api.pool, project.id);
  await analyst.put(id, textItem());
  await planItem(api.pool, { projectId: project.id, itemId: id }, {});
  await analyst.finish(id, 'summary', { outcome: { state: 'failed', error: { code, message: 'нет' } } });
  await analyst.finish(id, 'embedding');
}

it('the pipeline is all zeros for a project without items', async () => {
  const { status, body } = await get();
  expect([status, body]).toMatchObject([
    200,
    {
      counted: true,
      items: { queued: 0, ready: 0 },
      reasons: [],
      oldest: [],
      steps: { speech: { done: 0, failed: 0 } },
    },
  ]);
  expect(body.hours).toHaveLength(48);
});

it('the pipeline counts items, steps and reasons, and names the items that wait longest', async () => {
  await addFailed('a', 'provider_refused');
  await addFailed('b', 'provider_refused');
  await addFailed('c', 'provider_quota');
  await new Analyst(api.pool, project.id).put('waits', textItem({ title: 'Урок' }));
  const { body } = await get();
  expect(body).toMatchObject({
    items: { queued: 1, processing: 0, ready: 0, partial: 3, failed: 0, deferred: 0 },
    steps: { summary: { queued: 1, failed: 3 }, embedding: { queued: 1, done: 3 } },
    reasons: [
      { step: 'summary', state: 'failed', code: 'provider_refused', items: 2 },
      { step: 'summary', state: 'failed', code: 'provider_quota', items: 1 },
    ],
    oldest: [{ id: 'waits', title: 'Урок', status: 'queued', since: expect.any(String) }],
  });
  expect(body.hours.at(-1)).toMatchObject({ queued: 4, partial: 3 });
});

it('the pipeline leads to the items behind a reason', async () => {
  await addFailed('a', 'provider_refused');
  await addFailed('b', 'provider_quota');
  const items = async (query: string) =>
    (await call('GET', `/projects/${project.id}/items?${query}`)).body.items.map(({ id }: { id: string }) => id);
  expect(await items('step=summary&error_code=provider_refused')).toEqual(['a']);
  expect(await items('step=embedding&error_code=provider_refused')).toEqual([]);
});

it('the pipeline says so while older items are not counted yet', async () => {
  await api.pool.query('insert into uncounted_projects values ($1)', [project.id]);
  expect((await get()).body.counted).toBe(false);
});

it('the pipeline of an unknown project is not found', async () => {
  expect((await call('GET', '/projects/zzzzzzzzzzzz/pipeline')).status).toBe(404);
});
