import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lanes, LanesDeps } from '../../../loops/delivery/lanes.ts';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { claimDeliveries } from '../../../db/webhooks/deliveries/claims.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import { retryDelayMs } from '../../../domain/webhooks/retrySchedule.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answerWith, isSignedBy, startReceiver, type Answer } from '../../support/servers/receiver.ts';
import {
  addProject,
  addWebhook,
  allSettled,
  deliveriesUntil,
  readDeliveries,
  recordEvent,
  rotateSecret,
  startTestLanes,
  type TestWebhook,
} from '../../support/webhooks/webhooks.ts';
import { cleanUp, closedPort, startClosedAgent } from '../../platform/outgoing/support/servers.ts';

const CLAIM = { batch: 100, perWebhook: 32, urgentPerWebhook: 8, leaseMs: 30_000 };

let database: TestDatabase;
let lanes: Lanes[] = [];

function start(options: Partial<LanesDeps> = {}): Lanes {
  const started = startTestLanes(database, options);
  lanes.push(started);
  return started;
}

async function addReceiver(answer?: Answer) {
  const receiver = await startReceiver(answer);
  const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
  return { receiver, webhook };
}

async function recordEvents({ projectId }: TestWebhook, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) => recordEvent(database.pool, projectId, `item-${index}`)),
  );
}

/** Returns a pool of the database that counts the prepared statements of that name. */
function countedPool(name: string): { pool: pg.Pool; count(): number } {
  let count = 0;
  const query = (statement: unknown, ...rest: unknown[]): unknown => {
    if ((statement as { name?: string }).name?.startsWith(name)) count += 1;
    return Reflect.apply(database.pool.query, database.pool, [statement, ...rest]);
  };
  return { pool: Object.create(database.pool, { query: { value: query } }) as pg.Pool, count: () => count };
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(lanes.map((each) => each.close()));
  lanes = [];
  await cleanUp();
  await database.pool.query('delete from webhooks');
  await database.pool.query('delete from outbox');
});
afterAll(() => database.drop());

describe('first attempts', () => {
  // proves: service/4
  it('are sent once, byte for byte as documented, and recorded in the journal', async () => {
    const { receiver, webhook } = await addReceiver();
    start();
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    const [request] = await receiver.received(1);
    const [row] = await deliveriesUntil(database.pool, webhook, allSettled);
    expect(row).toMatchObject({
      status: 'delivered',
      lane: null,
      attempt: 1,
      response_status: 200,
      error_code: null,
      next_attempt_at: null,
    });
    const timestamp = String(request?.headers['x-core-timestamp']);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-core-event': 'item.processed',
      'x-core-delivery': row?.id,
      'user-agent': 'Attune/1.0 (+https://attune.example)',
      'webhook-id': row?.id,
      'webhook-timestamp': timestamp,
    });
    expect(request && isSignedBy(request, webhook.secret)).toBe(true);
    const sentAt = (JSON.parse(request?.body ?? '{}') as { sent_at: string }).sent_at;
    expect(Math.floor(Date.parse(sentAt) / 1000)).toBe(Number(timestamp));
    const { rows } = await database.pool.query(
      'select attempt, response_status, started_at from delivery_attempts where delivery_id = $1',
      [row?.id],
    );
    expect(rows).toEqual([{ attempt: 1, response_status: 200, started_at: new Date(sentAt) }]);
  });

  // proves: decisions-lanes/no-workflow
  it('leave nothing behind when two workers handle 500 events, and none is sent twice', async () => {
    const { receiver, webhook } = await addReceiver();
    await recordEvents(webhook, 500);
    start();
    start();
    const rows = await deliveriesUntil(database.pool, webhook, allSettled);
    expect(rows.filter((row) => row.status === 'delivered')).toHaveLength(500);
    expect(receiver.requests).toHaveLength(500);
    expect(new Set(receiver.requests.map((request) => request.deliveryId)).size).toBe(500);
    expect((await database.pool.query('select from outbox')).rowCount).toBe(0); // nothing to start in Temporal
  });

  // proves: decisions-guard/sixteen
  it('are never more than 16 at a time to one webhook', async () => {
    const held: (() => void)[] = [];
    const { receiver, webhook } = await addReceiver((response) => void held.push(() => response.end()));
    await recordEvents(webhook, 40);
    start();
    await receiver.received(16);
    receiver.answer = (response) => void response.end();
    for (const end of held) end();
    await deliveriesUntil(database.pool, webhook, allSettled);
    expect(receiver.requests).toHaveLength(40);
    expect(receiver.mostAtOnce).toBe(16);
  });

  it('to one webhook do not wait for another that hangs', async () => {
    const held: (() => void)[] = [];
    // Held until the others are sent.
    const slow = await addReceiver((response) => void held.push(() => response.end()));
    const fast = await addReceiver();
    await recordEvents(slow.webhook, 100);
    start({ deadlineMs: 60_000 });
    await slow.receiver.received(16);
    await recordEvents(fast.webhook, 50);
    await deliveriesUntil(database.pool, fast.webhook, allSettled);
    expect(fast.receiver.requests).toHaveLength(50);
    expect(slow.receiver.requests).toHaveLength(16);
    for (const end of held) end();
  });

  // proves: decisions-lanes/notify
  it('to one webhook cause no further claims while another hangs', async () => {
    const held: (() => void)[] = [];
    const hanging = await addReceiver((response) => void held.push(() => response.end()));
    const healthy = await addReceiver();
    const claims = countedPool('deliveries-claim');
    start({ pool: claims.pool, deadlineMs: 60_000, limits: { pollMs: 600_000 } });
    await recordEvents(hanging.webhook, 60);
    await hanging.receiver.received(16);
    const before = claims.count();
    for (let item = 0; item < 20; item += 1) {
      await recordEvent(database.pool, healthy.webhook.projectId, `item-${item}`);
      await deliveriesUntil(database.pool, healthy.webhook, allSettled);
    }
    // Each event causes one claim, through its notification. The end of its attempt causes none, because it frees no
    // slot of the webhook that hangs.
    expect(claims.count() - before).toBeLessThan(32);
    hanging.receiver.answer = answerWith(200);
    for (const end of held) end();
    await deliveriesUntil(database.pool, hanging.webhook, allSettled);
  });

  // proves: webhook-retries/4, decisions-lanes/crash
  it('of a worker that died are made again when its lease expires, under the same id', async () => {
    const { receiver, webhook } = await addReceiver();
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    const { deliveries } = await claimDeliveries(database.pool, CLAIM);
    expect(deliveries).toHaveLength(1);
    expect((await claimDeliveries(database.pool, CLAIM)).deliveries).toEqual([]);
    await database.pool.query('update deliveries set leased_until = now()'); // as if the lease had expired
    start({ limits: { pollMs: 50 } });
    await receiver.received(1);
    const [row] = await deliveriesUntil(database.pool, webhook, allSettled);
    expect(receiver.requests.map((request) => request.deliveryId)).toEqual([deliveries[0]?.deliveryId]);
    expect(row).toMatchObject({ status: 'delivered', attempt: 1 });
  });

  it('in progress are finished by an orderly stop, and others are released', async () => {
    const ends: (() => void)[] = [];
    const { receiver, webhook } = await addReceiver((response) => void ends.push(() => response.end()));
    await recordEvents(webhook, 30);
    const stopping = start();
    await receiver.received(16);
    const stopped = stopping.close();
    for (const end of ends) end();
    await stopped;
    const rows = await readDeliveries(database.pool, webhook);
    expect(rows.filter((row) => row.status === 'delivered')).toHaveLength(16);
    expect(rows.filter((row) => row.lane === 'first' && row.attempt === 0)).toHaveLength(14);
    const { rows: leased } = await database.pool.query('select 1 from deliveries where leased_until is not null');
    expect(leased).toEqual([]);
  });

  // proves: webhook-retries/secret-rotation
  it('use the current secret, even for deliveries that were queued before', async () => {
    const held: (() => void)[] = [];
    const { receiver, webhook } = await addReceiver((response) => void held.push(() => response.end()));
    await recordEvents(webhook, 32);
    start();
    await receiver.received(16);
    const secret = await rotateSecret(database.pool, webhook);
    receiver.answer = (response) => void response.end();
    for (const end of held) end();
    await receiver.received(32);
    expect(receiver.requests.slice(0, 16).every((request) => isSignedBy(request, webhook.secret))).toBe(true);
    expect(receiver.requests.slice(16).every((request) => isSignedBy(request, secret))).toBe(true);
    await deliveriesUntil(database.pool, webhook, allSettled);
  });

  // proves: webhook-kinds/4
  it.each([
    ['their webhook was disabled', 'update webhooks set enabled = false where project_id = $1', 'вебхук выключен'],
    ['their project was suspended', `update projects set state = 'suspended' where id = $1`, 'проект не активен'],
    [
      'their item was deleted',
      `insert into items (project_id, id, type, published_at, origin, available, deleted, revision, status, steps, created_at, updated_at)
        values ($1, 'item-1', 'text', now(), 'api', true, true, 1, 'ready', '{}', now(), now())`,
      'объект удалён',
    ],
  ])('are dropped when %s', async (_when, change, reason) => {
    const { receiver, webhook } = await addReceiver();
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    await database.pool.query(change, [webhook.projectId]);
    start();
    const rows = await deliveriesUntil(database.pool, webhook, allSettled);
    expect(rows).toMatchObject([{ status: 'dropped', attempt: 0, lane: null, error: reason, error_code: null }]);
    expect(receiver.requests).toEqual([]);
    await database.pool.query('delete from items');
  });

  it('are dropped, logged and counted when the secret was encrypted under another SECRET_KEY', async () => {
    const { receiver, webhook } = await addReceiver();
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    const [registry, log] = [new Registry(), [] as string[]];
    start({
      secretKey: Buffer.alloc(32, 1),
      registry,
      logger: createLogger('test', 'error', { write: (line) => log.push(line) }),
    });
    const rows = await deliveriesUntil(database.pool, webhook, allSettled);
    expect(rows).toMatchObject([
      {
        status: 'dropped',
        attempt: 0,
        lane: null,
        error: 'секрет подписи не читается: выпустите новый',
        leased_until: null,
      },
    ]);
    expect(receiver.requests).toEqual([]);
    expect(await registry.metrics()).toContain('attune_webhook_dropped_total{obstacle="secret"} 1');
    expect(log).toHaveLength(1);
    expect(log.join()).toContain(webhook.webhookId);
  });

  it('are not delayed by resends to an address that hangs', async () => {
    const held: (() => void)[] = [];
    // Held until the other is sent.
    const hanging = await addReceiver((response) => void held.push(() => response.end()));
    await recordEvents(hanging.webhook, 40);
    await database.pool.query(`update deliveries set lane = 'urgent'`);
    start({ limits: { capacity: 16, urgentPerWebhook: 8 }, deadlineMs: 60_000 });
    await hanging.receiver.received(4);
    const { receiver, webhook } = await addReceiver();
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    await deliveriesUntil(database.pool, webhook, allSettled);
    expect(receiver.requests).toHaveLength(1);
    expect(hanging.receiver.requests).toHaveLength(4);
    for (const end of held) end();
  });
});

describe('a failed first attempt', () => {
  async function failAt(url: string, options: Partial<LanesDeps> = {}) {
    const webhook = await addWebhook(database.pool, await addProject(database.pool), url);
    start(options);
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    const [row] = await deliveriesUntil(database.pool, webhook, (rows) => rows.every((each) => each.attempt === 1));
    return { webhook, row };
  }

  // proves: decisions-lanes/workflow
  it('passes to the retry lane with one outbox row, due after the first delay and ahead of everything else', async () => {
    const { receiver, webhook } = await addReceiver(answerWith(500));
    start();
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    const [row] = await deliveriesUntil(database.pool, webhook, (rows) => rows[0]?.attempt === 1);
    expect(row).toMatchObject({ status: 'pending', lane: 'retry', response_status: 500, error_code: 'http_status' });
    const { rows } = await database.pool.query(
      `select o.kind, o.entity_id, o.priority, extract(epoch from d.next_attempt_at - d.updated_at)::int as seconds
         from outbox o join deliveries d on d.id = o.entity_id::uuid where o.project_id = $1`,
      [webhook.projectId],
    );
    expect(rows).toEqual([
      { kind: 'delivery', entity_id: row?.id, priority: PRIORITY.retry, seconds: (retryDelayMs(1) ?? 0) / 1000 },
    ]);
    expect(receiver.requests).toHaveLength(1);
  });

  // proves: decisions-lanes/statuses
  it.each([404, 410, 429, 503])('is handled after a %i as after any other status', async (status) => {
    const receiver = await startReceiver(
      (response) => void response.writeHead(status, { 'retry-after': '3600' }).end(),
    );
    const { webhook, row } = await failAt(receiver.url);
    expect(row).toMatchObject({ lane: 'retry', response_status: status, error_code: 'http_status' });
    const { rows } = await database.pool.query(
      `select w.enabled, w.held_until, d.next_attempt_at - d.updated_at = interval '1 minute' as as_usual
         from webhooks w join deliveries d on d.webhook_id = w.id where w.id = $1`,
      [webhook.webhookId],
    );
    expect(rows).toEqual([{ enabled: true, held_until: null, as_usual: true }]);
  });

  // proves: webhook-retries/redirect
  it('reports a redirect and follows none', async () => {
    const target = await startReceiver();
    const receiver = await startReceiver((response) => void response.writeHead(307, { location: target.url }).end());
    const { row } = await failAt(receiver.url);
    expect(row).toMatchObject({ lane: 'retry', response_status: 307, error_code: 'redirect' });
    expect(target.requests).toEqual([]);
  });

  it('distinguishes a timeout from a refused connection', async () => {
    const receiver = await startReceiver(() => {});
    expect((await failAt(receiver.url, { deadlineMs: 200 })).row).toMatchObject({
      error_code: 'timeout',
      response_status: null,
    });
    expect((await failAt(`https://127.0.0.1:${await closedPort()}/`)).row).toMatchObject({
      error_code: 'connection',
      response_status: null,
    });
  });

  it('shows nothing but forbidden_address for an internal address', async () => {
    const receiver = await startReceiver();
    const { row } = await failAt(receiver.url, { agent: startClosedAgent() });
    expect(row).toMatchObject({ error_code: 'forbidden_address', response_status: null, error: 'адрес запрещён' });
    expect(receiver.requests).toEqual([]);
  });
});
