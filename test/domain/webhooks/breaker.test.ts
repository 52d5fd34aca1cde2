import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { recordItemEvent } from '../../../db/webhooks/deliveries/recordItemEvent.ts';
import { requestTest } from '../../../db/webhooks/deliveries/testsAndResends.ts';
import { inTransaction } from '../../../db/pool.ts';
import { recordAddressSigns } from '../../../db/webhooks/addressHealth.ts';
import { updateWebhook } from '../../../db/webhooks/webhooks.ts';
import type { Lanes } from '../../../loops/delivery/lanes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answerWith, startReceiver, type Answer } from '../../support/servers/receiver.ts';
import {
  addProject,
  addWebhook,
  deliveriesUntil,
  readDeliveries,
  recordEvent,
  startTestLanes,
  testItem,
  type TestWebhook,
} from '../../support/webhooks/webhooks.ts';
import { cleanUp } from '../../platform/outgoing/support/servers.ts';
import { HANG_MS } from '../../support/eventually.ts';

let database: TestDatabase;
let lanes: Lanes;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await lanes.close();
  await cleanUp();
  await database.pool.query('delete from webhooks');
});
afterAll(() => database.drop());

/** Starts a receiver, adds a webhook for it, and starts the lanes that deliver to it. */
async function stageWebhook(answer: Answer) {
  const receiver = await startReceiver(answer);
  const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
  lanes = startTestLanes(database, { limits: { pollMs: 20 } });
  return { receiver, webhook };
}

/** Records events one after another; each is attempted before the next. */
async function failInARow(webhook: TestWebhook, count: number): Promise<void> {
  for (let index = 1; index <= count; index += 1) {
    await recordEvent(database.pool, webhook.projectId, `item-${index}`);
    await deliveriesUntil(database.pool, webhook, (rows) => rows.every((row) => row.attempt > 0));
  }
}

interface Breaker {
  failures_in_row: number;
  held_until: Date | null;
  nearest: Date | null;
}

async function readBreaker(webhook: TestWebhook): Promise<Breaker | undefined> {
  const { rows } = await database.pool.query<Breaker>(
    `select failures_in_row, held_until, (select min(next_attempt_at) from deliveries d where d.webhook_id = w.id and d.lane = 'retry') as nearest
       from webhooks w where id = $1`,
    [webhook.webhookId],
  );
  return rows[0];
}

async function breakerUntil(webhook: TestWebhook, isExpected: (breaker: Breaker) => boolean): Promise<Breaker> {
  const deadline = performance.now() + HANG_MS;
  for (;;) {
    const breaker = await readBreaker(webhook);
    if (breaker && isExpected(breaker)) return breaker;
    if (performance.now() > deadline) throw new Error(`the breaker is ${JSON.stringify(breaker)}`);
  }
}

const endHold = (webhook: TestWebhook) =>
  database.pool.query(`update webhooks set held_until = now() where id = $1`, [webhook.webhookId]);

describe('the breaker of a webhook', () => {
  // proves: webhook-retries/5, decisions-breaker/five, decisions-breaker/wait, decisions-breaker/unspent
  // proves: decisions-breaker/each
  it('holds first attempts after five failures in a row until the nearest retry, without using any up', async () => {
    const { receiver, webhook } = await stageWebhook(answerWith(503));
    const healthy = await startReceiver();
    await addWebhook(database.pool, webhook.projectId, healthy.url);
    await failInARow(webhook, 5);
    const breaker = await breakerUntil(webhook, (each) => each.held_until !== null);
    expect(breaker.failures_in_row).toBe(5);
    expect(breaker.held_until).toEqual(breaker.nearest);

    await recordEvent(database.pool, webhook.projectId, 'held');
    // A test delivery is sent although the address is held, so its arrival proves that the lanes have polled meanwhile.
    await requestTest(database.pool, { ...webhook, requestId: null });
    await receiver.received(6);
    const held = (await readDeliveries(database.pool, webhook)).filter((row) => row.lane === 'first');
    expect(held).toMatchObject([{ attempt: 0, status: 'pending' }]);
    expect(receiver.requests.map((request) => request.headers['x-core-event']).at(-1)).toBe('webhook.test');
    await healthy.received(6); // another webhook of the project gets the event that is held here
  });

  it('uses up no attempts when it trips, except for those that are running', async () => {
    const { receiver, webhook } = await stageWebhook(answerWith(500));
    await lanes.close();
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => recordEvent(database.pool, webhook.projectId, `item-${index}`)),
    );
    lanes = startTestLanes(database);
    await breakerUntil(webhook, (each) => each.held_until !== null);
    const rows = await deliveriesUntil(
      database.pool,
      webhook,
      (each) => each.filter((row) => row.attempt === 1).length === receiver.requests.length,
    );
    // Four failures whose slots were reused, and the 16 in progress when the fifth was recorded.
    expect(rows.filter((row) => row.attempt === 1).length).toBeLessThanOrEqual(20);
    expect(rows.filter((row) => row.lane === 'first').length).toBeGreaterThanOrEqual(40);
  });

  // proves: webhook-retries/5, decisions-breaker/pace
  it('lets one at a time through when the hold ends, and all after a 2xx', async () => {
    const { receiver, webhook } = await stageWebhook(answerWith(503));
    await failInARow(webhook, 5);
    await breakerUntil(webhook, (each) => each.held_until !== null);
    for (let index = 0; index < 20; index += 1) await recordEvent(database.pool, webhook.projectId, `held-${index}`);
    expect(receiver.requests).toHaveLength(5);

    await endHold(webhook);
    await receiver.received(6);
    await breakerUntil(
      webhook,
      (each) => each.failures_in_row === 6 && each.held_until !== null && each.held_until > new Date(),
    );
    expect(receiver.requests).toHaveLength(6);

    receiver.answer = answerWith(200);
    await endHold(webhook);
    await receiver.received(25);
    expect(await breakerUntil(webhook, (each) => each.failures_in_row === 0)).toMatchObject({ held_until: null });
  });

  // proves: decisions-breaker/others
  it.each([
    ['a 404', answerWith(404)],
    ['a redirect', ((response) => void response.writeHead(302, { location: '/' }).end()) satisfies Answer],
  ])('does not count %s', async (_what, answer) => {
    const { webhook } = await stageWebhook(answer);
    await failInARow(webhook, 6);
    expect(await readBreaker(webhook)).toMatchObject({ failures_in_row: 0, held_until: null });
  });

  // proves: decisions-breaker/five
  it('starts counting again after a 2xx', async () => {
    const { webhook } = await stageWebhook(
      (response, _request, count) => void response.writeHead(count === 4 ? 200 : 500).end(),
    );
    await failInARow(webhook, 8);
    expect(await breakerUntil(webhook, (each) => each.failures_in_row === 4)).toMatchObject({ held_until: null });
  });

  it('does not count attempts that were under way to an address that has been replaced', async () => {
    const held: ServerResponse[] = [];
    const { receiver, webhook } = await stageWebhook((response) => void held.push(response));
    for (let index = 0; index < 5; index += 1) await recordEvent(database.pool, webhook.projectId, `item-${index}`);
    await receiver.received(5);
    const next = await startReceiver(answerWith(404));
    await updateWebhook(database.pool, webhook.projectId, webhook.webhookId, { url: next.url });
    for (const response of held) response.writeHead(503).end();
    await deliveriesUntil(database.pool, webhook, (rows) => rows.every(({ attempt }) => attempt === 1));
    const { rows } = await database.pool.query(
      'select failures_in_row, held_until, failing_since from webhooks where id = $1',
      [webhook.webhookId],
    );
    expect(rows).toEqual([{ failures_in_row: 0, held_until: null, failing_since: null }]);
    await recordEvent(database.pool, webhook.projectId, 'to-the-new-address');
    await next.received(1);
  });

  it('does not wait for transactions that record events for the webhook, nor do they wait for it', async () => {
    const { webhook } = await stageWebhook(answerWith(200));
    const { projectId, webhookId, url } = webhook;
    await inTransaction(database.pool, async (client) => {
      await recordItemEvent(client, {
        projectId,
        itemId: 'item-1',
        event: 'item.processed',
        item: testItem('item-1'),
        requestId: null,
      });
      expect(
        await recordAddressSigns(database.pool, [
          { projectId, webhookId, url, up: false, down: 5, failingSince: null },
        ]),
      ).toBe(1);
    });
    await inTransaction(database.pool, async (client) => {
      await recordAddressSigns(client, [{ projectId, webhookId, url, up: false, down: 1, failingSince: null }]);
      expect(await recordEvent(database.pool, projectId, 'item-2')).toBe(1);
    });
  });

  it('counts every failure, without a deadlock, if many workers record failures in different orders', async () => {
    const { webhook } = await stageWebhook(answerWith(200));
    const other = await addWebhook(database.pool, webhook.projectId, 'https://127.0.0.1:1/');
    const tallies = [webhook, other].map(({ projectId, webhookId, url }) => ({
      projectId,
      webhookId,
      url,
      up: false,
      down: 1,
      failingSince: null,
    }));
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        recordAddressSigns(database.pool, index % 2 === 0 ? tallies : tallies.toReversed()),
      ),
    );
    expect(await readBreaker(webhook)).toMatchObject({ failures_in_row: 60 });
    expect(await readBreaker(other)).toMatchObject({ failures_in_row: 60 });
  });
});
