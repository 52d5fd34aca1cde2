/** Hourly statistics of a webhook, and the deliveries of an item's events. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { addUndelivered } from '../../../support/webhooks/recoveries.ts';
import { addWebhook, recordEvent, type TestWebhook } from '../../../support/webhooks/webhooks.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestProject, createTestToken, type Client, type TestProject } from '../../support/testApi.ts';

const stage = stageApi();
let project: TestProject;
let call: Client;
let webhook: TestWebhook;
let other: TestWebhook;

beforeAll(async () => {
  const { pool } = stage.database;
  project = await createTestProject(pool);
  call = clientOf(stage.api.cabinet, await createTestToken(pool));
  webhook = await addWebhook(pool, project.id, 'https://hooks.example.com/one');
  other = await addWebhook(pool, project.id, 'https://hooks.example.com/two', ['item.failed']);
});

describe('GET …/webhooks/{wid}/statistics', () => {
  const read = (query = '', id = webhook.webhookId) =>
    call('GET', `/projects/${project.id}/webhooks/${id}/statistics${query}`);

  it('returns every hour, including empty ones', async () => {
    const { rows } = await stage.database.pool.query<{ hour: Date }>(
      `insert into webhook_hours (project_id, webhook_id, hour, duration, attempts, failed)
       select $1, $2, date_trunc('hour', now(), 'UTC'), * from (values (0, 96, 1), (10, 4, 2)) v returning hour`,
      [project.id, webhook.webhookId],
    );
    const { status, body } = await read('?hours=3');
    expect(status).toBe(200);
    expect(body.hours).toEqual([
      { hour: expect.any(String), attempts: 0, failed: 0, p95_ms: null, backlog: 0 },
      { hour: expect.any(String), attempts: 0, failed: 0, p95_ms: null, backlog: 0 },
      { hour: rows[0]?.hour.toISOString(), attempts: 100, failed: 3, p95_ms: 10, backlog: 0 },
    ]);
    expect(body.backlog).toEqual({ events: 0, since: null });
    expect((await read()).body.hours).toHaveLength(48);
  });

  it('returns what is waiting now', async () => {
    await recordEvent(stage.database.pool, project.id, 'waits', 'item.failed');
    expect((await read('?hours=1', other.webhookId)).body.backlog).toEqual({ events: 1, since: expect.any(String) });
  });

  it('refuses more hours than are kept, and answers 404 for an unknown webhook', async () => {
    for (const query of ['?hours=0', '?hours=721', '?hours=x']) expect((await read(query)).status).toBe(400);
    expect((await read('', '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11')).status).toBe(404);
  });
});

describe('GET /projects/{id}/deliveries', () => {
  const list = (item: string, query = '') =>
    call('GET', `/projects/${project.id}/deliveries?item=${encodeURIComponent(item)}${query}`);

  it('lists what all webhooks were told about an item, newest first, page by page', async () => {
    const { pool } = stage.database;
    await recordEvent(pool, project.id, 'film/1', 'item.failed');
    await recordEvent(pool, project.id, 'film/1', 'item.processed');
    await addUndelivered(pool, webhook, { count: 3, prefix: 'noise' });
    const { body } = await list('film/1');
    expect(body.items.map(({ event }: { event: string }) => event)).toEqual([
      'item.processed',
      'item.failed',
      'item.failed',
    ]);
    expect(new Set(body.items.map((one: Record<string, string>) => one['webhook_id']))).toEqual(
      new Set([webhook.webhookId, other.webhookId]),
    );
    const seen = [];
    for (let cursor = ''; ;) {
      const page = (await list('film/1', `&limit=1${cursor && `&cursor=${cursor}`}`)).body;
      seen.push(...page.items);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(body.items);
  });

  it('is empty for an item that was never reported, and requires an item', async () => {
    expect((await list('never')).body).toEqual({ items: [], next_cursor: null });
    expect((await call('GET', `/projects/${project.id}/deliveries`)).status).toBe(400);
    expect((await call('GET', '/projects/nobody000000/deliveries?item=a')).status).toBe(404);
  });

  it('leaves out the journal of a deleted webhook', async () => {
    const { pool } = stage.database;
    const gone = await addWebhook(pool, project.id, 'https://hooks.example.com/gone');
    await recordEvent(pool, project.id, 'left');
    await call('DELETE', `/projects/${project.id}/webhooks/${gone.webhookId}`);
    const { body } = await list('left');
    expect(body.items.map((one: Record<string, string>) => one['webhook_id'])).toEqual([webhook.webhookId]);
  });
});
