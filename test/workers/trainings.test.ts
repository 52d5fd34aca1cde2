/** A training as an installation makes it, in the process of workers/analytics.ts, which is killed in the middle. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { createLocalBlobStore } from '../../blobs/local.ts';
import { findModel, openTraining } from '../../db/output/models.ts';
import { jobWorkflowId } from '../../domain/ids.ts';
import { trainingBlobFolder } from '../../domain/output/models.ts';
import { QUEUES } from '../../domain/queues.ts';
import { plantProject } from '../output/support/plantedProject.ts';
import { largestDifference, publishedFile, trainedAnew, weightsByName } from '../output/support/trainedModels.ts';
import { relayOnce } from '../support/analysis.ts';
import { bareEnv } from '../support/bareEnv.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testDuckdbExtensions } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { openTestLake, type TestLake } from '../support/lake.ts';
import { createTestProject } from '../support/project.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { testWorkflowBundle } from '../support/workflows.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
/** Of each part the columns are solved in three steps. */
const PLANTING = { people: 800, items: 9_000, events: 32, groups: 30, days: 60 };

let database: TestDatabase;
let temporal: TestTemporal;
let lake: TestLake;
let dataDir: string;
let projectId: string;
let child: ChildProcess | undefined;
let stopWorkflows: () => Promise<void>;

beforeAll(async () => {
  [database, temporal, dataDir] = await Promise.all([
    createTestDatabase(),
    createTestTemporal(),
    mkdtemp(join(tmpdir(), 'attune-training-worker-')),
  ]);
  await mkdir(join(dataDir, 'blobs'));
  lake = await openTestLake(database.url);
  projectId = await createTestProject(database.pool);
  await plantProject(database.pool, projectId, PLANTING);
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
  await start();
}, 180_000);
afterAll(async () => {
  await end('SIGTERM');
  await stopWorkflows?.();
  await temporal?.close();
  await lake?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

async function start(): Promise<void> {
  const { data, tempDir } = lake.settings;
  child = fork(`${ROOT}workers/analytics.ts`, {
    cwd: ROOT,
    silent: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      ...bareEnv(),
      DATABASE_URL: database.url,
      SECRET_KEY: 'a secret key of the tests, long enough',
      PUBLIC_URL: 'https://attune.example',
      LOG_LEVEL: 'warn',
      ATTUNE_DATA_DIR: dataDir,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      LAKE_DIR: data.kind === 'local' ? data.dir : '',
      LAKE_TEMP_DIR: join(tempDir, 'worker'),
      DUCKDB_EXTENSIONS_DIR: await testDuckdbExtensions(),
    },
  });
  child.stderr?.pipe(process.stderr);
  child.stdout?.resume();
  const [message] = (await once(child, 'message')) as [{ type?: string }];
  if (message.type !== 'ready') throw new Error(`the worker said ${JSON.stringify(message)} instead of ready`);
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

describe('a training whose process is killed', () => {
  it('goes on from the columns that were solved, to the model of a training that nothing disturbed', async () => {
    const { pool } = database;
    const opened = await openTraining(pool, { projectId, kind: 'full', requestId: null });
    const modelId = opened?.id ?? '';
    await relayOnce(pool, temporal.client);
    const folder = join(dataDir, 'blobs', trainingBlobFolder(projectId, modelId));
    const solved = async (): Promise<string[]> =>
      (await readdir(folder).catch(() => [])).filter((name) => /^(taste|transition)-/.test(name));
    await eventually(async () => (await solved()).length > 0, 'the first columns', 120_000);
    await end('SIGKILL');
    const kept = await solved();
    expect(kept.length).toBeLessThan(6);
    const inodes = await Promise.all(kept.map(async (name) => (await stat(join(folder, name))).ino));
    expect(await findModel(pool, { projectId, modelId })).toMatchObject({ state: 'training' });

    await start();
    const handle = temporal.client.workflow.getHandle(
      jobWorkflowId({ kind: 'training', projectId, entityId: modelId }),
    );
    expect(await handle.result()).toEqual({ state: 'published', reason: null });
    // What had been solved was not solved again; a blob that is written anew is another file.
    expect(await Promise.all(kept.map(async (name) => (await stat(join(folder, name))).ino))).toEqual(inodes);
    const project = { pool, projectId, blobs: createLocalBlobStore(join(dataDir, 'blobs')) };
    const [made, anew] = [await publishedFile(project), await trainedAnew(project)];
    for (const part of ['taste', 'transition'] as const)
      expect(largestDifference(weightsByName(made, part), weightsByName(anew, part))).toBeLessThan(1e-6);
    expect((await readdir(join(dataDir, 'work'))).filter((name) => /^\d+-/.test(name))).toEqual([]);
  }, 300_000);
});
