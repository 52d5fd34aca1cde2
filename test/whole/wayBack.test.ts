/**
 * An upgrade and its reversal: the previous release runs on the database that this one migrated and wrote, and then
 * this one again.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../db/migrate.ts';
import { todayIn } from '../../reports/validate/index.ts';
import { cleanUp } from '../platform/outgoing/support/servers.ts';
import { bareEnv } from '../support/programs/bareEnv.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { unpackPreviousRelease, type PreviousRelease } from '../support/previousRelease.ts';
import { answerWith, startReceiver, type Receiver } from '../support/servers/receiver.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { textBody } from '../support/whole/catalogue.ts';
import { createReleaseStage, type ReleaseStage } from '../support/whole/releaseStage.ts';
import { until } from '../support/whole/until.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

const ROOT = join(import.meta.dirname, '../..');
const PROCESSES = ['api', 'relay', 'workflow', 'ai', 'data', 'webhook', 'ingest'];
/** A person's browser, at a residential IP address. */
const VISITOR = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
  'x-forwarded-for': '77.88.8.8',
};
const run = promisify(execFile);

let database: TestDatabase;
let temporal: TestTemporal;
let previous: PreviousRelease;
let stage: ReleaseStage;
let receiver: Receiver;
/** Names under which data was written, in order: by this release, the previous one, and this one again. */
const written: string[] = [];

beforeAll(async () => {
  [database, temporal, previous, receiver] = await Promise.all([
    createTestDatabase(),
    createTestTemporal(),
    unpackPreviousRelease(),
    startReceiver(answerWith(204)),
  ]);
  await database.pool.query('drop schema public cascade; create schema public');
  await run(process.execPath, ['scripts/migrate.ts'], {
    cwd: previous.root,
    env: { ...bareEnv(), DATABASE_URL: database.url, SECRET_KEY: 'x'.repeat(32), REQUIRE_HTTPS: 'false' },
  });
  await migrate(database.url);
  stage = await createReleaseStage(database.url, temporal);
});

afterAll(async () => {
  await stage?.close();
  await cleanUp();
  await previous?.remove();
  await temporal?.close();
  await database?.drop();
});

type Body = Record<string, unknown>;

async function ask(key: string, method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${stage.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...VISITOR },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Body) };
}

const content = (method: string, path: string, body?: unknown) =>
  ask(stage.keys.projectKey, method, `/content/api/v1${path}`, body);
const analytics = (method: string, path: string, body?: unknown) =>
  ask(stage.keys.siteApiKey, method, `/analytics/api/v1${path}`, body);
const cabinet = (method: string, path: string, body?: unknown) =>
  ask(stage.keys.cabinetToken, method, `/cabinet/api${path}`, body);

/** Writes one of everything, and waits for all resulting work. */
async function write(name: string): Promise<void> {
  expect((await content('PUT', `/items/${name}`, textBody(name))).status).toBe(201);
  await finalOf(name);
  await announced(name);
  const event = { id: `e-${name}`, type: 'open', item: name, user: { user_id: `u-${name}` }, occurred_at: now() };
  expect((await content('POST', '/events', { events: [event] })).body).toMatchObject({ accepted: 1, rejected: [] });
  const order = {
    order_id: `o-${name}`,
    user: { user_id: `u-${name}` },
    items: [{ item: name, quantity: 1, price: 10 }],
  };
  expect((await content('POST', '/orders', order)).status).toBe(202);
  expect((await content('POST', '/users/delete', { user: { user_id: 'u-nobody' } })).status).toBe(200);
  await until(
    'the order',
    () => isExpanded(`o-${name}`),
    (is) => is,
  );
  const hit = await ask(stage.keys.siteTagKey, 'POST', '/collect', hitOf(name));
  expect([hit.status, hit.body]).toEqual([202, expect.objectContaining({ dropped: [] })]);
  const user = { users: [{ user_id: `v-${name}`, age: 34, params: { plan: 'gold' } }] };
  expect(await analytics('POST', '/users', user)).toMatchObject({ status: 202 });
  written.push(name);
}

const now = (): string => new Date().toISOString();

function hitOf(name: string): Body {
  const event = { id: randomUUID(), at: now(), type: 'pageview', url: `https://shop.example/${name}` };
  const device = { screen: '1920x1080', language: 'ru-RU' };
  return { key: stage.keys.siteTagKey, visitor_id: randomUUID(), sent_at: now(), device, events: [event] };
}

const finalOf = (name: string) =>
  until(
    `item ${name}`,
    () => content('GET', `/items/${name}`),
    ({ body }) => body['status'] === 'ready',
  );

const announced = (name: string) =>
  until(
    `the webhook of ${name}`,
    async () => receiver.requests.map(({ body }) => (JSON.parse(body) as { item: { id: string } }).item.id),
    (ids) => ids.includes(name),
  );

async function isExpanded(orderId: string): Promise<boolean> {
  const { rows } = await database.pool.query(
    `select 1 from orders where order_id = $1 and revision = expanded_revision`,
    [orderId],
  );
  return rows.length === 1;
}

/**
 * Reads everything written so far, through the running release. Items may have to become ready again first: a
 * release with other built-in models analyses everything again.
 */
async function readEverything(): Promise<void> {
  for (const name of written) {
    await finalOf(name);
    const user = { visitors: [{ user_id: `v-${name}` }] };
    expect((await analytics('POST', '/visitors/attributes', user)).body).toMatchObject({
      results: [{ ok: true, attributes: { params: { plan: 'gold' } } }],
    });
  }
  const [yesterday, today] = [-1, 0].map((days) => todayIn('Europe/Moscow', new Date(Date.now() + days * 86_400_000)));
  const period = { date_from: yesterday, date_to: today, metrics: ['visitors', 'pageviews'] };
  await until(
    'the report',
    () => analytics('POST', '/reports', period),
    ({ body }) => JSON.stringify(body['totals']) === JSON.stringify([written.length, written.length]),
  );
  await until('the lake to have all that is staged', countStaged, (count) => count === 0);
}

async function countStaged(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select ((select count(*) from lake_batches) + (select count(*) from lake_failed))::int as count`,
  );
  return rows[0]?.count ?? 0;
}

describe('after an upgrade', () => {
  it('the previous release continues where this one stopped, and this one where that one stopped', async () => {
    const bundle = { WORKFLOW_BUNDLE: (await testWorkflowBundle()).codePath };
    await stage.start(ROOT, PROCESSES, bundle);
    const hook = { url: receiver.url, events: ['item.processed', 'item.failed'], enabled: true };
    expect((await cabinet('POST', `/projects/${stage.keys.projectId}/webhooks`, hook)).status).toBe(201);
    const limits = { limits: { reports_per_minute: 10_000 } };
    expect((await cabinet('PATCH', `/sites/${stage.keys.siteId}`, limits)).status).toBe(200);
    await write('first');
    await readEverything();
    await stage.stop();

    await stage.start(previous.root, PROCESSES);
    await readEverything();
    await write('second');
    await readEverything();
    await stage.stop();

    expect(await migrate(database.url)).toEqual([]);
    await stage.start(ROOT, PROCESSES, bundle);
    await readEverything();
    await write('third');
    await readEverything();
    const { rows } = await database.pool.query('select count(*)::int as n from outbox where attempts > 1');
    expect(rows).toEqual([{ n: 0 }]);
  });
});
