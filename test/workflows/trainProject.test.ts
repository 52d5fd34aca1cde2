/**
 * The workflow trainProject from events in the tables to a model in the blob store, with its real activities and
 * thread.
 */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createTrainingRoundActivities } from '../../activities/data/trainings.ts';
import { createUserActivities } from '../../activities/data/people.ts';
import { createTrainingActivities } from '../../activities/training/index.ts';
import { createSolver, type Solver } from '../../activities/training/solver.ts';
import { BlobStoreError, createLocalBlobStore } from '../../platform/blobs/createBlobStore.ts';
import { findModel, listModels, openTraining, readPublishedModel, type StoredModel } from '../../db/training/models.ts';
import { readCurrentModel } from '../../db/training/keptModels.ts';
import { writeProfiles } from '../../db/people/profiles.ts';
import { readTrainings } from '../../db/training/trainingGauges.ts';
import { jobWorkflowId } from '../../domain/jobs/ids.ts';
import type { ModelKind } from '../../domain/training/models.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { readModel } from '../../output/models/modelStore.ts';
import { createLogger } from '../../platform/process/logger.ts';
import type { PlantedEvent } from '../support/people/plantedEvents.ts';
import { plantEvents, plantProject } from '../output/support/plantedProject.ts';
import { largestDifference, weightsByName } from '../output/support/modelWeights.ts';
import { companionsOf } from '../../output/training/companions.ts';
import { publishedFile, publishedModel, trainedAnew } from '../output/support/trainedModels.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { link, openJobs, remove } from '../support/people/people.ts';
import { createTestProject } from '../support/project.ts';
import { keepHistory, largestPayload, MAX_PAYLOAD_BYTES } from '../support/workflows/replay.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

const PLANTING = { people: 240, items: 60, events: 16, groups: 6, days: 60 };
const logger = createLogger('test', 'silent');

let database: TestDatabase;
let temporal: TestTemporal;
let folder: string;
let solver: Solver;
let projectId: string;
let stop: () => Promise<void> = () => Promise.resolve();
let stopShared: () => Promise<void> = stop;

beforeAll(async () => {
  temporal = await createTestTemporal();
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'attune-training-'));
  await Promise.all(['blobs', 'work'].map((name) => mkdir(join(folder, name))));
  solver = createSolver();
  stopShared = await startShared();
});
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
});
afterEach(() => stop());
afterAll(async () => {
  await stopShared();
  await solver?.close();
  await temporal?.close();
  await database?.drop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

type Activities = ReturnType<typeof createTrainingActivities>;
const blobs = () => createLocalBlobStore(join(folder, 'blobs'));

const ofTemporal = () => ({ connection: temporal.nativeConnection, namespace: temporal.namespace });

/** @returns the function that stops them */
function run(...workers: Worker[]): () => Promise<void> {
  const running = workers.map((worker) => worker.run());
  return async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  };
}

/** Starts the workers that all tests share. */
async function startShared(): Promise<() => Promise<void>> {
  const { pool } = database;
  return run(
    await Worker.create({ ...ofTemporal(), taskQueue: QUEUES.workflow, workflowBundle: await testWorkflowBundle() }),
    await Worker.create({
      ...ofTemporal(),
      taskQueue: QUEUES.data,
      activities: { ...createTrainingRoundActivities({ pool, logger }), ...createUserActivities({ pool, logger }) },
    }),
  );
}

/** Starts the worker of trainings; its activities may be wrapped. */
async function start(wrap: (activities: Activities) => Activities = (same) => same): Promise<void> {
  const { pool } = database;
  const training = createTrainingActivities({ pool, blobs: blobs(), workDir: join(folder, 'work'), solver, logger });
  const stopTraining = run(
    await Worker.create({ ...ofTemporal(), taskQueue: QUEUES.training, activities: wrap(training) }),
  );
  stop = async () => {
    await stopTraining();
    stop = () => Promise.resolve();
  };
}

/** Retries of the first step follow each other without a pause. */
const withoutPauses = (activities: Activities): Activities => ({
  ...activities,
  readEvents: (ref) =>
    activities.readEvents(ref).catch((error: unknown) => {
      if (!(error instanceof ApplicationFailure)) throw error;
      const { message, type, nonRetryable } = error;
      throw ApplicationFailure.create({
        message,
        type: type ?? '',
        nonRetryable: nonRetryable === true,
        nextRetryDelay: '1 ms',
      });
    }),
});

const handleOf = (modelId: string) =>
  temporal.client.workflow.getHandle(jobWorkflowId({ kind: 'training', projectId, entityId: modelId }));

async function train(kind: ModelKind = 'full'): Promise<StoredModel> {
  const opened = await openTraining(database.pool, { projectId, kind, requestId: null });
  if (!opened) throw new Error('another training is under way');
  await relayOnce(database.pool, temporal.client);
  await handleOf(opened.id).result();
  return found(opened.id);
}

async function found(modelId: string): Promise<StoredModel> {
  const model = await findModel(database.pool, { projectId, modelId });
  if (!model) throw new Error('there is no such model');
  return model;
}

const project = () => ({ pool: database.pool, projectId, blobs: blobs() });

/** Does the first pass of the workflow deleteUser or linkUser. */
async function settle(kind: 'user-delete' | 'user-link'): Promise<void> {
  const activities = createUserActivities({ pool: database.pool, logger });
  const step = kind === 'user-delete' ? activities.purgeUser : activities.moveHistory;
  const { rows } = await database.pool.query<{ entityId: string }>(
    'select entity_id as "entityId" from jobs where project_id = $1 and kind = $2',
    [projectId, kind],
  );
  // Otherwise the workflow of the job would do the same again meanwhile.
  await database.pool.query('delete from outbox where project_id = $1 and kind = $2', [projectId, kind]);
  for (const { entityId } of rows) {
    let state = 'more';
    while (state === 'more') {
      ({ state } = (await new MockActivityEnvironment().run(step, { projectId, entityId }, false)) as {
        state: string;
      });
    }
  }
}

const forgotten = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ n: number }>(
    'select count(*)::int as n from output_forgotten where project_id = $1',
    [projectId],
  );
  return rows[0]?.n ?? NaN;
};

async function storedCompanions(): Promise<Map<string, string[]>> {
  const { rows } = await database.pool.query<{ item: string; companions: string[] }>(
    'select item_id as item, companions from item_companions where project_id = $1',
    [projectId],
  );
  expect(rows.length).toBeGreaterThan(0);
  return new Map(rows.map(({ item, companions }) => [item, companions]));
}

describe('trainProject', () => {
  // proves: output-cabinet/models
  it('publishes a model that beats popularity, and leaves nothing else behind', async () => {
    const events = await plantProject(database.pool, projectId, PLANTING);
    await start();
    const model = await train();
    expect(model).toMatchObject({ state: 'published', kind: 'full', reason: null, events, items: 60, people: 240 });
    expect(model.quality?.ndcg).toBeGreaterThan(model.quality?.popular_7d ?? NaN);
    const file = await publishedFile(project());
    expect(file).toMatchObject({ id: model.id, blend: { content: 0.5 } });
    expect(file.ids).toHaveLength(60);
    for (const part of ['taste', 'transition'] as const)
      expect(largestDifference(weightsByName(file, part), weightsByName(await trainedAnew(project()), part))).toBe(0);
    expect(await storedCompanions()).toEqual(new Map(companionsOf(file).map((row) => [row.item, row.companions])));
    expect(await openJobs({ pool: database.pool, projectId })).toEqual([]);
    const { rows } = await database.pool.query('select folder from blob_garbage where project_id = $1', [projectId]);
    expect(rows).toEqual([{ folder: `training/${projectId}/${model.id}` }]);
    const history = await keepHistory('train-project', handleOf(model.id));
    expect(largestPayload(history)).toBeLessThan(MAX_PAYLOAD_BYTES);
    expect(await handleOf(model.id).result()).toEqual({ state: 'published', reason: null });
  });

  // proves: output-cabinet/model
  it('rejects a model that cannot be tested on anybody, and keeps the published one', async () => {
    await plantProject(database.pool, projectId, { ...PLANTING, people: 8 });
    await start();
    const model = await train();
    expect(model).toMatchObject({ state: 'rejected', reason: 'too_little_data', quality: null });
    expect(await readPublishedModel(database.pool, projectId)).toBeNull();
    // Nothing is ordered together, so no file is kept.
    expect(await readCurrentModel(database.pool, projectId)).toBeNull();
    const { rows } = await database.pool.query<{ folder: string }>(
      'select folder from blob_garbage where project_id = $1 order by folder',
      [projectId],
    );
    expect(rows.map(({ folder: removed }) => removed)).toEqual(
      ['models', 'training'].map((name) => `${name}/${projectId}/${model.id}`),
    );
  });

  // proves: output-cabinet/models
  it('rejects a model that is no better than popularity', async () => {
    // Each person begins with a unique item, which carries no information, and ends with the item that all end
    // with.
    await plantEvents(
      database.pool,
      projectId,
      Array.from({ length: 60 }, (_, person): PlantedEvent[] => [
        { person: person + 1, item: `own-${person}`, occurredAt: Date.UTC(2026, 8, 1) },
        { person: person + 1, item: 'hit', occurredAt: Date.UTC(2026, 8, person < 36 ? 15 : 20) },
      ]).flat(),
    );
    await start();
    const model = await train();
    expect(model).toMatchObject({ state: 'rejected', reason: 'below_popularity' });
    expect(model.quality).toMatchObject({ ndcg: 1, popular_7d: 1 });
  });

  it('keeps the pairs of orders of a rejected model, also if the answer of the step was lost', async () => {
    const cart = (person: number): PlantedEvent[] =>
      (person % 2 === 0 ? ['pan', 'lid'] : ['tea', 'cup']).map((item) => ({ person, item, occurredAt: Date.now() }));
    await plantEvents(database.pool, projectId, [1, 2, 3, 4, 5, 6, 7, 8].flatMap(cart));
    await database.pool.query(
      `update events set type = 'purchase', order_id = 'o-' || identity_id where project_id = $1`,
      [projectId],
    );
    let kept = 0;
    await start((activities) => ({
      ...activities,
      keepPairs: async (...args) => {
        await activities.keepPairs(...args);
        kept += 1;
        if (kept === 1) throw new Error('the worker was killed');
      },
    }));
    const model = await train();
    expect([kept, model.state, model.reason]).toEqual([2, 'rejected', 'too_little_data']);
    const current = await readCurrentModel(database.pool, projectId);
    expect(current).toMatchObject({ id: model.id, isPublished: false });
    const file = await readModel(blobs(), current?.blobKey ?? '');
    expect(file?.together.columns.length).toBeGreaterThan(0);
    expect([file?.taste.columns.length, file?.transition.columns.length]).toEqual([0, 0]);
    const { rows } = await database.pool.query('select folder from blob_garbage where project_id = $1', [projectId]);
    expect(rows).toEqual([{ folder: `training/${projectId}/${model.id}` }]);
    expect(await openJobs({ pool: database.pool, projectId })).toEqual([]);
    await keepHistory('train-project-pairs', handleOf(model.id));
  });

  it('replaces the previous model, whose file is removed an hour later', async () => {
    await plantProject(database.pool, projectId, PLANTING);
    await start();
    const first = await train();
    const second = await train();
    expect((await publishedModel(project())).id).toBe(second.id);
    const { rows } = await database.pool.query<{ minutes: number }>(
      `select extract(epoch from after - now())::float8 / 60 as minutes from blob_garbage where project_id = $1 and folder = $2`,
      [projectId, `models/${projectId}/${first.id}`],
    );
    expect(rows[0]?.minutes).toBeGreaterThan(55);
    expect((await listModels(database.pool, projectId, { after: null, limit: 9 })).map(({ id }) => id)).toEqual([
      second.id,
      first.id,
    ]);
  });

  it('runs one at a time', async () => {
    const open = () => openTraining(database.pool, { projectId, kind: 'full', requestId: null });
    const opened = await Promise.all([open(), open()]);
    expect(opened.filter((model) => model !== null)).toHaveLength(1);
    await database.pool.query('delete from outbox where project_id = $1', [projectId]);
  });

  it('does not solve again the columns of an attempt whose answer was lost', async () => {
    await plantProject(database.pool, projectId, PLANTING);
    let solved = 0;
    const asked: string[] = [];
    const real = solver;
    solver = {
      ...real,
      ask: async (question, signal) => {
        asked.push(question.step);
        return real.ask(question, signal);
      },
    };
    await start((activities) => ({
      ...activities,
      solveColumns: async (...args) => {
        await activities.solveColumns(...args);
        solved += 1;
        if (solved === 1) throw new Error('the worker was killed');
      },
    }));
    const model = await train();
    solver = real;
    expect(model.state).toBe('published');
    expect(solved).toBe(3);
    expect(asked.filter((step) => step === 'solve')).toHaveLength(2);
  });

  it('keeps the events that the first attempt has read, because another reading may number the items differently', async () => {
    await plantProject(database.pool, projectId, PLANTING);
    let read = 0;
    await start((activities) => ({
      ...activities,
      readEvents: async (ref) => {
        const answer = await activities.readEvents(ref);
        read += 1;
        if (read > 1) return answer;
        await plantEvents(database.pool, projectId, [{ person: 1, item: 'after', occurredAt: Date.now() }]);
        throw new Error('the worker was killed');
      },
    }));
    await train();
    expect(read).toBe(2);
    expect((await publishedFile(project())).ids).not.toContain('after');
  });

  it('continues after a long outage and a fault of its own', async () => {
    await plantProject(database.pool, projectId, PLANTING);
    const outage = new BlobStoreError('the store is away');
    const faults = [outage, outage, outage, outage, new Error('of the step'), outage, new Error('of the step')];
    const real = solver;
    solver = {
      ...real,
      ask: (question, signal) => {
        const fault = faults.shift();
        return fault ? Promise.reject(fault) : real.ask(question, signal);
      },
    };
    await start(withoutPauses);
    const model = await train();
    solver = real;
    expect([faults, model.state]).toEqual([[], 'published']);
  });

  // proves: output-cabinet/model
  it('is abandoned if a step fails repeatedly, and says so', async () => {
    await plantProject(database.pool, projectId, PLANTING);
    const real = solver;
    solver = { ...real, ask: () => Promise.reject(new Error('no memory')) };
    await start(withoutPauses);
    const opened = await openTraining(database.pool, { projectId, kind: 'full', requestId: null });
    await relayOnce(database.pool, temporal.client);
    const modelId = opened?.id ?? '';
    await expect(handleOf(modelId).result()).rejects.toMatchObject({
      cause: { message: 'the training failed', cause: { cause: { message: 'internal: Error' } } },
    });
    solver = real;
    expect(await found(modelId)).toMatchObject({ state: 'failed', reason: 'internal' });
    expect(await openJobs({ pool: database.pool, projectId })).toEqual([]);
    await keepHistory('train-project-failed', handleOf(modelId));
    const failed = async () => (await readTrainings(database.pool)).failedProjects;
    expect(await failed()).toBe(1);
    // Operators see the failure until a training succeeds.
    await openTraining(database.pool, { projectId, kind: 'full', requestId: null });
    await database.pool.query('delete from outbox where project_id = $1', [projectId]);
    expect(await failed()).toBe(1);
  });
});

describe('a pass over changes', () => {
  const people = () => ({ pool: database.pool, projectId });

  it('leaves weights as if a deleted person had never been there', async () => {
    await plantProject(database.pool, projectId, PLANTING);
    await start();
    await train();
    const before = weightsByName(await publishedFile(project()), 'taste');
    expect(await remove(people(), 'user', 'u-17')).toBe(true);
    await settle('user-delete');
    expect(await forgotten()).toBeGreaterThan(5);
    const model = await train('changes');
    expect(model).toMatchObject({ state: 'published', kind: 'changes', people: 239 });
    const [after, anew] = [await publishedFile(project()), await trainedAnew(project())];
    for (const part of ['taste', 'transition'] as const)
      expect(largestDifference(weightsByName(after, part), weightsByName(anew, part))).toBeLessThan(1e-6);
    expect(await storedCompanions()).toEqual(new Map(companionsOf(after).map((row) => [row.item, row.companions])));
    // The check is effective: the difference is measurable.
    expect(largestChange(before, weightsByName(after, 'taste'))).toBeGreaterThan(1e-4);
    expect(await forgotten()).toBe(0);
    await keepHistory('train-project-changes', handleOf(model.id));
  });

  it("leaves weights as if a linked device had been its user's from the beginning", async () => {
    await plantProject(database.pool, projectId, PLANTING);
    await database.pool.query(
      `update identities set kind = 'anonymous' where project_id = $1 and external_id = 'u-30'`,
      [projectId],
    );
    await start();
    await train();
    expect(await link(people(), 'u-31', 'u-30')).toMatchObject({ merged: true });
    await settle('user-link');
    await train('changes');
    const [after, anew] = [await publishedFile(project()), await trainedAnew(project())];
    for (const part of ['taste', 'transition'] as const)
      expect(largestDifference(weightsByName(after, part), weightsByName(anew, part))).toBeLessThan(1e-6);
    expect(await forgotten()).toBe(0);
  });

  it('leaves weights as if somebody who turned personalization off had never been there', async () => {
    await plantProject(database.pool, projectId, PLANTING);
    await start();
    await train();
    const identifier = { kind: 'user', externalId: 'u-17' } as const;
    const setTo = (personalization: boolean) =>
      writeProfiles(database.pool, projectId, [{ identifier, seenOn: null, change: { personalization } }], new Date());
    await setTo(true);
    expect(await forgotten()).toBe(0);
    await setTo(false);
    expect(await forgotten()).toBeGreaterThan(5);
    expect(await train('changes')).toMatchObject({ state: 'published', people: 239 });
    const [after, anew] = [await publishedFile(project()), await trainedAnew(project())];
    for (const part of ['taste', 'transition'] as const)
      expect(largestDifference(weightsByName(after, part), weightsByName(anew, part))).toBeLessThan(1e-6);
    expect(await forgotten()).toBe(0);
  });

  it('leaves deletions made during it to the next one', async () => {
    await plantProject(database.pool, projectId, PLANTING);
    await start((activities) => ({
      ...activities,
      publish: async (...args) => {
        await remove(people(), 'user', 'u-9');
        await settle('user-delete');
        return activities.publish(...args);
      },
    }));
    await train();
    expect(await forgotten()).toBeGreaterThan(0);
    await stop();
    await start();
    await train('changes');
    expect(await forgotten()).toBe(0);
    const [after, anew] = [await publishedFile(project()), await trainedAnew(project())];
    expect(largestDifference(weightsByName(after, 'taste'), weightsByName(anew, 'taste'))).toBeLessThan(1e-6);
  });

  it('has nothing to update without a model', async () => {
    await plantProject(database.pool, projectId, { ...PLANTING, people: 5 });
    await start();
    expect(await train('changes')).toMatchObject({ state: 'rejected', reason: 'too_little_data' });
  });
});

function largestChange(a: Map<string, number>, b: Map<string, number>): number {
  return Math.max(...[...a].map(([key, weight]) => Math.abs(weight - (b.get(key) ?? 0))));
}

describe('startTrainings', () => {
  const round = async (name: string, keep?: string) => {
    const handle = await temporal.client.workflow.start('startTrainings', {
      workflowId: `startTrainings-${name}-${projectId}-${Math.random()}`,
      taskQueue: QUEUES.workflow,
      args: [name],
    });
    await handle.result();
    if (keep !== undefined) await keepHistory(keep, handle);
    const { rows } = await database.pool.query<{ id: string; kind: ModelKind }>(
      `select id, kind from output_models where project_id = $1 and state = 'training'`,
      [projectId],
    );
    await relayOnce(database.pool, temporal.client);
    for (const { id } of rows) await handleOf(id).result();
    return rows.map(({ kind }) => kind);
  };

  it('trains a project if there is something new, or something to forget', async () => {
    await start();
    expect(await round('changes')).toEqual([]);
    await plantProject(database.pool, projectId, PLANTING);
    expect(await round('changes', 'start-trainings')).toEqual(['full']);
    expect(await round('changes')).toEqual([]);
    expect(await round('night')).toEqual([]);
    await remove({ pool: database.pool, projectId }, 'user', 'u-3');
    await settle('user-delete');
    expect(await round('changes')).toEqual(['changes']);
    expect(await round('changes')).toEqual([]);
    expect(await round('night')).toEqual(['full']);
    await database.pool.query(
      `update items set deleted = true, updated_at = now() where project_id = $1 and id = 'i-1'`,
      [projectId],
    );
    expect(await round('changes')).toEqual(['changes']);
    expect((await publishedFile(project())).ids).not.toContain('i-1');
  });
});

describe('the work folder', () => {
  it('is empty if nothing is in progress', async () => {
    expect(await readdir(join(folder, 'work'))).toEqual([]);
  });
});
