/** The bytes of a request on the wire, compared with a request composed by hand from the specification. */
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lanes } from '../../../loops/delivery/lanes.ts';
import { recordItemEvent } from '../../../db/webhooks/deliveries/recordItemEvent.ts';
import { requestTest } from '../../../db/webhooks/deliveries/testsAndResends.ts';
import type { WebhookItem } from '../../../domain/webhooks/webhookRequest.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  addProject,
  addWebhook,
  allSettled,
  deliveriesUntil,
  rotateSecret,
  startTestLanes,
  type DeliveryRow,
  type TestWebhook,
} from '../../support/webhooks/webhooks.ts';
import { cleanUp, startRawTls } from '../../platform/outgoing/support/servers.ts';

const DONE = { prepare: 'done', speech: 'done', vision: 'done', summary: 'done', embedding: 'done' } as const;
const PROCESSING =
  '"processing":{"prepare":"done","speech":"done","vision":"done","summary":"done","embedding":"done"}';

let database: TestDatabase;
let lanes: Lanes | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await lanes?.close();
  lanes = undefined;
  await cleanUp();
  await database.pool.query('delete from webhooks');
});
afterAll(() => database.drop());

interface WireRequest {
  line: string;
  /** Names in lower case, sorted, including duplicates. */
  headers: [name: string, value: string][];
  body: Buffer;
}

interface WireReceiver {
  port: number;
  requests: WireRequest[];
}

/** Receives bytes instead of HTTP, so that nothing between the wire and the test repairs or reorders anything. */
async function startWireReceiver(status = 204): Promise<WireReceiver> {
  const requests: WireRequest[] = [];
  const server = await startRawTls((socket) => {
    let bytes = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      const request = readRequest(bytes);
      if (request === null) return;
      requests.push(request);
      bytes = Buffer.alloc(0);
      socket.end(`HTTP/1.1 ${status} Answer\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    });
  });
  return { port: server.port, requests };
}

/** Returns null until the request is complete. Bytes beyond its `content-length` stay in the body, so a test sees them. */
function readRequest(bytes: Buffer): WireRequest | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = fields.map((field): [string, string] => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  });
  const body = bytes.subarray(end + 4);
  const length = Number(headers.find(([name]) => name === 'content-length')?.[1]);
  return body.length < length ? null : { line, headers: headers.sort(([a], [b]) => (a < b ? -1 : 1)), body };
}

interface Sent {
  webhook: TestWebhook;
  receiver: WireReceiver;
  rows: DeliveryRow[];
}

async function send(record: (webhook: TestWebhook) => Promise<unknown>, status = 204): Promise<Sent> {
  const receiver = await startWireReceiver(status);
  const webhook = await addWebhook(
    database.pool,
    await addProject(database.pool),
    `https://127.0.0.1:${receiver.port}/hook%20a/b?x=1&y=%2F`,
  );
  lanes ??= startTestLanes(database);
  await record(webhook);
  return {
    webhook,
    receiver,
    rows: await deliveriesUntil(database.pool, webhook, (rows) =>
      rows.every((row) => row.attempt > 0 || allSettled([row])),
    ),
  };
}

const recorded =
  (event: 'item.processed' | 'item.failed', item: WebhookItem) =>
  ({ projectId }: TestWebhook): Promise<number> =>
    recordItemEvent(database.pool, { projectId, itemId: item.id, event, item, requestId: null });

/** Returns the specified request, with the headers of Standard Webhooks and those that HTTP needs as well. */
function expected({ webhook, receiver, rows }: Sent, event: string, item: string): WireRequest {
  const body = receiver.requests[0]?.body.toString('utf8') ?? '';
  const sentAt = /"sent_at":"([^"]+)"/.exec(body)?.[1] ?? '';
  expect(sentAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const id = rows[0]?.id ?? '';
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const timestamp = String(Math.floor(Date.parse(sentAt) / 1000));
  const bytes = Buffer.from(
    `{"event":"${event}","project_id":"${webhook.projectId}","sent_at":"${sentAt}","delivery_id":"${id}","item":${item}}`,
    'utf8',
  );
  const hex = createHmac('sha256', webhook.secret).update(`${timestamp}.`).update(bytes).digest('hex');
  const standardKey = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64');
  return {
    line: 'POST /hook%20a/b?x=1&y=%2F HTTP/1.1',
    headers: [
      ['connection', event === 'webhook.test' ? 'close' : 'keep-alive'],
      ['content-length', String(bytes.length)],
      ['content-type', 'application/json; charset=utf-8'],
      ['host', `127.0.0.1:${receiver.port}`],
      ['user-agent', 'Attune/1.0 (+https://attune.example)'],
      ['webhook-id', id],
      [
        'webhook-signature',
        `v1,${createHmac('sha256', standardKey).update(`${id}.${timestamp}.`).update(bytes).digest('base64')}`,
      ],
      ['webhook-timestamp', timestamp],
      ['x-core-delivery', id],
      ['x-core-event', event],
      ['x-core-signature', `sha256=${hex}`],
      ['x-core-timestamp', timestamp],
    ],
    body: bytes,
  };
}

describe('a request on the wire', () => {
  // proves: webhook-request/Content-Type, webhook-request/X-Core-Event, webhook-request/X-Core-Timestamp
  // proves: webhook-request/X-Core-Signature, webhook-request/X-Core-Delivery, webhook-request/User-Agent
  // proves: webhook-request/event, webhook-request/sent_at, webhook-request/delivery_id, webhook-request/item
  // proves: webhook-signature/1, webhook-signature/3
  // proves: decisions-webhooks/delivery_id, decisions-guard/standard
  it('is as documented for item.processed without a summary', async () => {
    const sent = await send(recorded('item.processed', { id: 'lesson-42', status: 'ready', processing: DONE }));
    expect(sent.receiver.requests).toEqual([
      expected(sent, 'item.processed', `{"id":"lesson-42","status":"ready",${PROCESSING}}`),
    ]);
  });

  // proves: webhook-request/item
  it('is as documented for item.processed with a summary, in UTF-8 and with nothing beyond the five fields', async () => {
    const more = { description: 'not in the body', entities: [], language: 'ru' };
    const summary = {
      summary: 'Разбор «глаголов» 🚋\n"a"',
      topics: ['грамматика'],
      tags: [],
      age_rating: '6+',
      moderation: { level: 'none' },
      ...more,
    };
    const sent = await send(recorded('item.processed', { id: 'видео 1', status: 'ready', processing: DONE, summary }));
    const text =
      '{"summary":"Разбор «глаголов» 🚋\\n\\"a\\"","topics":["грамматика"],"tags":[],"age_rating":"6+","moderation":{"level":"none"}}';
    expect(sent.receiver.requests).toEqual([
      expected(sent, 'item.processed', `{"id":"видео 1","status":"ready",${PROCESSING},"summary":${text}}`),
    ]);
  });

  // proves: webhook-request/Content-Type, webhook-request/X-Core-Event, webhook-request/X-Core-Timestamp
  // proves: webhook-request/X-Core-Signature, webhook-request/X-Core-Delivery, webhook-request/User-Agent
  // proves: webhook-request/event, webhook-request/sent_at, webhook-request/delivery_id, webhook-request/item
  // proves: webhook-signature/1, webhook-signature/3
  it.each(['partial', 'failed'] as const)('is as documented for item.failed of an item that is %s', async (status) => {
    const sent = await send(recorded('item.failed', { id: 'a', status, processing: { ...DONE, vision: 'failed' } }));
    const processing = PROCESSING.replace('"vision":"done"', '"vision":"failed"');
    expect(sent.receiver.requests).toEqual([
      expected(sent, 'item.failed', `{"id":"a","status":"${status}",${processing}}`),
    ]);
  });

  // proves: webhook-request/Content-Type, webhook-request/X-Core-Event, webhook-request/X-Core-Timestamp
  // proves: webhook-request/X-Core-Signature, webhook-request/X-Core-Delivery, webhook-request/User-Agent
  // proves: webhook-request/event, webhook-request/sent_at, webhook-request/delivery_id, webhook-request/item
  // proves: webhook-signature/1, webhook-signature/3
  // proves: decisions-webhooks/delivery_id
  it('is as documented for webhook.test', async () => {
    const sent = await send((webhook) => requestTest(database.pool, { ...webhook, requestId: null }));
    expect(sent.receiver.requests).toEqual([
      expected(sent, 'webhook.test', `{"id":"webhook-test","status":"ready",${PROCESSING}}`),
    ]);
  });

  // proves: webhooks/5
  it('for a test is sent once, even if the receiver drops the connection and an earlier one was kept alive', async () => {
    const seen: string[] = [];
    const server = await startRawTls((socket) => {
      socket.on('data', (bytes) => {
        seen.push(/^x-core-event: (\S+)/im.exec(bytes.toString('latin1'))?.[1] ?? '');
        if (seen.length > 1) return socket.destroy();
        return socket.write('HTTP/1.1 204 No Content\r\nKeep-Alive: timeout=60\r\n\r\n');
      });
    });
    const projectId = await addProject(database.pool);
    const webhook = await addWebhook(database.pool, projectId, `https://127.0.0.1:${server.port}/hook`);
    lanes = startTestLanes(database);
    await recorded('item.processed', { id: 'a', status: 'ready', processing: DONE })(webhook);
    await deliveriesUntil(database.pool, webhook, allSettled);
    await requestTest(database.pool, { ...webhook, requestId: null });
    const [, test] = await deliveriesUntil(database.pool, webhook, allSettled);
    expect(test).toMatchObject({ status: 'failed', attempt: 1, error_code: 'connection' });
    expect(seen).toEqual(['item.processed', 'webhook.test']);
  });

  // proves: webhook-request/sent_at, webhook-request/delivery_id, webhook-signature/5
  // proves: webhook-retries/secret-rotation
  it('changes with the next attempt, under the same delivery id: its time, signature and secret are current', async () => {
    const sent = await send(recorded('item.processed', { id: 'a', status: 'ready', processing: DONE }), 500);
    const first = expected(sent, 'item.processed', `{"id":"a","status":"ready",${PROCESSING}}`);
    expect(sent.receiver.requests).toEqual([first]);
    sent.webhook.secret = await rotateSecret(database.pool, sent.webhook);
    sent.receiver.requests.length = 0;
    // A resend is the delivery's next attempt.
    await database.pool.query(`update deliveries set lane = 'urgent', next_attempt_at = null where project_id = $1`, [
      sent.webhook.projectId,
    ]);
    await database.pool.query(`select pg_notify('deliveries', '')`);
    await deliveriesUntil(database.pool, sent.webhook, ([row]) => row?.attempt === 2);
    const second = expected(sent, 'item.processed', `{"id":"a","status":"ready",${PROCESSING}}`);
    expect(sent.receiver.requests).toEqual([second]);
    const differing = second.headers
      .filter(([name, value]) => first.headers.find(([other]) => other === name)?.[1] !== value)
      .map(([name]) => name);
    expect(differing).toEqual(expect.arrayContaining(['x-core-signature', 'webhook-signature']));
    expect(second.body.equals(first.body)).toBe(false);
  });
});
