/** Retries beside the first attempts of their webhook. */
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { createWebhookActivities } from '../../../activities/webhook/index.ts';
import type { Lanes } from '../../../loops/delivery/lanes.ts';
import { cleanUp } from '../../platform/outgoing/support/servers.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startReceiver } from '../../support/servers/receiver.ts';
import {
  addProject,
  addWebhook,
  allSettled,
  deliveriesUntil,
  readDeliveries,
  recordEvent,
  startTestLanes,
} from '../../support/webhooks/webhooks.ts';

let database: TestDatabase;
let lanes: Lanes | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await lanes?.close();
  await cleanUp();
  await database.pool.query('delete from webhooks');
});
afterAll(() => database.drop());

// proves: decisions-lanes/one-attempt, decisions-guard/sixteen
it('a retry is postponed while sixteen first attempts are under way, and made when there is a slot', async () => {
  const held: (() => void)[] = [];
  const receiver = await startReceiver((response) => void held.push(() => response.end()));
  const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
  await recordEvent(database.pool, webhook.projectId, 'retried');
  await database.pool.query(`update deliveries set lane = 'retry', attempt = 1, next_attempt_at = now()`);
  const [retried] = await readDeliveries(database.pool, webhook);
  for (let item = 1; item <= 20; item += 1) await recordEvent(database.pool, webhook.projectId, `item-${item}`);
  lanes = startTestLanes(database, { deadlineMs: 60_000 });
  await receiver.received(16);

  const { attemptDelivery } = createWebhookActivities(lanes.parts);
  const retry = { projectId: webhook.projectId, deliveryId: retried?.id ?? '', attempt: 2 };
  expect(await attemptDelivery(retry)).toEqual({ state: 'busy' });
  const rows = await readDeliveries(database.pool, webhook);
  expect(rows.find(({ id }) => id === retried?.id)).toMatchObject({ lane: 'retry', attempt: 1, leased_until: null });
  expect(receiver.requests).toHaveLength(16);

  receiver.answer = (response) => void response.end();
  for (const end of held) end();
  await deliveriesUntil(
    database.pool,
    webhook,
    (each) => each.filter(({ status }) => status === 'pending').length === 1,
  );
  expect(await attemptDelivery(retry)).toEqual({ state: 'settled', status: 'delivered', attemptsMade: 2 });
  expect(allSettled(await readDeliveries(database.pool, webhook))).toBe(true);
  expect(receiver.mostAtOnce).toBe(16);
});

// proves: decisions-breaker/probe, decisions-breaker/pace
it('a retry is made while first attempts are held, and its 2xx releases them', async () => {
  const receiver = await startReceiver();
  const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
  await recordEvent(database.pool, webhook.projectId, 'retried');
  await database.pool.query(`update deliveries set lane = 'retry', attempt = 1, next_attempt_at = now()`);
  await database.pool.query(`update webhooks set failures_in_row = 5, held_until = now() + interval '1 hour'`);
  const [retried] = await readDeliveries(database.pool, webhook);
  for (const item of ['held-1', 'held-2']) await recordEvent(database.pool, webhook.projectId, item);
  lanes = startTestLanes(database);
  const { parts } = lanes;
  await eventually(() => parts.slots.limit > 0, 'the slots of the worker');

  const retry = { projectId: webhook.projectId, deliveryId: retried?.id ?? '', attempt: 2 };
  expect(await createWebhookActivities(parts).attemptDelivery(retry)).toMatchObject({ status: 'delivered' });
  await deliveriesUntil(database.pool, webhook, allSettled);
  expect(receiver.requests).toHaveLength(3);
  expect(receiver.requests[0]?.deliveryId).toBe(retried?.id);
});
