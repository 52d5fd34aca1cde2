import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { createWebhookActivities, type WebhookActivities } from '../../activities/webhook/index.ts';
import { readDelivery } from '../../db/webhooks/deliveries/journal.ts';
import { resendDelivery } from '../../db/webhooks/deliveries/testsAndResends.ts';
import { deliveryWorkflowId } from '../../domain/jobs/ids.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import {
  DELIVERY_MOVED_SIGNAL,
  type DeliveryMoved,
  type DeliveryResult,
} from '../../domain/webhooks/deliveryStates.ts';
import { MAX_ATTEMPTS, RETRY_DELAYS_MS } from '../../domain/webhooks/retrySchedule.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { answerWith, isSignedBy, startReceiver } from '../support/servers/receiver.ts';
import { keepHistory, largestPayload, MAX_PAYLOAD_BYTES, type History } from '../support/workflows/replay.ts';
import { createTimeSkippingEnv } from '../support/temporal.ts';
import {
  addProject,
  addWebhook,
  makeDueWhenAttempted,
  deliveriesUntil,
  failureOf,
  readDeliveries,
  recordEvent,
  rotateSecret,
  startTestLanes,
  type TestWebhook,
} from '../support/webhooks/webhooks.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';
import { cleanUp } from '../platform/outgoing/support/servers.ts';

const [FIRST_DELAY_MS = 0, SECOND_DELAY_MS = 0] = RETRY_DELAYS_MS;

let database: TestDatabase;
let environment: TestWorkflowEnvironment;
let stop: () => Promise<void>;
let stopWorkflows: () => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  database = await createTestDatabase();
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
  });
  environment = await createTimeSkippingEnv();
  stopWorkflows = await startWorkflows();
});
afterEach(async () => {
  await stop();
  await cleanUp();
});
afterAll(async () => {
  await stopWorkflows();
  await environment.teardown();
  await database.drop();
});

type Wrap = (activities: WebhookActivities) => WebhookActivities;

const shared = () => ({ connection: environment.nativeConnection });

/** Starts both lanes; the activities may be wrapped. */
async function startSending(wrap: Wrap = dueByTemporal): Promise<void> {
  const lanes = startTestLanes(database);
  const worker = await Worker.create({
    ...shared(),
    taskQueue: QUEUES.webhook,
    activities: wrap(createWebhookActivities(lanes.parts)),
  });
  const running = worker.run();
  stop = async () => {
    worker.shutdown();
    await running;
    await lanes.close();
  };
}

/** Starts the worker of the workflows, which all tests share. @returns the function that stops it */
async function startWorkflows(): Promise<() => Promise<void>> {
  const workflowBundle = await testWorkflowBundle();
  const worker = await Worker.create({ ...shared(), taskQueue: QUEUES.workflow, workflowBundle });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
  };
}

const dueByTemporal: Wrap = (activities) => makeDueWhenAttempted(database.pool, activities);

/** Sends one event to a new webhook, with a failed first attempt. */
async function failFirst(url: string): Promise<TestWebhook & { deliveryId: string }> {
  const webhook = await addWebhook(database.pool, await addProject(database.pool), url);
  await recordEvent(database.pool, webhook.projectId, 'item-1');
  const [row] = await deliveriesUntil(database.pool, webhook, (rows) => rows[0]?.lane === 'retry');
  return { ...webhook, deliveryId: row?.id ?? '' };
}

/** Requests that attempt at once, as a user does; it fails. */
async function resendAndFail(delivery: TestWebhook & { deliveryId: string }, attempt: number): Promise<void> {
  expect(await resendDelivery(database.pool, delivery)).toBe('queued');
  await deliveriesUntil(database.pool, delivery, ([row]) => row?.attempt === attempt && row.lane === 'retry');
}

/** Does the relay's part, then skips all the time of the schedule. */
async function runRetries(deliveryId: string): Promise<DeliveryResult> {
  await relayOnce(database.pool, environment.client);
  return environment.client.workflow.getHandle(deliveryWorkflowId(deliveryId)).result() as Promise<DeliveryResult>;
}

function timersOf(history: History): number[] {
  return (history.events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    millisecondsOf(timer?.startToFireTimeout),
  );
}

type Attributes = 'workflowExecutionSignaledEventAttributes' | 'activityTaskScheduledEventAttributes';
const countOf = (history: History, attributes: Attributes) =>
  (history.events ?? []).filter((event) => event[attributes]).length;
const signalsOf = (history: History) => countOf(history, 'workflowExecutionSignaledEventAttributes');

/** Returns the delay with which Temporal started the workflow. */
function startDelayOf(history: History): number[] {
  return millisecondsOf(history.events?.[0]?.workflowExecutionStartedEventAttributes?.firstWorkflowTaskBackoff);
}

function millisecondsOf(duration: { seconds?: unknown; nanos?: number | null } | null | undefined): number[] {
  return duration ? [Number(duration.seconds ?? 0) * 1000 + Math.round((duration.nanos ?? 0) / 1e6)] : [];
}

describe('the workflow delivery', () => {
  // proves: webhook-retries/3, decisions-lanes/loop, decisions-lanes/delays, decisions-lanes/failed
  it('makes all retries after exactly the documented delays, then gives up', async () => {
    await startSending();
    const receiver = await startReceiver(answerWith(503));
    const delivery = await failFirst(receiver.url);
    expect(await failureOf(runRetries(delivery.deliveryId))).toEqual({
      type: 'http_status',
      message: `not delivered after ${MAX_ATTEMPTS} attempts: http_status 503`,
      details: [{ status: 'failed', attemptsMade: MAX_ATTEMPTS }],
    });

    const history = await keepHistory(
      'delivery-failed-openly',
      environment.client.workflow.getHandle(deliveryWorkflowId(delivery.deliveryId)),
    );
    const [untilFirstRetry = 0] = startDelayOf(history);
    expect(timersOf(history)).toEqual(RETRY_DELAYS_MS.slice(1));
    expect(countOf(history, 'activityTaskScheduledEventAttributes')).toBe(RETRY_DELAYS_MS.length);
    // The relay passes on the rest of the first delay.
    expect(untilFirstRetry).toBeLessThanOrEqual(FIRST_DELAY_MS);
    expect(untilFirstRetry).toBeGreaterThan(FIRST_DELAY_MS / 3);
    expect(largestPayload(history)).toBeLessThan(MAX_PAYLOAD_BYTES);

    expect(receiver.requests).toHaveLength(MAX_ATTEMPTS);
    expect(new Set(receiver.requests.map((request) => request.deliveryId))).toEqual(new Set([delivery.deliveryId]));
    expect(receiver.requests.every((request) => isSignedBy(request, delivery.secret))).toBe(true);
    const entry = await readDelivery(database.pool, delivery.projectId, delivery.webhookId, delivery.deliveryId);
    expect(entry).toMatchObject({
      status: 'failed',
      attempt: MAX_ATTEMPTS,
      responseStatus: 503,
      errorCode: 'http_status',
      nextAttemptAt: null,
    });
    expect(entry?.attempts.map((attempt) => attempt.attempt)).toEqual(
      Array.from({ length: MAX_ATTEMPTS }, (_, index) => index + 1),
    );
    expect(entry?.requestBody).toBe(receiver.requests.at(-1)?.body);
  });

  // proves: webhook-signature/5
  it('ends with the first 2xx, and signs its retries with the current secret', async () => {
    await startSending();
    const receiver = await startReceiver(
      (response, _request, count) => void response.writeHead(count < 3 ? 500 : 204).end(),
    );
    const delivery = await failFirst(receiver.url);
    const secret = await rotateSecret(database.pool, delivery);
    expect(await runRetries(delivery.deliveryId)).toEqual({ status: 'delivered', attemptsMade: 3 });
    expect(receiver.requests.map((request) => isSignedBy(request, secret))).toEqual([false, true, true]);
    await keepHistory(
      'delivery-delivered',
      environment.client.workflow.getHandle(deliveryWorkflowId(delivery.deliveryId)),
    );
  });

  it('waits for the rest of its first wait if a signal brings no news', async () => {
    await startSending();
    const receiver = await startReceiver(
      (response, _request, count) => void response.writeHead(count < 3 ? 500 : 200).end(),
    );
    const delivery = await failFirst(receiver.url);
    await resendAndFail(delivery, 2);
    // Each failure adds an outbox row: the first one starts the workflow, the second repeats the same.
    await relayOnce(database.pool, environment.client);
    const handle = environment.client.workflow.getHandle(deliveryWorkflowId(delivery.deliveryId));
    expect(await handle.result()).toEqual({ status: 'delivered', attemptsMade: 3 });

    const history = await keepHistory('delivery-told-early', handle);
    expect(signalsOf(history)).toBe(1);
    const [timer = 0] = timersOf(history);
    expect(timer).toBeLessThanOrEqual(SECOND_DELAY_MS);
    expect(timer).toBeGreaterThan((SECOND_DELAY_MS * 2) / 3);
  });

  it('does not send the next attempt at once when a signal reports an attempt that it already knows', async () => {
    let told = 0;
    await startSending((activities) =>
      dueByTemporal({
        attemptDelivery: async (input) => {
          if (input.attempt === 2) {
            // While the workflow is about to make attempt 2, a user makes it; the signal arrives before the
            // activity's answer.
            await resendAndFail(delivery, 2);
            await relayOnce(database.pool, environment.client);
            told += 1;
          }
          return activities.attemptDelivery(input);
        },
      }),
    );
    const receiver = await startReceiver(
      (response, _request, count) => void response.writeHead(count < 3 ? 500 : 200).end(),
    );
    const delivery = await failFirst(receiver.url);
    expect(await runRetries(delivery.deliveryId)).toEqual({ status: 'delivered', attemptsMade: 3 });

    const history = await keepHistory(
      'delivery-old-news',
      environment.client.workflow.getHandle(deliveryWorkflowId(delivery.deliveryId)),
    );
    expect([told, signalsOf(history), countOf(history, 'activityTaskScheduledEventAttributes')]).toEqual([1, 1, 2]);
    const [timer = 0, ...more] = timersOf(history);
    expect(more).toEqual([]);
    expect(timer).toBeGreaterThan(200_000);
  });

  it('waits from the time of the signal, not from when it could read it', async () => {
    await startSending();
    const receiver = await startReceiver(
      (response, _request, count) => void response.writeHead(count < 3 ? 500 : 200).end(),
    );
    const delivery = await failFirst(receiver.url);
    await relayOnce(database.pool, environment.client);
    await resendAndFail(delivery, 2);
    const handle = environment.client.workflow.getHandle(deliveryWorkflowId(delivery.deliveryId));
    await database.pool.query('delete from outbox'); // the test signals instead of the relay
    const moved: DeliveryMoved = { attemptsMade: 2, waitMs: 300_000, dueAt: Date.now() - 1_500_000 };
    await handle.signal(DELIVERY_MOVED_SIGNAL, moved);
    expect(await handle.result()).toEqual({ status: 'delivered', attemptsMade: 3 });
    const history = await keepHistory('delivery-told-late', handle);
    expect(timersOf(history).filter((ms) => ms > 60_000)).toEqual([]);
  });

  it('keeps waiting if it asks before the attempt is due by the database', async () => {
    let asked = 0;
    await startSending((activities) => ({
      attemptDelivery: (input) => {
        asked += 1;
        return asked === 1 ? activities.attemptDelivery(input) : dueByTemporal(activities).attemptDelivery(input);
      },
    }));
    const receiver = await startReceiver(
      (response, _request, count) => void response.writeHead(count === 1 ? 500 : 200).end(),
    );
    const delivery = await failFirst(receiver.url);
    await relayOnce(database.pool, environment.client);
    await database.pool.query(
      `update deliveries set next_attempt_at = next_attempt_at + interval '2 hours' where id = $1`,
      [delivery.deliveryId],
    );
    const handle = environment.client.workflow.getHandle(deliveryWorkflowId(delivery.deliveryId));
    expect(await handle.result()).toEqual({ status: 'delivered', attemptsMade: 2 });
    const history = await keepHistory('delivery-not-due', handle);
    const [timer = 0, ...more] = timersOf(history);
    expect([asked, more, receiver.requests.length]).toEqual([2, [], 2]);
    expect(timer).toBeGreaterThan(3_600_000);
  });

  it.each([
    ['the webhook is disabled', 'update webhooks set enabled = false where project_id = $1', 'вебхук выключен'],
    ['its project is archived', `update projects set state = 'archived' where id = $1`, 'проект не активен'],
    [
      'its client is blocked',
      `update clients c set state = 'blocked' from projects p where p.id = $1 and c.id = p.client_id`,
      'проект не активен',
    ],
  ])('drops the rest if %s', async (_when, change, reason) => {
    await startSending();
    const receiver = await startReceiver(answerWith(500));
    const delivery = await failFirst(receiver.url);
    await database.pool.query(change, [delivery.projectId]);
    expect(await runRetries(delivery.deliveryId)).toEqual({ status: 'dropped', attemptsMade: 1 });
    expect(await readDeliveries(database.pool, delivery)).toMatchObject([
      { status: 'dropped', attempt: 1, lane: null, error: reason },
    ]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('ends if the webhook was deleted', async () => {
    await startSending();
    const receiver = await startReceiver(answerWith(500));
    const delivery = await failFirst(receiver.url);
    await database.pool.query('delete from webhooks where project_id = $1', [delivery.projectId]);
    expect(await runRetries(delivery.deliveryId)).toEqual({ status: 'gone', attemptsMade: 0 });
    expect(receiver.requests).toHaveLength(1);
  });

  it('repeats an attempt that was lost with its worker, without using it up', async () => {
    let lost = 0;
    await startSending((activities) =>
      dueByTemporal({
        attemptDelivery: (input) => {
          if (input.attempt !== 3 || lost === 2) return activities.attemptDelivery(input);
          lost += 1;
          return Promise.reject(new Error('the worker is gone'));
        },
      }),
    );
    const receiver = await startReceiver(answerWith(500));
    const delivery = await failFirst(receiver.url);
    expect(await failureOf(runRetries(delivery.deliveryId))).toMatchObject({
      details: [{ status: 'failed', attemptsMade: MAX_ATTEMPTS }],
    });
    expect(lost).toBe(2);
    expect(receiver.requests).toHaveLength(MAX_ATTEMPTS);
    await keepHistory(
      'delivery-lost-attempts',
      environment.client.workflow.getHandle(deliveryWorkflowId(delivery.deliveryId)),
    );
  });

  it('does not repeat an attempt whose outcome is stored but did not reach it', async () => {
    let unheard = 0;
    await startSending((activities) =>
      dueByTemporal({
        attemptDelivery: async (input) => {
          const report = await activities.attemptDelivery(input);
          if (input.attempt !== 2 || unheard > 0) return report;
          unheard += 1;
          throw new Error('the worker is gone');
        },
      }),
    );
    const receiver = await startReceiver(
      (response, _request, count) => void response.writeHead(count < 3 ? 500 : 200).end(),
    );
    const delivery = await failFirst(receiver.url);
    // The rest of the five minutes is measured by the database, whose clock does not skip, so it is cut short.
    const result = runRetries(delivery.deliveryId);
    await receiver.received(2);
    expect(await result).toEqual({ status: 'delivered', attemptsMade: 3 });
    expect(receiver.requests).toHaveLength(3);
  });

  it('leaves a resent delivery to whoever resent it, and continues with the schedule', async () => {
    await startSending();
    const receiver = await startReceiver(answerWith(500));
    const delivery = await failFirst(receiver.url);
    expect(await resendDelivery(database.pool, delivery)).toBe('queued');
    await deliveriesUntil(database.pool, delivery, ([row]) => row?.attempt === 2 && row.lane === 'retry');
    receiver.answer = answerWith(200);
    expect(await runRetries(delivery.deliveryId)).toEqual({ status: 'delivered', attemptsMade: 3 });
    expect(receiver.requests).toHaveLength(3);
  });
});
