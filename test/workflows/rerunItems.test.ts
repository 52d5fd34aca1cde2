/** Reruns with the real workflow: on request, after a change of models, and across the death of their worker. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { uuidv7 } from 'uuidv7';
import { createRerunActivities } from '../../activities/data/rerun.ts';
import { putItem } from '../../db/items/writeItems.ts';
import { findRerun, openRerun, type StoredRerun } from '../../db/reruns/reruns.ts';
import { recordModels } from '../../db/analysis/stepModels.ts';
import { jobWorkflowId } from '../../domain/jobs/ids.ts';
import type { StepModels } from '../../domain/analysis/stepModels.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import type { RerunFilter } from '../../domain/items/reruns.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { Reconciler } from '../../loops/relay/reconcile.ts';
import { relayOnce, startAnalysis } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeProviders, FAKE_MODELS } from '../support/items/fakeProviders.ts';
import { addSilentWebhook, snapshot } from '../support/items/items.ts';
import { createTestProject, textItem } from '../support/project.ts';
import { keepHistory, largestPayload } from '../support/workflows/replay.ts';
import { createTestTemporal, createTimeSkippingEnv, type TestTemporal } from '../support/temporal.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

const ALL: RerunFilter = { status: null, steps: null };
const logger = createLogger('test', 'silent');

let database: TestDatabase;
let temporal: TestTemporal;
let projectId: string;
let running: (() => Promise<void>)[] = [];
const providers = createFakeProviders();

beforeAll(async () => {
  database = await createTestDatabase();
  temporal = await createTestTemporal();
});
afterAll(async () => {
  await temporal?.close();
  await database?.drop();
});
beforeEach(async () => {
  providers.calls.length = 0;
  await database.pool.query('delete from step_models');
  // Archives the projects of earlier tests: a change of models leaves archived projects alone.
  await database.pool.query(`update projects set state = 'archived'`);
  projectId = await createTestProject(database.pool);
  await addSilentWebhook(database.pool, projectId);
});
afterEach(stopAll);

async function stopAll(): Promise<void> {
  await Promise.all(running.map((stop) => stop()));
  running = [];
}

/** Starts all workers of an installation with this configuration. */
async function start(models: StepModels, itemsPerSecond: number): Promise<void> {
  running.push(await startAnalysis({ pool: database.pool, ...temporal, providers, models }));
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    taskQueue: QUEUES.data,
    shutdownGraceTime: 500,
    activities: createRerunActivities({
      pool: database.pool,
      logger,
      rerunItemsPerSecond: itemsPerSecond,
      rerunRoundPauseMs: 0,
    }),
  });
  const ended = worker.run();
  running.push(async () => {
    worker.shutdown();
    await ended;
  });
}

const look = (id: string) => snapshot(database.pool, projectId, id);
const rerunHandle = (entityId: string) =>
  temporal.client.workflow.getHandle(jobWorkflowId({ kind: 'rerun', projectId, entityId }));
const relay = () => relayOnce(database.pool, temporal.client);

async function putReady(ids: readonly string[]): Promise<void> {
  for (const itemId of ids)
    await putItem(database.pool, { projectId, itemId, content: textItem(), origin: 'api', requestId: null });
  await relay();
  await untilFinal(ids, 1);
}

/** Opens a rerun. */
async function open(asked: { filter: RerunFilter; requestId: string | null }): Promise<StoredRerun> {
  const rerun = await openRerun(database.pool, { projectId, ...asked });
  if (typeof rerun === 'string') throw new Error(rerun);
  return rerun;
}

/** Waits until each item is ready and has that many events. */
async function untilFinal(ids: readonly string[], events: number): Promise<void> {
  await eventually(async () => {
    await relay();
    return (await Promise.all(ids.map(look))).every((item) => item.events.length >= events && item.status === 'ready');
  }, `event ${events} of every item`);
}

describe('rerunItems', () => {
  it('analyses everything again, with one event for each item, and leaves a small history', async () => {
    await start(FAKE_MODELS, 1_000);
    const ids = ['a', 'b', 'c'];
    await putReady(ids);
    const { id } = await open({ filter: ALL, requestId: 'asked' });
    await relay();
    expect(await rerunHandle(id).result()).toEqual({ seen: 3, done: 3 });
    await untilFinal(ids, 2);
    expect((await Promise.all(ids.map(look))).map(({ events, revision }) => [events, revision])).toEqual(
      ids.map(() => [['item.processed', 'item.processed'], 2]),
    );
    const history = await keepHistory('rerun', rerunHandle(id));
    expect(largestPayload(history)).toBeLessThan(1_024);
  });

  // proves: decisions-items/model-rate
  it('pauses after each page for as long as its rate requires', async () => {
    const environment = await createTimeSkippingEnv();
    const { nativeConnection: connection } = environment;
    const began: number[] = [];
    const workers = await Promise.all([
      Worker.create({ connection, taskQueue: QUEUES.workflow, workflowBundle: await testWorkflowBundle() }),
      Worker.create({
        connection,
        taskQueue: QUEUES.data,
        activities: {
          async rerunNextItems() {
            const pages = began.push(await environment.currentTimeMs());
            const isDone = pages === 3;
            return { isDone, seen: pages, done: pages, pauseMs: isDone ? 0 : pages * 600_000 };
          },
        },
      }),
    ]);
    const ended = workers.map((worker) => worker.run());
    try {
      const handle = await environment.client.workflow.start('rerunItems', {
        workflowId: uuidv7(),
        taskQueue: QUEUES.workflow,
        args: [{ projectId, entityId: uuidv7() }],
      });
      expect(await handle.result()).toEqual({ seen: 3, done: 3 });
    } finally {
      for (const worker of workers) worker.shutdown();
      await Promise.all(ended);
      await environment.teardown();
    }
    const pauses = began.slice(1).map((at, index) => Math.floor((at - (began[index] ?? 0)) / 600_000));
    expect(pauses).toEqual([1, 2]);
  });

  it('continues where it was after its workflow was lost, and handles no item twice', async () => {
    await start(FAKE_MODELS, 1);
    const ids = Array.from({ length: 13 }, (_, index) => `i${String(index).padStart(2, '0')}`);
    await putReady(ids);
    const { id } = await open({ filter: { status: null, steps: ['embedding'] }, requestId: null });
    await relay();
    // The first page of ten, after which it pauses for ten seconds.
    await eventually(async () => (await findRerun(database.pool, projectId, id))?.done === 10, 'the first page');
    await rerunHandle(id).terminate('lost');
    await stopAll();
    await start(FAKE_MODELS, 1_000);
    await untilFinal(ids.slice(0, 10), 2);
    await database.pool.query(`update jobs set created_at = now() - interval '1 hour'`);
    await new Reconciler({ pool: database.pool, client: temporal.client, logger }).pass();
    await relay();
    expect(await rerunHandle(id).result()).toEqual({ seen: 13, done: 13 });
    await untilFinal(ids, 2);
    expect((await Promise.all(ids.map(look))).map(({ events }) => events.length)).toEqual(ids.map(() => 2));
    expect(await findRerun(database.pool, projectId, id)).toMatchObject({ state: 'done', done: 13 });
  });
});

describe('a change of the configured model', () => {
  // proves: webhook-kinds/2, decisions-items/model-change
  it('computes outdated results again, and nothing else', async () => {
    const before: StepModels = { ...FAKE_MODELS, embedding: 'fake/1' };
    const after: StepModels = { ...FAKE_MODELS, embedding: 'fake/2' };
    await start(before, 1_000);
    await recordModels(database.pool, before);
    await putReady(['a', 'b']);
    expect((await look('a')).steps).toMatchObject({ summary: { model: 'fake/1' }, embedding: { model: 'fake/1' } });
    await stopAll();

    providers.calls.length = 0;
    await start(after, 1_000);
    await Promise.all([recordModels(database.pool, after), recordModels(database.pool, after)]);
    await untilFinal(['a', 'b'], 2);
    expect(providers.calls).toEqual(['embedding', 'embedding']);
    expect((await look('a')).steps).toMatchObject({
      summary: { model: 'fake/1', revision: 1 },
      embedding: { model: 'fake/2', revision: 2 },
    });
    const { rows } = await database.pool.query<{ id: string }>('select id from reruns where project_id = $1', [
      projectId,
    ]);
    expect(rows).toHaveLength(1);
    await rerunHandle(rows[0]?.id ?? '').result();
    expect(await findRerun(database.pool, projectId, rows[0]?.id ?? '')).toMatchObject({
      state: 'done',
      reason: 'model',
      done: 2,
    });
    expect((await look('a')).events).toEqual(['item.processed', 'item.processed']);
  });
});
