/** The schedule of a delivery after a recovery, in a Temporal whose clock skips. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createRecoveryActivities } from '../../activities/data/recovery.ts';
import { createWebhookActivities } from '../../activities/webhook/index.ts';
import { readDelivery } from '../../db/webhooks/deliveries/journal.ts';
import { resendDelivery } from '../../db/webhooks/deliveries/testsAndResends.ts';
import { deliveryWorkflowId } from '../../domain/jobs/ids.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import type { DeliveryMoved } from '../../domain/webhooks/deliveryStates.ts';
import { MAX_ATTEMPTS, RETRY_DELAYS_MS } from '../../domain/webhooks/retrySchedule.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { cleanUp } from '../platform/outgoing/support/servers.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { answerWith, isSignedBy, startReceiver } from '../support/servers/receiver.ts';
import { openTestRecovery } from '../support/webhooks/recoveries.ts';
import { keepHistory, type History } from '../support/workflows/replay.ts';
import { createTimeSkippingEnv } from '../support/temporal.ts';
import {
  addProject,
  addWebhook,
  makeDueWhenAttempted,
  deliveriesUntil,
  failureOf,
  startTestLanes,
  recordEvent,
  type DeliveryRow,
  type TestWebhook,
} from '../support/webhooks/webhooks.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

let database: TestDatabase;
let environment: TestWorkflowEnvironment;
let stop: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  environment = await createTimeSkippingEnv();
});
beforeEach(async () => {
  const lanes = startTestLanes(database);
  const shared = { connection: environment.nativeConnection };
  const workers = [
    await Worker.create({ ...shared, taskQueue: QUEUES.workflow, workflowBundle: await testWorkflowBundle() }),
    await Worker.create({
      ...shared,
      taskQueue: QUEUES.data,
      activities: createRecoveryActivities({ pool: database.pool, logger: createLogger('test', 'silent') }),
    }),
    await Worker.create({
      ...shared,
      taskQueue: QUEUES.webhook,
      activities: makeDueWhenAttempted(database.pool, createWebhookActivities(lanes.parts)),
    }),
  ];
  const running = workers.map((worker) => worker.run());
  stop = async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
    await lanes.close();
  };
});
afterEach(async () => {
  await stop();
  await database.pool.query('delete from webhooks');
  await cleanUp();
});
afterAll(async () => {
  await environment?.teardown();
  await database?.drop();
});

/** A 404 says nothing about the address's health, so no first attempt is held back. */
const REFUSED = answerWith(404);

type Delivery = TestWebhook & { deliveryId: string };

async function failFirst(url: string): Promise<Delivery> {
  const webhook = await addWebhook(database.pool, await addProject(database.pool), url);
  await recordEvent(database.pool, webhook.projectId, 'item-1');
  return { ...webhook, deliveryId: (await untilRow(webhook, ({ lane }) => lane === 'retry')).id };
}

async function untilRow(webhook: TestWebhook, isExpected: (row: DeliveryRow) => boolean): Promise<DeliveryRow> {
  const [row] = await deliveriesUntil(database.pool, webhook, ([only]) => only !== undefined && isExpected(only));
  if (!row) throw new Error('no delivery');
  return row;
}

/** Recovers the delivery; its first attempt follows at once and fails. */
async function recoverAndFail(delivery: Delivery, attempt: number): Promise<DeliveryRow> {
  await openTestRecovery(database.pool, delivery);
  await relay();
  return untilRow(delivery, (row) => row.attempt === attempt && row.lane === 'retry');
}

const relay = () => relayOnce(database.pool, environment.client);
const handleOf = ({ deliveryId }: Delivery) => environment.client.workflow.getHandle(deliveryWorkflowId(deliveryId));

const timersOf = (history: History): number[] =>
  (history.events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer
      ? [
          Number(timer.startToFireTimeout?.seconds ?? 0) * 1000 +
            Math.round((timer.startToFireTimeout?.nanos ?? 0) / 1e6),
        ]
      : [],
  );
const countOf = (
  history: History,
  attributes: 'timerCanceledEventAttributes' | 'workflowExecutionSignaledEventAttributes',
): number => (history.events ?? []).filter((event) => event[attributes]).length;

/** Returns the due time of the next attempt in the signal, in epoch milliseconds. */
function toldDueAt(history: History): number {
  const [signal] = (history.events ?? []).flatMap((event) => event.workflowExecutionSignaledEventAttributes ?? []);
  return (JSON.parse(Buffer.from(signal?.input?.payloads?.[0]?.data ?? []).toString()) as DeliveryMoved).dueAt ?? NaN;
}

/** The attempts of a delivery that used up two schedules. */
const ALL = 2 * MAX_ATTEMPTS;
const [FIRST_DELAY_MS = 0] = RETRY_DELAYS_MS;

describe('a recovered delivery', () => {
  it('gets all attempts again, after the documented delays, and its numbers continue', async () => {
    const receiver = await startReceiver(REFUSED);
    const delivery = await failFirst(receiver.url);
    await relay();
    expect((await failureOf(handleOf(delivery).result())).details).toEqual([
      { status: 'failed', attemptsMade: MAX_ATTEMPTS },
    ]);

    const row = await recoverAndFail(delivery, MAX_ATTEMPTS + 1);
    expect(row).toMatchObject({ schedule_start: MAX_ATTEMPTS, status: 'pending' });
    expect((row.next_attempt_at?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(FIRST_DELAY_MS);
    await relay();
    expect((await failureOf(handleOf(delivery).result())).details).toEqual([{ status: 'failed', attemptsMade: ALL }]);
    expect(timersOf(await keepHistory('delivery-recovered', handleOf(delivery)))).toEqual(RETRY_DELAYS_MS.slice(1));

    expect(receiver.requests).toHaveLength(ALL);
    expect(new Set(receiver.requests.map(({ deliveryId }) => deliveryId))).toEqual(new Set([delivery.deliveryId]));
    expect(receiver.requests.every((request) => isSignedBy(request, delivery.secret))).toBe(true);
    const entry = await readDelivery(database.pool, delivery.projectId, delivery.webhookId, delivery.deliveryId);
    expect(entry).toMatchObject({ status: 'failed', attempt: ALL, nextAttemptAt: null });
    expect(entry?.attempts.map(({ attempt }) => attempt)).toEqual(Array.from({ length: ALL }, (_, index) => index + 1));

    // Once the schedule is used up, a resend is a single attempt without retries.
    expect(await resendDelivery(database.pool, delivery)).toBe('queued');
    expect(await untilRow(delivery, ({ attempt }) => attempt === ALL + 1)).toMatchObject({
      status: 'failed',
      lane: null,
    });
  });

  it('does not wait for the old schedule, whose workflow is still sleeping', async () => {
    const receiver = await startReceiver(REFUSED);
    const delivery = await failFirst(receiver.url);
    await database.pool.query('update deliveries set attempt = $2, next_attempt_at = now() where id = $1', [
      delivery.deliveryId,
      MAX_ATTEMPTS - 2,
    ]);
    await relay();
    // The attempt fails; its workflow sleeps for the longest time, and a user's resend uses the last attempt.
    await untilRow(delivery, ({ attempt }) => attempt === MAX_ATTEMPTS - 1);
    expect(await resendDelivery(database.pool, delivery)).toBe('queued');
    await untilRow(delivery, ({ attempt, status }) => attempt === MAX_ATTEMPTS && status === 'failed');

    const { next_attempt_at: due } = await recoverAndFail(delivery, MAX_ATTEMPTS + 1);
    receiver.answer = answerWith(200);
    await relay();
    expect(await handleOf(delivery).result()).toEqual({ status: 'delivered', attemptsMade: MAX_ATTEMPTS + 2 });
    const history = await keepHistory('delivery-moved', handleOf(delivery));
    const [asleep, afterwards = 0, ...more] = timersOf(history);
    expect([asleep, more]).toEqual([RETRY_DELAYS_MS.at(-1), []]);
    expect(afterwards).toBeLessThanOrEqual(FIRST_DELAY_MS);
    expect([
      countOf(history, 'timerCanceledEventAttributes'),
      countOf(history, 'workflowExecutionSignaledEventAttributes'),
    ]).toEqual([1, 1]);
    expect(Math.abs(toldDueAt(history) - (due?.getTime() ?? 0))).toBeLessThanOrEqual(1); // a Date has no microseconds
    expect(receiver.requests).toHaveLength(5);
  });
});
