/** Recoveries of webhooks over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { addUndelivered, recoverAll } from '../../../support/webhooks/recoveries.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';

const UNKNOWN_UUID = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';
const LONG_AGO = { since: '2020-01-01T00:00:00Z' };
const DAY_MS = 86_400_000;

let database: TestDatabase;
let api: TestApi;
let call: Client;
let project: string;
let webhookId: string;
let base: string;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, resolve: () => Promise.resolve(['93.184.216.34']) });
  call = clientOf(api.cabinet, await createTestToken(database.pool));
});
beforeEach(async () => {
  project = (await createTestProject(database.pool)).id;
  webhookId = (
    await call('POST', `/projects/${project}/webhooks`, {
      url: 'https://hooks.example.com/',
      events: ['item.processed'],
    })
  ).body.id;
  base = `/projects/${project}/webhooks/${webhookId}`;
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const at = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString();
const webhook = () => ({ projectId: project, webhookId, secret: '' });

async function refusal(body: unknown): Promise<[number, unknown]> {
  const answer = await call('POST', `${base}/recover`, body);
  return [answer.status, answer.body.error?.details];
}

describe('POST …/recover', () => {
  // proves: decisions-webhooks/recover
  // proves: decisions-cabinet-calls/recover
  it('accepts a recovery, and shows its progress later', async () => {
    await addUndelivered(database.pool, webhook(), { count: 3 });
    const [since, until] = [at(3), at(0.01)];
    const { status, body } = await call('POST', `${base}/recover`, { since, until, statuses: ['failed', 'failed'] });
    expect([status, body]).toMatchObject([
      202,
      { state: 'running', since, until, statuses: ['failed'], total: null, done: 0, skipped: 0, finished_at: null },
    ]);
    await recoverAll(database.pool, webhook(), body.id);
    expect((await call('GET', `${base}/recoveries/${body.id}`)).body).toMatchObject({
      id: body.id,
      state: 'done',
      total: 3,
      done: 3,
      skipped: 0,
      finished_at: expect.any(String),
    });
  });

  it('reaches back to the beginning of the journal at most, and includes both statuses', async () => {
    const { body } = await call('POST', `${base}/recover`, { ...LONG_AGO, until: '2999-01-01T00:00:00Z' });
    expect(body).toMatchObject({ until: body.created_at, statuses: ['failed', 'dropped'] });
    expect(Date.parse(body.until) - Date.parse(body.since)).toBe(30 * DAY_MS);
  });

  it.each([
    [{ since: '2999-01-01T00:00:00Z' }, 'since', 'invalid_value'],
    [{ ...LONG_AGO, until: LONG_AGO.since }, 'until', 'invalid_value'],
    [{}, 'since', 'required'],
    [{ since: 'yesterday' }, 'since', 'invalid_datetime'],
    [{ ...LONG_AGO, statuses: [] }, 'statuses', 'invalid_value'],
    [{ ...LONG_AGO, statuses: ['delivered'] }, 'statuses[0]', 'invalid_value'],
    [{ ...LONG_AGO, all: true }, 'all', 'unknown_field'],
  ])('refuses %j', async (wrong, field, code) => {
    expect(await refusal(wrong)).toMatchObject([422, [{ field, code }]]);
  });

  it.each([
    ['behind', -1],
    ['ahead', 1],
  ])('judges the time by the clock of the database, even if that of the API is an hour %s', async (_where, hours) => {
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + hours * 3_600_000);
    try {
      expect(await refusal({ since: new Date(now + 1_800_000).toISOString() })).toMatchObject([
        422,
        [{ field: 'since', code: 'invalid_value' }],
      ]);
      expect((await refusal({ since: new Date(now - 1_800_000).toISOString() }))[0]).toBe(202);
    } finally {
      clock.mockRestore();
    }
  });

  it('refuses one while another of the webhook is running, and accepts one afterwards', async () => {
    const asked = await Promise.all([
      call('POST', `${base}/recover`, LONG_AGO),
      call('POST', `${base}/recover`, LONG_AGO),
    ]);
    expect(asked.map(({ status }) => status).sort()).toEqual([202, 422]);
    expect(await refusal(LONG_AGO)).toMatchObject([422, [{ field: '', code: 'invalid_value' }]]);
    await recoverAll(database.pool, webhook(), asked.find(({ status }) => status === 202)?.body.id);
    expect((await call('POST', `${base}/recover`, LONG_AGO)).status).toBe(202);
  });

  it('refuses one for a disabled webhook', async () => {
    await call('PATCH', base, { enabled: false });
    expect(await refusal(LONG_AGO)).toMatchObject([422, [{ field: '', code: 'invalid_value' }]]);
  });

  it('answers 404 for an unknown webhook, and for a webhook of another project', async () => {
    expect((await call('POST', `/projects/${project}/webhooks/${UNKNOWN_UUID}/recover`, LONG_AGO)).status).toBe(404);
    const other = await createTestProject(database.pool);
    expect((await call('POST', `/projects/${other.id}/webhooks/${webhookId}/recover`, LONG_AGO)).status).toBe(404);
  });
});

describe('GET …/recoveries', () => {
  it('lists those of the webhook, newest first, page by page', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { id } = (await call('POST', `${base}/recover`, LONG_AGO)).body;
      await recoverAll(database.pool, webhook(), id);
      ids.unshift(id);
    }
    const first = (await call('GET', `${base}/recoveries?limit=2`)).body;
    const rest = (await call('GET', `${base}/recoveries?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.items, ...rest.items].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(rest.next_cursor).toBeNull();
  });

  it('shows no recovery of another webhook, and answers 404 for an unknown webhook or recovery', async () => {
    const { id } = (await call('POST', `${base}/recover`, LONG_AGO)).body;
    const other = (
      await call('POST', `/projects/${project}/webhooks`, {
        url: 'https://hooks.example.com/2',
        events: ['item.failed'],
      })
    ).body.id;
    expect((await call('GET', `/projects/${project}/webhooks/${other}/recoveries`)).body.items).toEqual([]);
    expect((await call('GET', `/projects/${project}/webhooks/${other}/recoveries/${id}`)).status).toBe(404);
    expect((await call('GET', `/projects/${project}/webhooks/${UNKNOWN_UUID}/recoveries`)).status).toBe(404);
    expect((await call('GET', `${base}/recoveries/${UNKNOWN_UUID}`)).status).toBe(404);
  });
});
