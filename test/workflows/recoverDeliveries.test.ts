/**
 * Recoveries with the real workflow: for a time in which the webhook was disabled, and across the death of their
 * worker.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { createRecoveryActivities } from '../../activities/data/recovery.ts';
import { inTransaction } from '../../db/pool.ts';
import { findRecovery, type StoredRecovery } from '../../db/webhooks/deliveries/recoveries.ts';
import { jobWorkflowId } from '../../domain/jobs/ids.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { cleanUp } from '../platform/outgoing/support/servers.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { isSignedBy, startReceiver, type Receiver } from '../support/servers/receiver.ts';
import { addUndelivered, openTestRecovery } from '../support/webhooks/recoveries.ts';
import { keepHistory, largestPayload } from '../support/workflows/replay.ts';
import { createRestartedWorker, type RestartedWorker } from '../support/programs/restartedWorker.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
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
} from '../support/webhooks/webhooks.ts';
import { workerEnv } from '../support/programs/workerProcess.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';
import type { Lanes } from '../../loops/delivery/lanes.ts';

const ROWS = 2_000;

let database: TestDatabase;
let temporal: TestTemporal;
let dataWorker: RestartedWorker;
let lanes: Lanes;
let receiver: Receiver;
let webhook: TestWebhook;
let stopWorkflows: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  temporal = await createTestTemporal();
  dataWorker = await createRestartedWorker('data', workerEnv(database.url, temporal));
  stopWorkflows = await runWorker({ taskQueue: QUEUES.workflow, workflowBundle: await testWorkflowBundle() });
});
beforeEach(async () => {
  receiver = await startReceiver();
  webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
  lanes = startTestLanes(database);
});
afterEach(async () => {
  await dataWorker.kill();
  await lanes.close();
  await cleanUp();
});
afterAll(async () => {
  await stopWorkflows?.();
  await dataWorker?.close();
  await temporal?.close();
  await database?.drop();
});

async function runWorker(
  options: Pick<Parameters<typeof Worker.create>[0], 'taskQueue' | 'workflowBundle' | 'activities'>,
): Promise<() => Promise<void>> {
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    shutdownGraceTime: 500,
    ...options,
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
  };
}

const relay = () => relayOnce(database.pool, temporal.client);
const handleOf = ({ id }: StoredRecovery) =>
  temporal.client.workflow.getHandle(
    jobWorkflowId({ kind: 'webhook-recovery', projectId: webhook.projectId, entityId: id }),
  );
const progress = (recovery: StoredRecovery) =>
  findRecovery(database.pool, webhook.projectId, webhook.webhookId, recovery.id);
const setEnabled = (enabled: boolean) =>
  database.pool.query('update webhooks set enabled = $2 where project_id = $1', [webhook.projectId, enabled]);

/** Returns the items of the requests so far, and the number of requests. */
function received(): { items: Set<string>; requests: number } {
  const items = receiver.requests.map(({ body }) => (JSON.parse(body) as { item: { id: string } }).item.id);
  return { items: new Set(items), requests: items.length };
}

describe('recoverDeliveries', () => {
  it('sends once, with the current secret, what came while the webhook was disabled', async () => {
    const stop = await runWorker({
      taskQueue: QUEUES.data,
      activities: createRecoveryActivities({ pool: database.pool, logger: createLogger('test', 'silent') }),
    });
    try {
      await setEnabled(false);
      const missed = Array.from({ length: 150 }, (_, index) => `missed-${index}`);
      for (const item of missed) await recordEvent(database.pool, webhook.projectId, item);
      await setEnabled(true);
      await recordEvent(database.pool, webhook.projectId, 'fresh');
      await receiver.received(1);
      expect(received().items).toEqual(new Set(['fresh']));
      const secret = await rotateSecret(database.pool, webhook);

      const recovery = await openTestRecovery(database.pool, webhook, { since: new Date(Date.now() - 3_600_000) });
      await relay();
      expect(await handleOf(recovery).result()).toEqual({ state: 'done', total: 150, done: 150, skipped: 0 });
      await deliveriesUntil(database.pool, webhook, allSettled);
      expect(received()).toEqual({ items: new Set(['fresh', ...missed]), requests: 151 });
      expect(receiver.requests.slice(1).every((request) => isSignedBy(request, secret))).toBe(true);
      const rows = await readDeliveries(database.pool, webhook);
      expect(new Set(receiver.requests.map(({ deliveryId }) => deliveryId))).toEqual(new Set(rows.map(({ id }) => id)));
      expect(
        rows.every(({ status, attempt, error }) => status === 'delivered' && attempt === 1 && error === null),
      ).toBe(true);
      const history = await keepHistory('webhook-recovery', handleOf(recovery));
      expect(largestPayload(history)).toBeLessThan(1_024);
    } finally {
      await stop();
    }
  });

  it(`sends each of ${ROWS} deliveries once, however often its worker is killed`, async () => {
    await addUndelivered(database.pool, webhook, { count: ROWS / 2, minutesAgo: 60, prefix: 'failed' });
    await addUndelivered(database.pool, webhook, {
      count: ROWS / 2,
      minutesAgo: 30,
      status: 'dropped',
      prefix: 'dropped',
    });
    const recovery = await openTestRecovery(database.pool, webhook);
    await relay();
    await killInTheMiddle();
    for (const target of [0.3, 0.7]) {
      await dataWorker.start();
      await eventually(
        async () => ((await progress(recovery))?.done ?? 0) >= target * ROWS,
        `${target} of the deliveries queued`,
      );
      await dataWorker.kill();
    }
    await dataWorker.start();
    await eventually(async () => (await progress(recovery))?.state === 'done', 'the end of the recovery');
    await eventually(() => received().requests >= ROWS, 'all requests');
    expect(await progress(recovery)).toMatchObject({ total: ROWS, done: ROWS, skipped: 0 });
    expect(await handleOf(recovery).result()).toMatchObject({ state: 'done', done: ROWS });
    await deliveriesUntil(database.pool, webhook, allSettled);
    expect([received().items.size, received().requests]).toEqual([ROWS, ROWS]);
    const { rows } = await database.pool.query(
      'select distinct status, attempt, schedule_start as start from deliveries where project_id = $1 order by attempt',
      [webhook.projectId],
    );
    expect(rows).toEqual([
      { status: 'delivered', attempt: 1, start: 0 },
      { status: 'delivered', attempt: 8, start: 7 },
    ]);
    expect((await database.pool.query('select from jobs where project_id = $1', [webhook.projectId])).rowCount).toBe(0);
  });
});

/** Kills the worker while a delivery of the first page is held, so that it is certainly in the middle of the page. */
async function killInTheMiddle(): Promise<void> {
  await inTransaction(database.pool, async (client) => {
    await client.query(`select from deliveries where project_id = $1 and item_id = 'failed-50' for update`, [
      webhook.projectId,
    ]);
    await dataWorker.start();
    const isWaiting = async () =>
      ((
        await database.pool.query(
          `select from pg_stat_activity where datname = current_database() and application_name = 'attune-data' and wait_event_type = 'Lock'`,
        )
      ).rowCount ?? 0) > 0;
    await eventually(isWaiting, 'a page in the middle of its work');
    await dataWorker.kill();
  });
}
