/** A change in the cabinet applies to the worker from its next request on. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createWebhookActivities } from '../../../../activities/webhook/index.ts';
import type { Lanes } from '../../../../loops/delivery/lanes.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { answerWith, isSignedBy, startReceiver } from '../../../support/servers/receiver.ts';
import {
  addWebhook,
  allSettled,
  makeDueWhenAttempted,
  deliveriesUntil,
  readDeliveries,
  recordEvent,
  startTestLanes,
  type TestWebhook,
} from '../../../support/webhooks/webhooks.ts';
import { cleanUp } from '../../../platform/outgoing/support/servers.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';

let database: TestDatabase;
let apis: TestApi[];
let calls: Client[];
let lanes: Lanes;
let project: string;

beforeAll(async () => {
  database = await createTestDatabase();
  apis = [await startTestApi({ databaseUrl: database.url }), await startTestApi({ databaseUrl: database.url })];
  const token = await createTestToken(database.pool);
  calls = apis.map((api) => clientOf(api.cabinet, token));
});
beforeEach(async () => {
  project = (await createTestProject(database.pool)).id;
  lanes = startTestLanes(database);
});
afterEach(async () => {
  await lanes.close();
  await cleanUp();
  await database.pool.query('delete from webhooks');
});
afterAll(async () => {
  await Promise.all(apis.map((api) => api.close()));
  await database?.drop();
});

const pathOf = ({ projectId, webhookId }: TestWebhook): string => `/projects/${projectId}/webhooks/${webhookId}`;

/** Sends the request to the two APIs alternately. */
function call(turn: number, ...args: Parameters<Client>): ReturnType<Client> {
  const client = calls[turn % calls.length];
  if (!client) throw new Error('no API runs');
  return client(...args);
}

describe('the test button', () => {
  it('sends at most ten tests in ten minutes, even when pressed fifteen times at once through two APIs', async () => {
    const receiver = await startReceiver();
    const [first, second] = [
      await addWebhook(database.pool, project, receiver.url),
      await addWebhook(database.pool, project, receiver.url),
    ];
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, turn) => call(turn, 'POST', `${pathOf(turn % 3 === 0 ? first : second)}/test`)),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => 200),
      ...Array.from({ length: 5 }, () => 429),
    ]);
    for (const { status, body, headers } of answers) {
      if (status === 200) expect(body).toMatchObject({ ok: true, status: 200, code: null });
      else expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(receiver.requests).toHaveLength(10);

    const other = await addWebhook(database.pool, (await createTestProject(database.pool)).id, receiver.url);
    expect((await call(0, 'POST', `${pathOf(other)}/test`)).status).toBe(200);
    await database.pool.query(
      `update webhook_tests set created_at = created_at - interval '10 minutes' where project_id = $1`,
      [project],
    );
    expect((await call(1, 'POST', `${pathOf(first)}/test`)).status).toBe(200);
  });
});

describe('a rotated secret', () => {
  // proves: decisions-webhooks/rotate, decisions-lanes/one-attempt
  it('signs waiting deliveries and retries, and nothing is signed with the old one', async () => {
    const held: (() => void)[] = [];
    const receiver = await startReceiver(
      (response, request, count) =>
        void (count <= 16 ? held.push(() => answerWith(500)(response, request, count)) : response.end()),
    );
    const webhook = await addWebhook(database.pool, project, receiver.url);
    for (let item = 0; item < 20; item += 1) await recordEvent(database.pool, project, `item-${item}`);
    await receiver.received(16);
    const { secret } = (await call(0, 'POST', `${pathOf(webhook)}/rotate`)).body as { secret: string };
    for (const end of held) end();
    // Sixteen have failed with the old secret; the circuit breaker holds the rest.
    await deliveriesUntil(database.pool, webhook, (rows) => rows.filter((row) => row.lane === 'retry').length === 16);
    expect(receiver.requests.slice(0, 16).every((request) => isSignedBy(request, webhook.secret))).toBe(true);

    const { attemptDelivery } = makeDueWhenAttempted(database.pool, createWebhookActivities(lanes.parts));
    const retries = (await readDeliveries(database.pool, webhook)).filter((row) => row.lane === 'retry');
    const reports = [];
    for (const { id } of retries)
      reports.push(await attemptDelivery({ projectId: project, deliveryId: id, attempt: 2 }));
    expect(new Set(reports.map((report) => report.state))).toEqual(new Set(['settled']));
    await deliveriesUntil(database.pool, webhook, allSettled);
    expect(receiver.requests.length).toBe(36);
    expect(receiver.requests.slice(16).every((request) => isSignedBy(request, secret))).toBe(true);
    // Apart from what belongs to one attempt, the requests of both lanes are the same.
    const common = receiver.requests.map(({ url, headers }) => [
      url,
      Object.keys(headers).toSorted(),
      headers['content-type'],
      headers['user-agent'],
      headers['x-core-event'],
    ]);
    expect(common).toEqual(common.map(() => common[0]));
  });
});

describe('changed subscriptions', () => {
  it('take effect with the next event, and do not affect queued ones', async () => {
    const receiver = await startReceiver();
    const webhook = await addWebhook(database.pool, project, receiver.url, ['item.processed']);
    expect(await recordEvent(database.pool, project, 'before', 'item.processed')).toBe(1);
    expect(await recordEvent(database.pool, project, 'before', 'item.failed')).toBe(0);
    expect((await call(0, 'PATCH', pathOf(webhook), { events: ['item.failed'] })).status).toBe(200);
    expect(await recordEvent(database.pool, project, 'after', 'item.processed')).toBe(0);
    expect(await recordEvent(database.pool, project, 'after', 'item.failed')).toBe(1);
    await deliveriesUntil(database.pool, webhook, allSettled);
    expect(receiver.requests.map((request) => request.headers['x-core-event']).toSorted()).toEqual([
      'item.failed',
      'item.processed',
    ]);
  });
});
