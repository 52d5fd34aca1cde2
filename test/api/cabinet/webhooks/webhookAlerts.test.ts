import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerDatabaseMetrics } from '../../../../api/databaseMetrics.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { createTestUser, tokenOf } from '../../support/people.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let call: Client;

const URL = 'https://hooks.example.com/attune';

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, resolve: () => Promise.resolve(['93.184.216.34']) });
  call = clientOf(api.cabinet, await createTestToken(database.pool));
});
beforeEach(() => database.pool.query('delete from webhooks'));
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

async function addWebhook(project: string): Promise<{ id: string; path: string }> {
  const { id } = (await call('POST', `/projects/${project}/webhooks`, { url: URL, events: ['item.processed'] })).body;
  return { id, path: `/projects/${project}/webhooks/${id}` };
}

/** Sets the time of the first failed attempt to `minutes` minutes ago. */
const failFor = (id: string, minutes: number) =>
  database.pool.query(`update webhooks set failing_since = now() - $2::int * interval '1 minute' where id = $1`, [
    id,
    minutes,
  ]);

const shown = async (project: string) => (await call('GET', `/projects/${project}/webhooks`)).body.items[0];
const ids = (answer: { body: { items: { id: string }[] } }): string[] => answer.body.items.map((item) => item.id);

async function gauges(): Promise<string[]> {
  const registry = new Registry();
  registerDatabaseMetrics(registry, database.pool);
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('attune_webhooks_'));
}

describe('the alert of a webhook', () => {
  // proves: decisions-guard/alerts
  it.each([
    [59, null],
    [61, 'failing_1h'],
    [24 * 60 - 1, 'failing_1h'],
    [24 * 60 + 1, 'failing_24h'],
  ])('after %i minutes of failure is %s', async (minutes, alert) => {
    const project = (await createTestProject(database.pool)).id;
    const { id } = await addWebhook(project);
    expect(await shown(project)).toMatchObject({ failing_since: null, alert: null });
    await failFor(id, minutes);
    const { failing_since: since, ...rest } = await shown(project);
    expect(rest.alert).toBe(alert);
    expect(Date.parse(since)).toBeLessThan(Date.now());
  });

  it('is silent while the webhook is disabled, and starts again when it is enabled or gets another address', async () => {
    const project = (await createTestProject(database.pool)).id;
    const { id, path } = await addWebhook(project);
    await failFor(id, 90);
    expect((await call('PATCH', path, { enabled: true, url: URL })).body.alert).toBe('failing_1h');
    const disabled = (await call('PATCH', path, { enabled: false })).body;
    expect(disabled.alert).toBeNull();
    expect(disabled.failing_since).not.toBeNull();
    expect((await call('PATCH', path, { enabled: true })).body).toMatchObject({ alert: null, failing_since: null });
    await failFor(id, 90);
    expect((await call('PATCH', path, { url: `${URL}/2` })).body).toMatchObject({ alert: null, failing_since: null });
  });
});

it('webhooks with an alert are counted by one query per scrape, which every scrape repeats', async () => {
  const registry = new Registry();
  registerDatabaseMetrics(registry, database.pool);
  const { id } = await addWebhook((await createTestProject(database.pool)).id);
  const query = jest.spyOn(database.pool, 'query');
  const scrape = async () =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('attune_webhooks_'));
  const counts = () =>
    query.mock.calls.filter(([config]) => (config as { name?: string }).name === 'webhooks-troubled').length;
  try {
    expect(await scrape()).toContain('attune_webhooks_failing{for="1h"} 0');
    expect(counts()).toBe(1);
    await failFor(id, 70);
    expect(await scrape()).toEqual([
      'attune_webhooks_failing{for="1h"} 1',
      'attune_webhooks_failing{for="24h"} 0',
      'attune_webhooks_over_backlog 0',
    ]);
    expect(counts()).toBe(2);
  } finally {
    query.mockRestore();
  }
});

describe('GET /webhooks/alerts', () => {
  it('finds the webhooks in trouble among all projects, page by page', async () => {
    const projects: string[] = [];
    const troubled: string[] = [];
    for (let number = 0; number < 8; number += 1) {
      const project = (await createTestProject(database.pool)).id;
      projects.push(project);
      const { id } = await addWebhook(project);
      if (number === 1) await database.pool.query('update webhooks set backlog_since = now() where id = $1', [id]);
      if (number % 3 === 0) await failFor(id, number === 6 ? 1500 : 70);
      if (number % 3 === 0 || number === 1) troubled.push(id);
    }
    const all = await call('GET', '/webhooks/alerts');
    expect(ids(all).toSorted()).toEqual(troubled.toSorted());
    const day = all.body.items.find((item: { alert: string | null }) => item.alert === 'failing_24h');
    expect(day).toMatchObject({
      project_id: projects[6],
      project_title: expect.any(String),
      id: troubled[3],
      url: URL,
      enabled: true,
    });
    expect(day).not.toHaveProperty('secret');

    const pages = [await call('GET', '/webhooks/alerts?limit=3')];
    pages.push(await call('GET', `/webhooks/alerts?limit=3&cursor=${pages[0]?.body.next_cursor}`));
    expect(pages.flatMap(ids)).toEqual(ids(all));
    expect(pages.map((page) => page.body.next_cursor)).toEqual([expect.any(String), null]);
    expect((await call('GET', '/webhooks/alerts?cursor=bm9uc2Vuc2U')).status).toBe(400);
    expect(await gauges()).toEqual([
      'attune_webhooks_failing{for="1h"} 3',
      'attune_webhooks_failing{for="24h"} 1',
      'attune_webhooks_over_backlog 1',
    ]);
  });

  it("shows only a user's own projects, and leaves out archived projects and disabled webhooks", async () => {
    const [own, other, archived] = (await Promise.all(
      [1, 2, 3].map(async () => (await createTestProject(database.pool)).id),
    )) as [string, string, string];
    const [ours, theirs, old] = [await addWebhook(own), await addWebhook(other), await addWebhook(archived)];
    for (const { id } of [ours, theirs, old]) await failFor(id, 100);
    await call('PATCH', `/projects/${archived}`, { state: 'archived' });
    expect(ids(await call('GET', '/webhooks/alerts')).toSorted()).toEqual([ours.id, theirs.id].toSorted());

    const asViewer = clientOf(
      api.cabinet,
      await tokenOf(database.pool, await createTestUser(database.pool, 'viewer', { projects: [own] })),
    );
    expect(ids(await asViewer('GET', '/webhooks/alerts'))).toEqual([ours.id]);

    await call('PATCH', ours.path, { enabled: false });
    expect(ids(await asViewer('GET', '/webhooks/alerts'))).toEqual([]);
    expect(await gauges()).toEqual([
      'attune_webhooks_failing{for="1h"} 1',
      'attune_webhooks_failing{for="24h"} 0',
      'attune_webhooks_over_backlog 0',
    ]);
  });
});
