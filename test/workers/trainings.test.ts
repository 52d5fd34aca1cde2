/** A training as an installation runs it, in the process of workers/analytics.ts, which is killed in the middle. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { createLocalBlobStore } from '../../platform/blobs/local.ts';
import { findModel, openTraining } from '../../db/training/models.ts';
import { jobWorkflowId } from '../../domain/jobs/ids.ts';
import { rangesOf } from '../../domain/training/trainingMessages.ts';
import { trainingBlobFolder } from '../../domain/training/models.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { plantProject } from '../output/support/plantedProject.ts';
import { largestDifference, weightsByName } from '../output/support/modelWeights.ts';
import { publishedFile, trainedAnew } from '../output/support/trainedModels.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { lakeEnv, openTestLake, type TestLake } from '../support/lake/lake.ts';
import { createTestProject } from '../support/project.ts';
import { createRestartedWorker, type RestartedWorker } from '../support/programs/restartedWorker.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { workerEnv } from '../support/programs/workerProcess.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

/** Just enough items for two steps in each part. */
const PLANTING = { people: 400, items: 5_100, events: 32, groups: 30, days: 60 };
const STEPS = 4;
/** Only ends a hang: two trainings take minutes on an idle machine, and the usual limits are ten minutes at most. */
const TRAININGS_MS = 1_800_000;

let database: TestDatabase;
let temporal: TestTemporal;
let lake: TestLake;
let analytics: RestartedWorker;
let projectId: string;
let stopWorkflows: () => Promise<void>;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), createTestTemporal()]);
  lake = await openTestLake(database.url);
  analytics = await createRestartedWorker('analytics', {
    ...workerEnv(database.url, temporal),
    ...lakeEnv(lake.settings),
  });
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
  await analytics.start();
});
afterAll(async () => {
  await analytics?.close();
  await stopWorkflows?.();
  await temporal?.close();
  await lake?.close();
  await database?.drop();
});

describe('a training whose process is killed', () => {
  it(
    'continues with the columns that were solved, and gives the same model as an undisturbed one',
    async () => {
      const { pool } = database;
      const opened = await openTraining(pool, { projectId, kind: 'full', requestId: null });
      const modelId = opened?.id ?? '';
      await relayOnce(pool, temporal.client);
      const folder = join(analytics.dataDir, 'blobs', trainingBlobFolder(projectId, modelId));
      const solved = async (): Promise<string[]> =>
        (await readdir(folder).catch(() => [])).filter((name) => /^(taste|transition)-/.test(name));
      await eventually(async () => (await solved()).length > 0, 'the first columns', TRAININGS_MS / 2);
      await analytics.kill();
      const kept = await solved();
      expect(kept.length).toBeLessThan(STEPS);
      const inodes = await Promise.all(kept.map(async (name) => (await stat(join(folder, name))).ino));
      expect(await findModel(pool, { projectId, modelId })).toMatchObject({ state: 'training' });

      await analytics.start();
      const handle = temporal.client.workflow.getHandle(
        jobWorkflowId({ kind: 'training', projectId, entityId: modelId }),
      );
      expect(await handle.result()).toEqual({ state: 'published', reason: null });
      // Solved columns were not solved again: a blob that is rewritten is a different file.
      expect(await Promise.all(kept.map(async (name) => (await stat(join(folder, name))).ino))).toEqual(inodes);
      const project = { pool, projectId, blobs: createLocalBlobStore(join(analytics.dataDir, 'blobs')) };
      const [made, anew] = [await publishedFile(project), await trainedAnew(project)];
      expect(rangesOf({ taste: made.ids.length, transition: made.ids.length })).toHaveLength(STEPS);
      for (const part of ['taste', 'transition'] as const)
        expect(largestDifference(weightsByName(made, part), weightsByName(anew, part))).toBeLessThan(1e-6);
      expect((await readdir(join(analytics.dataDir, 'work'))).filter((name) => /^\d+-/.test(name))).toEqual([]);
    },
    TRAININGS_MS,
  );
});
