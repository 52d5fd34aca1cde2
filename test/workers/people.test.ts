/** The process of the queue `data` is killed while it moves one history and purges another. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { inTransaction } from '../../db/pool.ts';
import { jobWorkflowId } from '../../domain/jobs/ids.ts';
import type { JobKind } from '../../domain/jobs/jobs.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { addHistory, countHistory, identityOf, link, remove, type People } from '../support/people/people.ts';
import { createTestProject } from '../support/project.ts';
import { createRestartedWorker, type RestartedWorker } from '../support/programs/restartedWorker.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { workerEnv } from '../support/programs/workerProcess.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

/** Facts of each history: a little more than three chunks (activities/data/userHistories.ts). */
const FACTS = 16_000;
const STATES = 300;

let database: TestDatabase;
let temporal: TestTemporal;
let data: RestartedWorker;
let people: People;
let stopWorkflows: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  temporal = await createTestTemporal();
  data = await createRestartedWorker('data', workerEnv(database.url, temporal));
  people = { pool: database.pool, projectId: await createTestProject(database.pool) };
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
afterAll(async () => {
  await data?.close();
  await stopWorkflows?.();
  await temporal?.close();
  await database?.drop();
});

/** Counts the chunks that wait in the middle of their transactions. */
async function countWaiting(): Promise<number> {
  const { rows } = await database.pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'attune-data' and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

async function mostAttempts(kind: JobKind, entityId: string): Promise<number> {
  const { events } = await temporal.client.workflow
    .getHandle(jobWorkflowId({ kind, projectId: people.projectId, entityId }))
    .fetchHistory();
  return Math.max(...(events ?? []).map((event) => event.activityTaskStartedEventAttributes?.attempt ?? 0));
}

describe('workers/data.ts', () => {
  it('moves and purges every row once, even if it is killed in the middle of both', async () => {
    const device = await identityOf(people, 'anonymous', 'd');
    const user = await identityOf(people, 'user', 'u');
    const doomed = await identityOf(people, 'user', 'doomed');
    for (const id of [device, doomed]) await addHistory(people, id, { facts: FACTS, states: STATES, orders: 50 });
    await addHistory(people, user, { states: STATES });
    await link(people, 'u', 'd');
    await remove(people, 'user', 'doomed');
    // A state of each is locked, so that both have certainly done some chunks and are in the middle of another.
    await inTransaction(database.pool, async (client) => {
      await client.query(
        `select from event_states where project_id = $1 and identity_id = any($2::bigint[]) and item_id = 'item-150' for update`,
        [people.projectId, [device, doomed]],
      );
      await relayOnce(database.pool, temporal.client);
      await data.start();
      await eventually(async () => (await countWaiting()) === 2, 'both chunks in the middle of their work');
      await data.kill();
    });
    const [moved, left] = [await countHistory(people, user), await countHistory(people, doomed)];
    expect(moved.facts).toBeGreaterThan(0);
    expect(left.facts).toBeLessThan(FACTS);
    expect((await countHistory(people, device)).states).toBe(STATES);
    await data.start();
    const rest = async () =>
      [await countHistory(people, device), await countHistory(people, doomed)].reduce(
        (sum, { facts, states, orders }) => sum + facts + states + orders,
        0,
      );
    await eventually(async () => (await rest()) === 0, 'nothing left');
    expect(await countHistory(people, user)).toEqual({ facts: FACTS, states: STATES, orders: 50 });
    const { rows } = await people.pool.query(
      'select type, sum(events)::int as events, sum(value_sum) as values from item_event_totals where project_id = $1 group by type order by type',
      [people.projectId],
    );
    expect(rows).toEqual([
      { type: 'like', events: STATES, values: STATES },
      { type: 'share', events: FACTS, values: 2 * FACTS },
    ]);
    expect(await mostAttempts('user-link', device)).toBeGreaterThan(1);
    expect(await mostAttempts('user-delete', doomed)).toBeGreaterThan(1);
  });
});
