/**
 * The workflow `importItems` over a real Temporal, with its activities in the process that runs them in production.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { uuidv7 } from 'uuidv7';
import { createLocalBlobStore } from '../../platform/blobs/local.ts';
import { findImport, insertImport, listImportErrors } from '../../db/jobs/imports.ts';
import { importBlobFolder, jobWorkflowId } from '../../domain/jobs/ids.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { startWorkflow } from '../../loops/relay/startWorkflow.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createTestProject } from '../support/project.ts';
import { keepHistory, largestPayload } from '../support/workflows/replay.ts';
import { createTestTemporal, createTimeSkippingEnv, type TestTemporal } from '../support/temporal.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

let database: TestDatabase;
let temporal: TestTemporal;
let projectId: string;
let folder: string;
let dataWorker: ChildProcess;
let stop: () => Promise<void>;

/** Starts `workers/data.ts` as in an installation; resolves when it polls for work. */
async function startDataWorker(): Promise<ChildProcess> {
  const { NODE_OPTIONS: _forJestOnly, ...own } = process.env;
  const env = {
    ...own,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    SECRET_KEY: 'x'.repeat(44),
    REQUIRE_HTTPS: 'false',
    ATTUNE_DATA_DIR: folder,
    LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, ['workers/data.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const closed = once(child, 'exit');
  child.kill(signal);
  await closed;
}

beforeAll(async () => {
  [database, temporal, folder] = await Promise.all([
    createTestDatabase(),
    createTestTemporal(),
    mkdtemp(join(tmpdir(), 'attune-imports-')),
  ]);
  await mkdir(join(folder, 'blobs'));
  projectId = await createTestProject(database.pool);
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    taskQueue: QUEUES.workflow,
    workflowBundle: await testWorkflowBundle(),
  });
  const running = worker.run();
  stop = async () => {
    worker.shutdown();
    await running;
  };
  dataWorker = await startDataWorker();
});
afterAll(async () => {
  if (dataWorker) await end(dataWorker, 'SIGTERM');
  await stop?.();
  await temporal?.close();
  await rm(folder, { recursive: true, force: true });
  await database?.drop();
});

/** Does what the intake and the relay do with a file. The items are not analysed, which this test does not need. */
async function start(content: string) {
  const id = uuidv7();
  const blobKey = `${importBlobFolder(projectId, id)}/file`;
  await writeFile(join(folder, 'upload'), content);
  await createLocalBlobStore(join(folder, 'blobs')).putFile(blobKey, join(folder, 'upload'));
  await insertImport(database.pool, {
    projectId,
    id,
    format: 'jsonl',
    blobKey,
    bytes: Buffer.byteLength(content),
    requestId: null,
  });
  await startWorkflow(temporal.client, {
    id: '0',
    refusals: 0,
    waitMs: 0,
    attemptsMade: 0,
    scheduleStart: 0,
    webhookId: null,
    errorCode: null,
    dueAt: null,
    kind: 'import',
    projectId,
    entityId: id,
    priority: 4,
    requestId: null,
  });
  return { id, handle: temporal.client.workflow.getHandle(jobWorkflowId({ kind: 'import', projectId, entityId: id })) };
}

const lines = (name: string, many: number): string =>
  Array.from({ length: many }, (_, n) => `{"id":"${name}${n}","type":"text","title":"секрет ${n}"}\n`).join('');

describe('importItems', () => {
  it('checks every five minutes whether its stopped project is active again', async () => {
    const environment = await createTimeSkippingEnv();
    const looked: number[] = [];
    const workers = await Promise.all([
      Worker.create({
        connection: environment.nativeConnection,
        taskQueue: QUEUES.workflow,
        workflowBundle: await testWorkflowBundle(),
      }),
      Worker.create({
        connection: environment.nativeConnection,
        taskQueue: QUEUES.data,
        activities: {
          async importChunk() {
            const progress = { done: 500, failed: 0, percent: 50 };
            if (looked.push(await environment.currentTimeMs()) < 4)
              return { ...progress, state: 'running', isPaused: true };
            return { ...progress, state: 'done', done: 1_000, percent: 100 };
          },
        },
      }),
    ]);
    const running = workers.map((worker) => worker.run());
    try {
      const handle = await environment.client.workflow.start('importItems', {
        workflowId: uuidv7(),
        taskQueue: QUEUES.workflow,
        args: [{ projectId, entityId: uuidv7() }],
      });
      expect(await handle.result()).toEqual({ state: 'done', done: 1_000, failed: 0, percent: 100 });
      await keepHistory('import-items-paused', handle);
    } finally {
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      await environment.teardown();
    }
    const pauses = looked.slice(1).map((at, index) => Math.round((at - (looked[index] ?? 0)) / 60_000));
    expect(pauses).toEqual([5, 5, 5]);
  });

  // proves: decisions-imports/progress
  it('continues until the file is read, and leaves none of its texts in the history', async () => {
    const { id, handle } = await start(`${lines('a', 1_100)}{"id":""}\n`);
    expect(await handle.result()).toEqual({ state: 'done', done: 1_100, failed: 1, percent: 100 });
    const ref = { projectId, entityId: id };
    expect(await findImport(database.pool, ref)).toMatchObject({ state: 'done', done: 1_100, failed: 1 });
    expect(await listImportErrors(database.pool, ref)).toMatchObject([{ line: 1_101 }]);
    const history = await keepHistory('import-items', handle);
    expect(history.events?.filter((event) => event.activityTaskScheduledEventAttributes)).toHaveLength(3);
    expect(largestPayload(history)).toBeLessThan(250);
    expect(JSON.stringify(history)).not.toContain('секрет');
  });

  // proves: decisions-imports/resumable
  it('finishes completely if its worker is killed in the middle', async () => {
    const { id, handle } = await start(lines('b', 20_000));
    const ref = { projectId, entityId: id };
    await eventually(async () => ((await findImport(database.pool, ref))?.done ?? 0) > 2_000, 'the first lines');
    await end(dataWorker, 'SIGKILL');
    const atKill = await findImport(database.pool, ref);
    expect(atKill?.state).toBe('running');
    dataWorker = await startDataWorker();
    // Temporal notices the loss after 30 s without a heartbeat.
    expect(await handle.result()).toEqual({ state: 'done', done: 20_000, failed: 0, percent: 100 });
    const { rows } = await database.pool.query(
      "select count(*)::int as items from items where project_id = $1 and id like 'b%'",
      [projectId],
    );
    expect(rows).toEqual([{ items: 20_000 }]);
  });
});
