/** A deployment whose workflow code does not fit the histories: the real worker counts it, and the alert fires. */
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { WorkflowBundlePath } from '@temporalio/worker';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { DELIVERY_MOVED_SIGNAL, type DeliveryInput, type DeliveryMoved } from '../../domain/webhooks/deliveryStates.ts';
import { firesAt } from '../ops/support/alerting.ts';
import { readExposition } from '../ops/support/exposition.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { startWorkerProcess, workerEnv, type WorkerProcess } from '../support/programs/workerProcess.ts';
import { changedWorkflowBundle, testWorkflowBundle } from '../support/workflows/workflows.ts';

let database: TestDatabase;
let temporal: TestTemporal;
let worker: WorkerProcess | undefined;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), createTestTemporal()]);
});
afterEach(() => worker?.stop());
afterAll(async () => {
  await temporal.close();
  await database.drop();
});

async function deploy({ codePath }: WorkflowBundlePath): Promise<WorkerProcess> {
  await worker?.stop();
  worker = await startWorkerProcess('workflow', {
    ...workerEnv(database.url, temporal),
    WORKFLOW_BUNDLE: codePath,
  });
  return worker;
}

it('the alert for stuck workflows fires if the new code does not fit their history', async () => {
  const right = await deploy(await testWorkflowBundle());
  const input: DeliveryInput = { projectId: 'p', deliveryId: 'd', attemptsMade: 1, waitMs: 3_600_000 };
  const handle = await temporal.client.workflow.start('delivery', {
    workflowId: 'delivery/d',
    taskQueue: QUEUES.workflow,
    args: [input],
  });
  await eventually(async () => ((await handle.fetchHistory()).events?.length ?? 0) > 4, 'the first timer');
  const before = await right.metrics();
  expect(before).toMatch(/^temporal_workflow_task_execution_latency_count\{/m);
  expect(firesAt('AttuneWorkflowStuck', readExposition(before), 0)).toBeNull();

  const careless = await deploy(await changedWorkflowBundle('careless'));
  const moved: DeliveryMoved = { attemptsMade: 2, waitMs: 3_600_000 };
  await handle.signal(DELIVERY_MOVED_SIGNAL, moved);
  await eventually(
    async () => firesAt('AttuneWorkflowStuck', readExposition(await careless.metrics()), 0) === 0,
    'the alert',
  );
  expect((await handle.describe()).status.name).toBe('RUNNING');
});
