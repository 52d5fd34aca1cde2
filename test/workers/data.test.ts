import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { writeOrders } from '../../db/orders/writeOrders.ts';
import { inTransaction } from '../../db/pool.ts';
import { jobWorkflowId } from '../../domain/jobs/ids.ts';
import { lineEventId } from '../../domain/orders/orderLines.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { findDifferences, openRequests, order, readEvents, request } from '../support/people/orders.ts';
import { createTestProject } from '../support/project.ts';
import { createRestartedWorker, type RestartedWorker } from '../support/programs/restartedWorker.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { workerEnv } from '../support/programs/workerProcess.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

const REQUESTS = 30;
const ORDERS_PER_REQUEST = 10;

let database: TestDatabase;
let temporal: TestTemporal;
let projectId: string;
let data: RestartedWorker;
let stopWorkflows: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  temporal = await createTestTemporal();
  data = await createRestartedWorker('data', workerEnv(database.url, temporal));
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
});
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
});
afterEach(() => data.kill());
afterAll(async () => {
  await data?.close();
  await stopWorkflows?.();
  await temporal?.close();
  await database?.drop();
});

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

/** Reports whether an activity waits in the middle of its transaction. */
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
  it('expands orders, and ends in order when it is stopped', async () => {
    await write(0, ['x', 'y']);
    const [entityId = ''] = await openRequests(database.pool, projectId);
    const running = await data.start();
    await relayOnce(database.pool, temporal.client);
    expect(
      await temporal.client.workflow.getHandle(jobWorkflowId({ kind: 'orders', projectId, entityId })).result(),
    ).toEqual({ orders: ORDERS_PER_REQUEST });
    expect(await readEvents(database.pool, projectId)).toHaveLength(2 * ORDERS_PER_REQUEST);
    expect(await running.stop()).toBe(0);
  });

  it('neither loses nor duplicates a line, however often it is killed and whatever is written meanwhile', async () => {
    for (let n = 0; n < REQUESTS; n += 1) await write(n, ['a', 'b', `c${n}`]);
    const first = await openRequests(database.pool, projectId);
    // The row of one line's event is locked, so that a chunk is certainly in the middle of its work.
    await inTransaction(database.pool, async (client) => {
      const id = lineEventId('o0-0', 'b');
      await client.query(
        `insert into events (project_id, id, identity_id, item_id, type, occurred_at) values ($1, $2, 1, 'b', 'held', now())`,
        [projectId, id],
      );
      await relayOnce(database.pool, temporal.client);
      await data.start();
      await eventually(isWaiting, 'a chunk in the middle of its work');
      await data.kill();
      await client.query('delete from events where project_id = $1 and id = $2', [projectId, id]);
    });
    expect(await countExpanded()).toBeLessThan(REQUESTS * ORDERS_PER_REQUEST);
    // Every third request's orders are written again: the same orders in two workflows.
    for (let n = 0; n < REQUESTS; n += 3) await write(n, ['b', `d${n}`]);
    await relayOnce(database.pool, temporal.client);
    for (let kills = 0; kills < 3; kills += 1) {
      const before = await countExpanded();
      await data.start();
      const target = Math.min(before + 1 + Math.floor(Math.random() * 60), REQUESTS * ORDERS_PER_REQUEST - 20);
      await eventually(async () => (await countExpanded()) >= target, 'more orders expanded');
      await data.kill();
    }
    await data.start();
    await eventually(async () => (await openRequests(database.pool, projectId)).length === 0, 'all orders expanded');
    expect(await countExpanded()).toBe(REQUESTS * ORDERS_PER_REQUEST);
    expect(await findDifferences(database.pool, projectId)).toEqual([]);
    expect(await readEvents(database.pool, projectId)).toHaveLength((REQUESTS / 3) * ORDERS_PER_REQUEST * (2 + 3 + 3));
    expect(await mostAttempts(first)).toBeGreaterThan(1);
  });
});
