import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lanes } from '../../../../loops/delivery/lanes.ts';
import { claimDeliveries, refreshClaims, releaseClaims } from '../../../../db/webhooks/deliveries/claims.ts';
import { putItem } from '../../../../db/items/writeItems.ts';
import { purgeDeletedWebhooks } from '../../../../db/webhooks/deliveries/deleteDeliveries.ts';
import { deleteWebhook } from '../../../../db/webhooks/webhooks.ts';
import {
  readTestOutcome,
  requestTest,
  resendDelivery,
  type TestOutcome,
} from '../../../../db/webhooks/deliveries/testsAndResends.ts';
import { MAX_ATTEMPTS } from '../../../../domain/webhooks/retrySchedule.ts';
import { TEST_ITEM } from '../../../../domain/webhooks/testItem.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { untilWaiting } from '../../../support/lockWaits.ts';
import { textItem } from '../../../support/project.ts';
import { answerWith, isSignedBy, startReceiver, type Answer } from '../../../support/servers/receiver.ts';
import {
  addProject,
  addWebhook,
  allSettled,
  deliveriesUntil,
  readDeliveries,
  recordEvent,
  startTestLanes,
  type TestWebhook,
} from '../../../support/webhooks/webhooks.ts';
import { cleanUp } from '../../../platform/outgoing/support/servers.ts';

const NOBODY = '01a1fdb9-b6d9-7566-a1b3-c800da5e4f5c';

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

async function addReceiver(answer?: Answer) {
  const receiver = await startReceiver(answer);
  return { receiver, webhook: await addWebhook(database.pool, await addProject(database.pool), receiver.url) };
}

const ask = (webhook: TestWebhook) => requestTest(database.pool, { ...webhook, requestId: 'request-1' });

async function outcomeOf(webhook: TestWebhook): Promise<TestOutcome | null> {
  const request = await ask(webhook);
  if (request.kind !== 'queued') throw new Error(request.kind);
  await deliveriesUntil(database.pool, webhook, allSettled);
  return readTestOutcome(database.pool, webhook.projectId, request.deliveryId);
}

describe('a test', () => {
  // proves: webhook-kinds/webhook-test
  it('is sent at once as webhook.test, even if the webhook is disabled', async () => {
    const { receiver, webhook } = await addReceiver();
    await database.pool.query('update webhooks set enabled = false where id = $1', [webhook.webhookId]);
    lanes = startTestLanes(database);
    expect(await outcomeOf(webhook)).toEqual({ ok: true, status: 200, code: null, error: null });
    const [request] = receiver.requests;
    expect(request && isSignedBy(request, webhook.secret)).toBe(true);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      event: 'webhook.test',
      item: { id: 'webhook-test', status: 'ready' },
    });
  });

  // proves: webhooks/5
  it('fails after one attempt', async () => {
    const { webhook } = await addReceiver(answerWith(500));
    lanes = startTestLanes(database);
    expect(await outcomeOf(webhook)).toEqual({
      ok: false,
      status: 500,
      code: 'http_status',
      error: 'неожиданный код ответа: 500',
    });
    expect(await readDeliveries(database.pool, webhook)).toMatchObject([{ status: 'failed', lane: null, attempt: 1 }]);
    expect((await database.pool.query('select 1 from outbox')).rows).toEqual([]);
  });

  it('has no outcome while it waits', async () => {
    const { webhook } = await addReceiver();
    const request = await ask(webhook);
    expect(
      request.kind === 'queued' && (await readTestOutcome(database.pool, webhook.projectId, request.deliveryId)),
    ).toBeNull();
  });

  // proves: webhooks/5, limits/webhook-tests
  it('is refused after ten in ten minutes, even simultaneous ones, for the whole project', async () => {
    const { webhook } = await addReceiver();
    const other = await addWebhook(database.pool, webhook.projectId, 'https://receiver.test/');
    const requests = await Promise.all(
      Array.from({ length: 15 }, (_, index) => ask(index % 2 === 0 ? webhook : other)),
    );
    expect(requests.filter((request) => request.kind === 'queued')).toHaveLength(10);
    const refused = await ask(webhook);
    expect(refused).toMatchObject({ kind: 'limited' });
    expect(refused.kind === 'limited' && refused.retryAfterSeconds).toBeGreaterThan(500);
    await database.pool.query(
      `update webhook_tests set created_at = now() - interval '600 seconds'
        where id = (select id from webhook_tests where project_id = $1 limit 1)`,
      [webhook.projectId],
    );
    expect(await ask(webhook)).toMatchObject({ kind: 'queued' });
    expect(await ask(webhook)).toMatchObject({ kind: 'limited' });
  });

  it('counts even if its webhook has been deleted since', async () => {
    const { webhook } = await addReceiver();
    for (let n = 0; n < 10; n += 1) await ask(webhook);
    await deleteWebhook(database.pool, webhook.projectId, webhook.webhookId);
    await purgeDeletedWebhooks(database.pool, 100);
    const other = await addWebhook(database.pool, webhook.projectId, 'https://receiver.test/');
    expect(await ask(other)).toMatchObject({ kind: 'limited' });
  });

  it('is not sent if its webhook has been deleted', async () => {
    const webhook = await addWebhook(database.pool, await addProject(database.pool), 'https://receiver.test/');
    const [waiting, inHand] = [await ask(webhook), await ask(webhook)];
    expect([waiting, inHand]).toMatchObject([{ kind: 'queued' }, { kind: 'queued' }]);
    const claim = () =>
      claimDeliveries(database.pool, { batch: 10, perWebhook: 1, urgentPerWebhook: 1, leaseMs: 30_000 });
    const { deliveries: before } = await claim();
    expect(before.map(({ obstacle }) => obstacle)).toEqual([null]);
    await deleteWebhook(database.pool, webhook.projectId, webhook.webhookId);
    expect(await refreshClaims(database.pool, before)).toMatchObject([{ obstacle: 'webhook' }]);
    await releaseClaims(database.pool, before);
    expect((await claim()).deliveries).toMatchObject([{ event: 'webhook.test', obstacle: 'webhook' }]);
  });

  it('is refused when its webhook is removed at the same time', async () => {
    const webhook = await addWebhook(database.pool, await addProject(database.pool), 'https://receiver.test/');
    const remover = await database.pool.connect();
    try {
      await remover.query('begin');
      await remover.query('delete from webhooks where project_id = $1 and id = $2', [
        webhook.projectId,
        webhook.webhookId,
      ]);
      const request = ask(webhook);
      await untilWaiting(database.pool, 1);
      await remover.query('commit');
      expect(await request).toEqual({ kind: 'unknown_webhook' });
    } finally {
      remover.release();
    }
  });

  it('is sent although the project has deleted an item with the id of its item', async () => {
    const { receiver, webhook } = await addReceiver();
    await database.pool.query(
      `insert into items (project_id, id, type, published_at, origin, available, deleted, revision, status, steps, created_at, updated_at)
        values ($1, $2, 'text', now(), 'api', true, true, 1, 'ready', '{}', now(), now())`,
      [webhook.projectId, TEST_ITEM.id],
    );
    lanes = startTestLanes(database);
    expect(await outcomeOf(webhook)).toMatchObject({ ok: true });
    expect(receiver.requests).toHaveLength(1);
  });

  it('of an unknown webhook is refused', async () => {
    expect(await ask({ projectId: await addProject(database.pool), webhookId: NOBODY, secret: '' })).toEqual({
      kind: 'unknown_webhook',
    });
  });
});

describe('resendDelivery', () => {
  it('makes the next attempt of the same delivery', async () => {
    const { receiver, webhook } = await addReceiver();
    lanes = startTestLanes(database);
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    const [row] = await deliveriesUntil(database.pool, webhook, allSettled);
    const deliveryId = row?.id ?? '';
    expect(await resendDelivery(database.pool, { ...webhook, deliveryId })).toBe('queued');
    await receiver.received(2);
    expect(await deliveriesUntil(database.pool, webhook, allSettled)).toMatchObject([
      { id: deliveryId, status: 'delivered', attempt: 2 },
    ]);
    expect(receiver.requests.map((request) => request.deliveryId)).toEqual([deliveryId, deliveryId]);
  });

  it('fails again at once when all attempts are used up', async () => {
    const { webhook } = await addReceiver(answerWith(500));
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    await database.pool.query(`update deliveries set status = 'failed', lane = null, attempt = ${MAX_ATTEMPTS}`);
    const [row] = await readDeliveries(database.pool, webhook);
    lanes = startTestLanes(database);
    expect(await resendDelivery(database.pool, { ...webhook, deliveryId: row?.id ?? '' })).toBe('queued');
    expect(await deliveriesUntil(database.pool, webhook, allSettled)).toMatchObject([
      { status: 'failed', attempt: MAX_ATTEMPTS + 1 },
    ]);
  });

  it('is refused for a test, which would otherwise get a second attempt and bypass the limit of tests', async () => {
    const { webhook } = await addReceiver(answerWith(500));
    lanes = startTestLanes(database);
    await outcomeOf(webhook);
    const [row] = await readDeliveries(database.pool, webhook);
    expect(await resendDelivery(database.pool, { ...webhook, deliveryId: row?.id ?? '' })).toBe('not_resent');
    expect(await readDeliveries(database.pool, webhook)).toMatchObject([{ status: 'failed', attempt: 1, lane: null }]);
  });

  it('is refused for a disabled webhook and for unknown deliveries', async () => {
    const { webhook } = await addReceiver();
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    const [row] = await readDeliveries(database.pool, webhook);
    await database.pool.query('update webhooks set enabled = false where id = $1', [webhook.webhookId]);
    expect(await resendDelivery(database.pool, { ...webhook, deliveryId: row?.id ?? '' })).toBe('not_resent');
    expect(await resendDelivery(database.pool, { ...webhook, deliveryId: NOBODY })).toBe('unknown_delivery');
    expect(await readDeliveries(database.pool, webhook)).toMatchObject([{ lane: 'first', status: 'pending' }]);
  });

  it.each([
    ['its project is suspended', `update projects set state = 'suspended'`],
    ['its client is blocked', `update clients set state = 'blocked'`],
    ['its item is deleted', `update items set deleted = true`],
  ])('is refused while %s, and leaves the outcome as it is', async (_, change) => {
    const { receiver, webhook } = await addReceiver();
    await putItem(database.pool, {
      projectId: webhook.projectId,
      itemId: 'item-1',
      content: textItem(),
      origin: 'api',
      requestId: null,
    });
    lanes = startTestLanes(database);
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    const [row] = await deliveriesUntil(database.pool, webhook, allSettled);
    await database.pool.query(change);
    expect(await resendDelivery(database.pool, { ...webhook, deliveryId: row?.id ?? '' })).toBe('not_resent');
    expect(await deliveriesUntil(database.pool, webhook, allSettled)).toMatchObject([
      { status: 'delivered', attempt: 1 },
    ]);
    expect(receiver.requests).toHaveLength(1);
  });
});
