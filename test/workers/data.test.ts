import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { writeOrders } from '../../db/orders/write.ts';
import { inTransaction } from '../../db/pool.ts';
import { jobWorkflowId } from '../../domain/ids.ts';
import { lineEventId } from '../../domain/orders.ts';
import { QUEUES } from '../../domain/queues.ts';
import { relayOnce } from '../support/analysis.ts';
import { bareEnv } from '../support/bareEnv.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { findDifferences, openRequests, order, readEvents, request } from '../support/orders.ts';
import { createTestProject } from '../support/project.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { testWorkflowBundle } from '../support/workflows.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const REQUESTS = 30;
const ORDERS_PER_REQUEST = 10;
/** A chunk whose worker died is begun again when its heartbeats have been missing for 30 s (domain/queues.ts). */
const RECOVERY_MS = 150_000;

let database: TestDatabase;
let temporal: TestTemporal;
let projectId: string;
let dataDir: string;
let child: ChildProcess | undefined;
let stopWorkflows: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  temporal = await createTestTemporal();
  dataDir = await mkdtemp(join(tmpdir(), 'attune-data-worker-'));
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    taskQueue: QUEUES.workflow,
    workflowBundle: await testWorkflowBundle(),
  });
  const running = worker.run();
  stopWorkflows = async () => {
    worker.shutdown();
    await running;
  };
}, 60_000);
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
});
afterEach(() => kill());
afterAll(async () => {
  await stopWorkflows?.();
  await temporal?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ChildProcess> {
  child = fork(`${ROOT}workers/data.ts`, {
    cwd: ROOT,
    silent: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      ...bareEnv(),
      DATABASE_URL: database.url,
      SECRET_KEY: 'a secret key of the tests, long enough',
      PUBLIC_URL: 'https://attune.example',
      LOG_LEVEL: 'fatal',
      ATTUNE_DATA_DIR: dataDir,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
    },
  });
  child.stderr?.pipe(process.stderr);
  const [message] = (await once(child, 'message')) as [unknown];
  expect(message).toEqual({ type: 'ready' });
  return child;
}

/** As the machine's end would: no signal handler, no farewell to Temporal or the database. */
async function kill(): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

const orderIds = (n: number) => Array.from({ length: ORDERS_PER_REQUEST }, (_, k) => `o${n}-${k}`);
const write = (n: number, items: readonly string[]) =>
  writeOrders(
    database.pool,
    request(projectId),
    orderIds(n).map((id) => order(id, items)),
  );

async function countExpanded(): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    'select count(*)::int as n from orders where project_id = $1 and expanded_revision = revision',
    [projectId],
  );
  return rows[0]?.n ?? 0;
}

/** An activity that waits in the middle of its transaction. */
const isWaiting = async () =>
  (
    await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'attune-data' and wait_event_type = 'Lock'`,
    )
  ).rows.length > 0;

async function mostAttempts(entityIds: readonly string[]): Promise<number> {
  const histories = await Promise.all(
    entityIds.map((entityId) =>
      temporal.client.workflow.getHandle(jobWorkflowId({ kind: 'orders', projectId, entityId })).fetchHistory(),
    ),
  );
  return Math.max(
    ...histories.flatMap(({ events }) =>
      (events ?? []).map((event) => event.activityTaskStartedEventAttributes?.attempt ?? 0),
    ),
  );
}

describe('workers/data.ts', () => {
  it('expands orders, and ends in order when it is asked to', async () => {
    await write(0, ['x', 'y']);
    const [entityId = ''] = await openRequests(database.pool, projectId);
    const running = await start();
    await relayOnce(database.pool, temporal.client);
    expect(
      await temporal.client.workflow.getHandle(jobWorkflowId({ kind: 'orders', projectId, entityId })).result(),
    ).toEqual({ orders: ORDERS_PER_REQUEST });
    expect(await readEvents(database.pool, projectId)).toHaveLength(2 * ORDERS_PER_REQUEST);
    const exited = once(running, 'exit');
    running.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('neither loses nor doubles a line, however often it is killed and whatever is written meanwhile', async () => {
    for (let n = 0; n < REQUESTS; n += 1) await write(n, ['a', 'b', `c${n}`]);
    const first = await openRequests(database.pool, projectId);
    // The row of one line's event is held, so that a chunk is known to be in the middle of its work.
    await inTransaction(database.pool, async (client) => {
      const id = lineEventId('o0-0', 'b');
      await client.query(
        `insert into events (project_id, id, identity_id, item_id, type, occurred_at) values ($1, $2, 1, 'b', 'held', now())`,
        [projectId, id],
      );
      await relayOnce(database.pool, temporal.client);
      await start();
      await eventually(isWaiting, 'a chunk in the middle of its work', RECOVERY_MS);
      await kill();
      await client.query('delete from events where project_id = $1 and id = $2', [projectId, id]);
    });
    expect(await countExpanded()).toBeLessThan(REQUESTS * ORDERS_PER_REQUEST);
    // Every third request's orders are written again, the same orders in two workflows.
    for (let n = 0; n < REQUESTS; n += 3) await write(n, ['b', `d${n}`]);
    await relayOnce(database.pool, temporal.client);
    for (let kills = 0; kills < 3; kills += 1) {
      const before = await countExpanded();
      await start();
      const target = Math.min(before + 1 + Math.floor(Math.random() * 60), REQUESTS * ORDERS_PER_REQUEST - 20);
      await eventually(async () => (await countExpanded()) >= target, 'more orders expanded', RECOVERY_MS);
      await kill();
    }
    await start();
    await eventually(
      async () => (await openRequests(database.pool, projectId)).length === 0,
      'all orders expanded',
      RECOVERY_MS,
    );
    expect(await countExpanded()).toBe(REQUESTS * ORDERS_PER_REQUEST);
    expect(await findDifferences(database.pool, projectId)).toEqual([]);
    expect(await readEvents(database.pool, projectId)).toHaveLength((REQUESTS / 3) * ORDERS_PER_REQUEST * (2 + 3 + 3));
    expect(await mostAttempts(first)).toBeGreaterThan(1);
  }, 600_000);
});
