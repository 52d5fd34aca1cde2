/** Trainings by the real workflows, activities and thread, from events in the tables to models in the blob store. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createUserActivities } from '../../../activities/data/userHistories.ts';
import { createTrainingRoundActivities } from '../../../activities/data/trainings.ts';
import { createTrainingActivities } from '../../../activities/training/index.ts';
import { createSolver, type Solver } from '../../../activities/training/solver.ts';
import { findModel, openTraining, type StoredModel } from '../../../db/training/models.ts';
import { jobWorkflowId } from '../../../domain/jobs/ids.ts';
import { QUEUES } from '../../../domain/jobs/queues.ts';
import type { ModelKind } from '../../../domain/training/models.ts';
import { createLocalBlobStore } from '../../../platform/blobs/createBlobStore.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import type { TrainedProject } from '../../output/support/trainedModels.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { relayOnce } from '../../support/items/analysis.ts';
import { createTestProject } from '../../support/project.ts';
import { createTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import { testWorkflowBundle } from '../../support/workflows/workflows.ts';

export type Activities = ReturnType<typeof createTrainingActivities>;

/** The project is a new one in each test. */
export interface TrainingStage extends TrainedProject {
  temporal: TestTemporal;
  /** The work folder of the activities. */
  workDir: string;
  solver: Solver;
  /** Starts the worker of trainings; its activities may be wrapped. It stops after the test. */
  start(wrap?: (activities: Activities) => Activities, solver?: Solver): Promise<void>;
  stop(): Promise<void>;
  /** Opens a training, and waits for its end. */
  train(kind?: ModelKind): Promise<StoredModel>;
  handleOf(modelId: string): WorkflowHandle;
}

export const PLANTING = { people: 240, items: 60, events: 16, groups: 6, days: 60 };
const logger = createLogger('test', 'silent');

/** Registers the hooks; call it before other hooks of the file. */
export function stageTrainings(): TrainingStage {
  const stage = {} as TrainingStage;
  let database: TestDatabase;
  let folder: string;
  let stopShared: () => Promise<void>;
  let stopTraining: (() => Promise<void>) | null = null;
  beforeAll(async () => {
    stage.temporal = await createTestTemporal();
    database = await createTestDatabase();
    stage.pool = database.pool;
    folder = await mkdtemp(join(tmpdir(), 'attune-training-'));
    await Promise.all(['blobs', 'work'].map((name) => mkdir(join(folder, name))));
    stage.blobs = createLocalBlobStore(join(folder, 'blobs'));
    stage.workDir = join(folder, 'work');
    stage.solver = createSolver();
    stopShared = await startShared(stage);
  });
  beforeEach(async () => {
    stage.projectId = await createTestProject(stage.pool);
  });
  afterEach(() => stage.stop());
  afterAll(async () => {
    await stopShared?.();
    await stage.solver?.close();
    await stage.temporal?.close();
    await database?.drop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });
  stage.start = async (wrap = (same) => same, solver = stage.solver) => {
    const { pool, blobs, workDir } = stage;
    const activities = wrap(createTrainingActivities({ pool, blobs, workDir, solver, logger }));
    stopTraining = run(await Worker.create({ ...ofTemporal(stage), taskQueue: QUEUES.training, activities }));
  };
  stage.stop = async () => {
    await stopTraining?.();
    stopTraining = null;
  };
  stage.handleOf = (entityId) =>
    stage.temporal.client.workflow.getHandle(jobWorkflowId({ kind: 'training', projectId: stage.projectId, entityId }));
  stage.train = async (kind = 'full') => {
    const opened = await openTraining(stage.pool, { projectId: stage.projectId, kind, requestId: null });
    if (!opened) throw new Error('another training is under way');
    await relayOnce(stage.pool, stage.temporal.client);
    await stage.handleOf(opened.id).result();
    return found(stage, opened.id);
  };
  return stage;
}

export async function found({ pool, projectId }: TrainingStage, modelId: string): Promise<StoredModel> {
  const model = await findModel(pool, { projectId, modelId });
  if (!model) throw new Error('there is no such model');
  return model;
}

/** Does the first pass of the workflow deleteUser or linkUser. */
export async function settle({ pool, projectId }: TrainingStage, kind: 'user-delete' | 'user-link'): Promise<void> {
  const activities = createUserActivities({ pool, logger });
  const step = kind === 'user-delete' ? activities.purgeUser : activities.moveHistory;
  const { rows } = await pool.query<{ entityId: string }>(
    'select entity_id as "entityId" from jobs where project_id = $1 and kind = $2',
    [projectId, kind],
  );
  // Otherwise the workflow of the job would do the same again meanwhile.
  await pool.query('delete from outbox where project_id = $1 and kind = $2', [projectId, kind]);
  for (const { entityId } of rows) {
    let state = 'more';
    while (state === 'more') {
      ({ state } = (await new MockActivityEnvironment().run(step, { projectId, entityId }, false)) as {
        state: string;
      });
    }
  }
}

/** Reads the companions of each item that a training has stored. */
export async function storedCompanions({ pool, projectId }: TrainingStage): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ item: string; companions: string[] }>(
    'select item_id as item, companions from item_companions where project_id = $1',
    [projectId],
  );
  if (rows.length === 0) throw new Error('no companions are stored');
  return new Map(rows.map(({ item, companions }) => [item, companions]));
}

/** Starts the workers that all tests of a file share. @returns the function that stops them */
async function startShared(stage: TrainingStage): Promise<() => Promise<void>> {
  const { pool } = stage;
  return run(
    await Worker.create({
      ...ofTemporal(stage),
      taskQueue: QUEUES.workflow,
      workflowBundle: await testWorkflowBundle(),
    }),
    await Worker.create({
      ...ofTemporal(stage),
      taskQueue: QUEUES.data,
      activities: { ...createTrainingRoundActivities({ pool, logger }), ...createUserActivities({ pool, logger }) },
    }),
  );
}

const ofTemporal = ({ temporal }: TrainingStage) => ({
  connection: temporal.nativeConnection,
  namespace: temporal.namespace,
});

/** @returns the function that stops them */
function run(...workers: Worker[]): () => Promise<void> {
  const running = workers.map((worker) => worker.run());
  return async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  };
}
