import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { createDataActivities } from '../../activities/data/index.ts';
import { createLocalBlobStore } from '../../platform/blobs/createBlobStore.ts';
import { writeOrders } from '../../db/orders/writeOrders.ts';
import { jobWorkflowId } from '../../domain/jobs/ids.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { SEARCH_ATTRIBUTES } from '../../domain/jobs/searchAttributes.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { createValidators } from '../../domain/schemas/validation.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { findDifferences, openRequests, order, readEvents, request } from '../support/people/orders.ts';
import { createTestProject } from '../support/project.ts';
import { keepHistory, largestPayload } from '../support/workflows/replay.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

let database: TestDatabase;
let temporal: TestTemporal;
let projectId: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  temporal = await createTestTemporal();
  projectId = await createTestProject(database.pool);
  const shared = { connection: temporal.nativeConnection, namespace: temporal.namespace };
  const activities = createDataActivities({
    pool: database.pool,
    blobs: createLocalBlobStore('/nowhere'),
    validators: createValidators({ isMediaUrl: () => true }),
    logger: createLogger('test', 'silent'),
  });
  const workers = [
    await Worker.create({ ...shared, taskQueue: QUEUES.workflow, workflowBundle: await testWorkflowBundle() }),
    await Worker.create({ ...shared, taskQueue: QUEUES.data, activities }),
  ];
  const running = workers.map((worker) => worker.run());
  stop = async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  };
});
afterAll(async () => {
  await stop?.();
  await temporal?.close();
  await database?.drop();
});

const handleOf = (entityId: string) =>
  temporal.client.workflow.getHandle(jobWorkflowId({ kind: 'orders', projectId, entityId }));

/**
 * Writes orders and starts their workflow, as the intake and the relay do.
 * @returns the handle of the workflow
 */
async function send(orderIds: readonly string[], items: readonly string[]) {
  await writeOrders(
    database.pool,
    request(projectId),
    orderIds.map((id) => order(id, items)),
  );
  const [id = ''] = await openRequests(database.pool, projectId);
  await relayOnce(database.pool, temporal.client);
  return handleOf(id);
}

describe('expandOrders', () => {
  // proves: decisions-orders/one-workflow
  it('expands a request of 250 orders in three chunks, which leave a small history', async () => {
    const ids = Array.from({ length: 250 }, (_, n) => `o${n}`);
    const handle = await send(ids, ['x', 'y', 'z']);
    expect(await handle.result()).toEqual({ orders: 250 });
    expect(await readEvents(database.pool, projectId)).toHaveLength(750);
    expect(await findDifferences(database.pool, projectId)).toEqual([]);
    expect(await openRequests(database.pool, projectId)).toEqual([]);
    const history = await keepHistory('expand-orders', handle);
    expect(history.events?.filter((event) => event.activityTaskScheduledEventAttributes)).toHaveLength(3);
    // Too small for 250 ids or lines.
    expect(largestPayload(history)).toBeLessThan(250);
    const { searchAttributes } = await handle.describe();
    expect(searchAttributes[SEARCH_ATTRIBUTES.kind]).toEqual(['orders']);
  });

  it('changes nothing if it is started again after its job was closed', async () => {
    const first = await send(['again'], ['x']);
    await first.result();
    const before = await readEvents(database.pool, projectId, 'again');
    const entityId = first.workflowId.split('/').at(-1) ?? '';
    const second = await temporal.client.workflow.start('expandOrders', {
      workflowId: first.workflowId,
      taskQueue: QUEUES.workflow,
      args: [{ projectId, entityId }],
    });
    expect(await second.result()).toEqual({ orders: 0 });
    expect(await readEvents(database.pool, projectId, 'again')).toEqual(before);
  });

  it('tries a chunk again that the database did not accept', async () => {
    // The trigger, which fails twice, stands for any transient failure.
    await database.pool.query('create sequence tries');
    await database.pool.query(
      `create function fail_twice() returns trigger language plpgsql as $$ begin if nextval('tries') <= 2 then raise exception 'not now'; end if; return new; end $$`,
    );
    await database.pool.query(
      'create trigger fail_twice before insert on events for each statement execute function fail_twice()',
    );
    const handle = await send(['retried'], ['x', 'y']);
    expect(await handle.result()).toEqual({ orders: 1 });
    await database.pool.query('drop trigger fail_twice on events');
    expect(await readEvents(database.pool, projectId, 'retried')).toHaveLength(2);
  });
});
