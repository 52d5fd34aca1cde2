/** The journal of deliveries over HTTP: its rows, its filters, and one delivery with its attempts. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { requestTest } from '../../../../db/webhooks/deliveries/testsAndResends.ts';
import { OBSTACLES } from '../../../../domain/webhooks/deliveryStates.ts';
import { OBSTACLE_PHRASES } from '../../../../domain/webhooks/journalPhrases.ts';
import type { Lanes } from '../../../../loops/delivery/lanes.ts';
import { cleanUp } from '../../../platform/outgoing/support/servers.ts';
import { answerWith, startReceiver } from '../../../support/servers/receiver.ts';
import {
  addWebhook,
  deliveriesUntil,
  recordEvent,
  startTestLanes,
  type TestWebhook,
} from '../../../support/webhooks/webhooks.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestProject, createTestToken, type Client } from '../../support/testApi.ts';

const UNKNOWN_UUID = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';

const stage = stageApi();
let call: Client;
let project: string;
let lanes: Lanes | undefined;

beforeAll(async () => {
  call = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});
beforeEach(async () => {
  project = (await createTestProject(stage.database.pool)).id;
});
afterEach(async () => {
  await lanes?.close();
  lanes = undefined;
  await cleanUp();
  await stage.database.pool.query('delete from webhooks'); // the lanes process the deliveries of all tests
});

const add = (url = 'https://hooks.example.com/'): Promise<TestWebhook> => addWebhook(stage.database.pool, project, url);
const record = (itemId: string, event?: 'item.failed') => recordEvent(stage.database.pool, project, itemId, event);
const pathOf = ({ webhookId }: TestWebhook): string => `/projects/${project}/webhooks/${webhookId}/deliveries`;

interface Row extends Record<string, unknown> {
  delivery_id: string;
  item_id: string;
}

async function list(webhook: TestWebhook, query = ''): Promise<Row[]> {
  return (await call('GET', `${pathOf(webhook)}${query && `?${query}`}`)).body.items;
}

async function read(webhook: TestWebhook, itemId: string): Promise<Row> {
  const [row] = await list(webhook, `item=${itemId}`);
  if (!row) throw new Error(`nothing about ${itemId}`);
  return row;
}

async function timesOf(deliveryId: string): Promise<{ created: Date; updated: Date }> {
  const { rows } = await stage.database.pool.query<{ created: Date; updated: Date }>(
    'select created_at as created, updated_at as updated from deliveries where id = $1',
    [deliveryId],
  );
  const [times] = rows;
  if (!times) throw new Error(`no delivery ${deliveryId}`);
  return times;
}

const attempted = (webhook: TestWebhook, attempts: number) =>
  deliveriesUntil(stage.database.pool, webhook, (rows) => rows.every(({ attempt }) => attempt === attempts));

describe('a row of the journal', () => {
  // proves: webhooks/6, decisions-journal/row, decisions-journal/attempt, decisions-journal/tests
  // proves: decisions-journal/next_attempt_at, decisions-journal/request_body
  it('shows what became of its delivery: delivered, awaiting its next attempt, dropped, and a failed test', async () => {
    const receiver = await startReceiver();
    const webhook = await add(receiver.url);
    lanes = startTestLanes(stage.database);
    await record('good');
    await attempted(webhook, 1);
    receiver.answer = answerWith(503);
    await record('bad', 'item.failed');
    await attempted(webhook, 1);
    await requestTest(stage.database.pool, { ...webhook, requestId: null });
    await attempted(webhook, 1);
    await stage.database.pool.query('update webhooks set enabled = false');
    await record('off');

    const rows = await list(webhook);
    const times = await Promise.all(rows.map(({ delivery_id: id }) => timesOf(id)));
    const [good, bad, tested] = receiver.requests.map(({ body }) => body);
    const refused = { response_status: 503, error_code: 'http_status', error: 'неожиданный код ответа: 503' };
    const none = { error_code: null, error: null, obstacle: null, next_attempt_at: null, response_status: null };
    const retriedAt = new Date((times[2]?.updated.getTime() ?? 0) + 60_000).toISOString();
    const analysed = 'item.processed';
    const unsent = { attempt: 0, request_body: null, error: OBSTACLE_PHRASES.webhook, obstacle: 'webhook' };
    const expected = [
      { event: analysed, item_id: 'off', status: 'dropped', ...unsent },
      { event: 'webhook.test', item_id: 'webhook-test', status: 'failed', attempt: 1, request_body: tested },
      { event: 'item.failed', item_id: 'bad', status: 'pending', attempt: 1, request_body: bad },
      { event: analysed, item_id: 'good', status: 'delivered', attempt: 1, request_body: good, response_status: 200 },
    ];
    const failures = [{}, refused, { ...refused, next_attempt_at: retriedAt }, {}];
    expect(rows).toEqual(
      expected.map((row, index) => ({
        ...none,
        ...row,
        ...failures[index],
        delivery_id: expect.any(String),
        created_at: times[index]?.created.toISOString(),
        updated_at: times[index]?.updated.toISOString(),
      })),
    );
  });

  // proves: decisions-journal/row, decisions-journal/attempt
  it('has no attempt, no body and no next attempt while it waits', async () => {
    const webhook = await add();
    await record('item-0', 'item.failed');
    expect(await list(webhook)).toEqual([
      {
        delivery_id: expect.any(String),
        event: 'item.failed',
        item_id: 'item-0',
        status: 'pending',
        attempt: 0,
        response_status: null,
        error_code: null,
        error: null,
        obstacle: null,
        next_attempt_at: null,
        request_body: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
  });

  it.each(OBSTACLES)('says what prevented a delivery that was not sent: %s', async (obstacle) => {
    const webhook = await add();
    await record('item-0');
    await stage.database.pool.query(
      `update deliveries set status = 'dropped', lane = null, error = $2 where project_id = $1`,
      [project, OBSTACLE_PHRASES[obstacle]],
    );
    expect(await list(webhook)).toMatchObject([{ status: 'dropped', obstacle }]);
  });
});

describe('the journal', () => {
  // proves: webhooks/6, decisions-journal/filters, decisions-cabinet-calls/deliveries
  it('is read page by page, newest first, and with filters', async () => {
    const webhook = await add();
    for (let number = 0; number < 5; number += 1) await record(`item-${number}`);
    await record('item-0', 'item.failed');
    const all = await list(webhook);
    const newestFirst = ['item-0', 'item-4', 'item-3', 'item-2', 'item-1', 'item-0'];
    expect(all.map(({ item_id: id }) => id)).toEqual(newestFirst);
    const seen: Row[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await call('GET', `${pathOf(webhook)}?limit=4${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items);
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(all);
    const count = async (query: string): Promise<number> => (await list(webhook, query)).length;
    expect(await count('event=item.failed')).toBe(1);
    expect(await count('item=item-0')).toBe(2);
    expect(await count('status=pending')).toBe(6);
    expect(await count('status=failed')).toBe(0);
    await stage.database.pool.query(
      `update deliveries set error_code = 'timeout' where project_id = $1 and item_id = 'item-3'`,
      [project],
    );
    expect(await count('error_code=timeout')).toBe(1);
    expect(await count('error_code=tls')).toBe(0);
  });

  // proves: decisions-journal/filters
  // proves: decisions-journal/filters, decisions-cabinet-calls/deliveries
  it.each([
    ['since=2026-11-20T10:00:00Z', 6],
    ['since=2026-11-20T10:00:00.001Z', 5],
    ['since=2100-01-01T00:00:00Z', 0],
    ['until=2026-11-20T10:00:00.001Z', 1],
    ['until=2026-11-20T10:00:00Z', 0],
    ['since=2026-11-20T13:00:00%2B03:00&until=2026-11-20T13:00:00.001%2B03:00', 1],
  ])('is limited by time, from the moment of since to just before that of until: %s', async (query, count) => {
    const webhook = await add();
    for (let number = 0; number < 6; number += 1) await record(`item-${number}`);
    await stage.database.pool.query(
      `update deliveries set created_at = '2026-11-20T10:00:00Z' where project_id = $1 and item_id = 'item-3'`,
      [project],
    );
    expect(await list(webhook, query)).toHaveLength(count);
  });

  it.each([
    'status=lost',
    'event=x',
    'error_code=x',
    'since=yesterday',
    'until=2026-11-20',
    'cursor=x',
    `cursor=${Buffer.from('2026-01-01 00:00:00+00|x').toString('base64url')}`,
    'item=%00',
  ])('refuses %s', async (query) => {
    expect((await call('GET', `${pathOf(await add())}?${query}`)).status).toBe(400);
  });
});

describe('one delivery', () => {
  // proves: webhooks/6, decisions-journal/attempts, decisions-journal/resends, decisions-journal/request_body
  // proves: decisions-journal/attempt, decisions-webhooks/resend
  it('is shown with its attempts, first to last, including the one of a resend', async () => {
    const receiver = await startReceiver(answerWith(500));
    const webhook = await add(receiver.url);
    lanes = startTestLanes(stage.database);
    await record('lesson');
    await attempted(webhook, 1);
    receiver.answer = answerWith(204);
    const { delivery_id: id } = await read(webhook, 'lesson');
    expect(await call('POST', `${pathOf(webhook)}/${id}/resend`)).toMatchObject({
      status: 202,
      body: { delivery_id: id, status: 'pending' },
    });
    await attempted(webhook, 2);
    const row = await read(webhook, 'lesson');
    expect(row).toMatchObject({ delivery_id: id, status: 'delivered', attempt: 2, response_status: 204 });
    const sent = receiver.requests.map(({ body }) => JSON.parse(body) as { sent_at: string; delivery_id: string });
    expect(sent.map(({ delivery_id: of }) => of)).toEqual([id, id]);
    const failure = { response_status: 500, error_code: 'http_status', error: 'неожиданный код ответа: 500' };
    const success = { response_status: 204, error_code: null, error: null };
    expect((await call('GET', `${pathOf(webhook)}/${id}`)).body).toEqual({
      ...row,
      request_body: receiver.requests[1]?.body,
      schedule_start: 0,
      attempts: [failure, success].map((outcome, index) => ({
        attempt: index + 1,
        started_at: sent[index]?.sent_at,
        duration_ms: expect.any(Number),
        ...outcome,
      })),
    });
  });

  it('is not found through another webhook or with an unknown id', async () => {
    const webhook = await add();
    await record('item-0');
    const { delivery_id: id } = await read(webhook, 'item-0');
    const other = await add();
    expect((await call('GET', `${pathOf(other)}/${id}`)).status).toBe(404);
    expect((await call('GET', `${pathOf(webhook)}/${UNKNOWN_UUID}`)).status).toBe(404);
  });
});
