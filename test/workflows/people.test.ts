/** The workflows linkUser and deleteUser, with the pause between their passes skipped. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { createUserActivities } from '../../activities/data/userHistories.ts';
import { jobWorkflowId } from '../../domain/jobs/ids.ts';
import type { JobKind } from '../../domain/jobs/jobs.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addHistory, countHistory, identityOf, link, openJobs, remove, type People } from '../support/people/people.ts';
import { createTestProject } from '../support/project.ts';
import { keepHistory, largestPayload, MAX_PAYLOAD_BYTES, type History } from '../support/workflows/replay.ts';
import { createTimeSkippingEnv } from '../support/temporal.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

const NOTHING = { facts: 0, states: 0, orders: 0 };
/** A text within the names of the test's people, which no history may contain. */
const NAME = 'personal-name';

let database: TestDatabase;
let environment: TestWorkflowEnvironment;
let people: People;
let stop: () => Promise<void> = () => Promise.resolve();
let stopWorkflows: () => Promise<void> = stop;

beforeAll(async () => {
  database = await createTestDatabase();
  environment = await createTimeSkippingEnv();
  const workflowBundle = await testWorkflowBundle();
  stopWorkflows = await runWorker({ taskQueue: QUEUES.workflow, workflowBundle });
});
beforeEach(async () => {
  people = { pool: database.pool, projectId: await createTestProject(database.pool) };
});
afterEach(() => stop());
afterAll(async () => {
  await stopWorkflows();
  await environment.teardown();
  await database.drop();
});

type UserActivities = ReturnType<typeof createUserActivities>;

/** @returns the function that stops it */
async function runWorker(options: WorkerOptions): Promise<() => Promise<void>> {
  const worker = await Worker.create({ connection: environment.nativeConnection, ...options });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
  };
}

/** Starts the worker of the activities, which may be wrapped; all tests share that of the workflows. */
async function start(wrap: (activities: UserActivities) => UserActivities = (same) => same): Promise<void> {
  const activities = wrap(createUserActivities({ pool: database.pool, logger: createLogger('test', 'silent') }));
  const stopActivities = await runWorker({ taskQueue: QUEUES.data, activities });
  stop = async () => {
    await stopActivities();
    stop = () => Promise.resolve();
  };
}

const handleOf = (kind: JobKind, entityId: string) =>
  environment.client.workflow.getHandle(jobWorkflowId({ kind, projectId: people.projectId, entityId }));

async function run(kind: JobKind, entityId: string): Promise<unknown> {
  await relayOnce(people.pool, environment.client);
  return handleOf(kind, entityId).result();
}

/** Checks that the history contains ids and counts only. */
function expectPlain(history: History): void {
  expect(largestPayload(history)).toBeLessThan(MAX_PAYLOAD_BYTES);
  const text = textsOf(history.events).join('\n');
  expect(text).toContain(people.projectId);
  expect(text).not.toContain(NAME);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

async function makeUser(bulk: Parameters<typeof addHistory>[2]): Promise<{ user: string; device: string }> {
  const device = await identityOf(people, 'anonymous', `${NAME}-device`);
  await addHistory(people, device, bulk);
  await link(people, NAME, `${NAME}-device`);
  return { device, user: await identityOf(people, 'user', NAME) };
}

describe('linkUser', () => {
  // proves: decisions-people/link-rewriting
  it('moves the history, checks once more ten minutes later, and closes the job', async () => {
    const { device, user } = await makeUser({ facts: 12_000, states: 20, orders: 3 });
    const passes: boolean[] = [];
    await start((activities) => ({
      ...activities,
      moveHistory: async (input, isLastPass) => {
        // An intake that began before the link writes after the first pass.
        if (isLastPass && !passes.includes(true)) await addHistory(people, device, { states: 25 });
        passes.push(isLastPass);
        return activities.moveHistory(input, isLastPass);
      },
    }));
    const began = await environment.currentTimeMs();
    expect(await run('user-link', device)).toEqual({ rows: 12_000 + 20 + 3 + 25 });
    expect((await environment.currentTimeMs()) - began).toBeGreaterThanOrEqual(600_000);
    expect(passes).toEqual([false, false, false, true]);
    expect(await countHistory(people, device)).toEqual(NOTHING);
    expect(await countHistory(people, user)).toEqual({ facts: 12_000, states: 25, orders: 3 });
    expect(await openJobs(people)).toEqual([]);
    expectPlain(await keepHistory('link-user', handleOf('user-link', device)));
  });

  it('continues after lost chunks, done or not, and finds nothing when it is started again', async () => {
    const { device, user } = await makeUser({ facts: 11_000 });
    let calls = 0;
    await start((activities) => ({
      ...activities,
      moveHistory: async (input, isLastPass) => {
        calls += 1;
        if (calls === 1) throw new Error('lost before it was done');
        const chunk = await activities.moveHistory(input, isLastPass);
        if (calls === 2) throw new Error('lost after it was done');
        return chunk;
      },
    }));
    await run('user-link', device);
    expect(await countHistory(people, user)).toMatchObject({ facts: 11_000 });
    await people.pool.query(
      `insert into outbox (kind, project_id, entity_id, priority) values ('user-link', $1, $2, 4)`,
      [people.projectId, device],
    );
    expect(await run('user-link', device)).toEqual({ rows: 0 });
  });

  it('continues in a new run where the previous one stopped', async () => {
    const { device } = await makeUser({ facts: 3 });
    const passes: boolean[] = [];
    await start((activities) => ({
      ...activities,
      moveHistory: (input, isLastPass) => {
        passes.push(isLastPass);
        return activities.moveHistory(input, isLastPass);
      },
    }));
    const { projectId } = people;
    const options = {
      taskQueue: QUEUES.workflow,
      workflowId: `next-run/${projectId}`,
      args: [{ projectId, entityId: device, isLastPass: true, rows: 7 }],
    };
    expect(await environment.client.workflow.execute('linkUser', options)).toEqual({ rows: 10 });
    expect(passes).toEqual([true]);
    expect(await openJobs(people)).toEqual([]);
  });

  it('ends if its user is deleted meanwhile', async () => {
    const { device, user } = await makeUser({ facts: 10 });
    await start();
    await relayOnce(people.pool, environment.client);
    await remove(people, 'user', NAME);
    expect(await run('user-delete', user)).toEqual({ rows: 10 });
    await handleOf('user-link', device).result();
    expect(await openJobs(people)).toEqual([]);
    expect(await countHistory(people, user)).toEqual(NOTHING);
    expect(await countHistory(people, device)).toEqual(NOTHING);
  });
});

describe('deleteUser', () => {
  // proves: decisions-people/delete-purge
  it('purges, checks once more ten minutes later, and closes the job', async () => {
    const { device, user } = await makeUser({ facts: 6_000, states: 10, orders: 2 });
    await people.pool.query('delete from outbox');
    await remove(people, 'anonymous', `${NAME}-device`);
    const passes: boolean[] = [];
    await start((activities) => ({
      ...activities,
      purgeUser: async (input, isLastPass) => {
        if (isLastPass && !passes.includes(true)) await addHistory(people, user, { facts: 4 });
        passes.push(isLastPass);
        return activities.purgeUser(input, isLastPass);
      },
    }));
    const began = await environment.currentTimeMs();
    expect(await run('user-delete', user)).toEqual({ rows: 6_000 + 10 + 2 + 4 });
    expect((await environment.currentTimeMs()) - began).toBeGreaterThanOrEqual(600_000);
    // First a chunk for the orders, two for the facts, one for the states, and an empty one; then one for the late rows,
    // and an empty one.
    expect(passes).toEqual([false, false, false, false, false, true, true]);
    for (const id of [device, user]) expect(await countHistory(people, id)).toEqual(NOTHING);
    const { rows } = await people.pool.query(
      'select sum(events)::int as events from item_event_totals where project_id = $1',
      [people.projectId],
    );
    expect(rows).toEqual([{ events: 6_014 }]);
    expect((await openJobs(people)).map(({ kind }) => kind)).toEqual(['user-link']);
    expectPlain(await keepHistory('delete-user', handleOf('user-delete', user)));
  });
});
