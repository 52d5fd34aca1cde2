import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { deliveryWorkflowId } from '../../domain/jobs/ids.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { bareEnv } from '../support/programs/bareEnv.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { answerWith, isSignedBy, startReceiver } from '../support/servers/receiver.ts';
import { createTestTemporal } from '../support/temporal.ts';
import {
  addProject,
  addWebhook,
  allSettled,
  deliveriesUntil,
  recordEvent,
  TEST_SECRET_TEXT,
} from '../support/webhooks/webhooks.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';
import { cleanUp, closedPort } from '../platform/outgoing/support/servers.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

let database: TestDatabase;
let child: ChildProcess | undefined;

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
  });
  database = await createTestDatabase();
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await cleanUp();
});
afterAll(() => database.drop());

async function startProcess(env: Record<string, string>): Promise<ChildProcess> {
  child = fork(`${ROOT}workers/webhook.ts`, {
    cwd: ROOT,
    silent: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      ...bareEnv(),
      DATABASE_URL: database.url,
      SECRET_KEY: TEST_SECRET_TEXT,
      PUBLIC_URL: 'https://attune.example',
      ALLOW_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'error',
      NODE_EXTRA_CA_CERTS: `${ROOT}test/platform/outgoing/fixtures/ca.pem`,
      ...env,
    },
  });
  child.stderr?.pipe(process.stderr);
  const [message] = (await once(child, 'message')) as [unknown];
  expect(message).toEqual({ type: 'ready' });
  return child;
}

async function stopProcess(running: ChildProcess): Promise<void> {
  running.kill('SIGTERM');
  const [code] = (await once(running, 'exit')) as [number | null];
  expect(code).toBe(0);
}

describe('workers/webhook.ts', () => {
  it('delivers without Temporal, and finishes running attempts when it is stopped', async () => {
    const ends: (() => void)[] = [];
    const receiver = await startReceiver((response) => void ends.push(() => response.end()));
    const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
    const running = await startProcess({ TEMPORAL_ADDRESS: `127.0.0.1:${await closedPort()}` });
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    const [request] = await receiver.received(1);
    const stopped = stopProcess(running);
    for (const end of ends) end();
    await stopped;
    expect(request && isSignedBy(request, webhook.secret)).toBe(true);
    expect(await deliveriesUntil(database.pool, webhook, allSettled)).toMatchObject([
      { status: 'delivered', attempt: 1 },
    ]);
  });

  it('makes the retries that Temporal requests', async () => {
    const temporal = await createTestTemporal();
    const workflows = await Worker.create({
      connection: temporal.nativeConnection,
      namespace: temporal.namespace,
      taskQueue: QUEUES.workflow,
      workflowBundle: await testWorkflowBundle(),
    });
    const running = workflows.run();
    try {
      const receiver = await startReceiver(
        (response, _request, count) => void answerWith(count === 1 ? 500 : 200)(response, _request, count),
      );
      const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
      const process = await startProcess({
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: temporal.namespace,
      });
      await recordEvent(database.pool, webhook.projectId, 'item-1');
      const [row] = await deliveriesUntil(database.pool, webhook, ([first]) => first?.lane === 'retry');
      await database.pool.query('update deliveries set next_attempt_at = now()');
      await relayOnce(database.pool, temporal.client);
      const result: unknown = await temporal.client.workflow.getHandle(deliveryWorkflowId(row?.id ?? '')).result();
      expect(result).toEqual({ status: 'delivered', attemptsMade: 2 });
      await stopProcess(process);
    } finally {
      workflows.shutdown();
      await running;
      await temporal.close();
    }
  });
});
