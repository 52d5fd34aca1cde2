/**
 * Pairs of items ordered together in a project whose personal model is not worth publishing, from the orders to the
 * answer.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { createTrainingActivities } from '../../activities/training/index.ts';
import { readProjectEvents } from '../../activities/training/readEvents.ts';
import { createSolver, type Solver } from '../../activities/training/solver.ts';
import { moveHistoryChunk } from '../../db/people/moveHistory.ts';
import { purgeChunk } from '../../db/people/purge.ts';
import { readForgotten } from '../../db/training/trainingEvents.ts';
import { findModel, openTraining, type StoredModel } from '../../db/training/models.ts';
import { readCurrentModel } from '../../db/training/currentModels.ts';
import { readTrainings } from '../../db/training/trainingGauges.ts';
import { listTrainableProjects, readTrainingState } from '../../db/training/trainableProjects.ts';
import { dueTraining, type TrainingRound } from '../../domain/training/dueTraining.ts';
import { modelBlobFolder } from '../../domain/training/models.ts';
import { jobWorkflowId } from '../../domain/jobs/ids.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { readModel } from '../../output/models/modelStore.ts';
import { arrangeEvents } from '../../output/training/rows/arrangeEvents.ts';
import type { Interactions } from '../../output/training/rows/interactions.ts';
import { assemblePairs } from '../../output/training/training.ts';
import { createLocalBlobStore } from '../../platform/blobs/local.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { clientOf, createTestToken } from '../api/support/testApi.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { expandAll } from '../support/people/orders.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';
import { modelOf } from './support/models.ts';
import { stageOutput } from './support/outputStage.ts';
import { publish } from './support/published.ts';

const stage = stageOutput();
const logger = createLogger('test', 'silent');

let temporal: TestTemporal;
let solver: Solver;
let workDir: string;
let stop: () => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  temporal = await createTestTemporal();
  workDir = await mkdtemp(join(tmpdir(), 'attune-pairs-'));
  solver = createSolver();
  const shared = { connection: temporal.nativeConnection, namespace: temporal.namespace };
  const blobs = createLocalBlobStore(stage.blobDir);
  const activities = createTrainingActivities({ pool: stage.database.pool, blobs, workDir, solver, logger });
  const workers = [
    await Worker.create({ ...shared, taskQueue: QUEUES.workflow, workflowBundle: await testWorkflowBundle() }),
    await Worker.create({ ...shared, taskQueue: QUEUES.training, activities }),
  ];
  const running = workers.map((worker) => worker.run());
  stop = async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  };
});
afterAll(async () => {
  await stop();
  await solver?.close();
  await temporal?.close();
  if (workDir) await rm(workDir, { recursive: true, force: true });
});

async function train(): Promise<StoredModel> {
  const { pool } = stage.database;
  const projectId = stage.project.id;
  const opened = await openTraining(pool, { projectId, kind: 'full', requestId: null });
  if (!opened) throw new Error('another training is under way');
  await relayOnce(pool, temporal.client);
  await temporal.client.workflow
    .getHandle(jobWorkflowId({ kind: 'training', projectId, entityId: opened.id }))
    .result();
  const model = await findModel(pool, { projectId, modelId: opened.id });
  await stage.selection.catalogues.followModels();
  if (!model) throw new Error('the training is gone');
  return model;
}

const DAY_MS = 86_400_000;
const PEOPLE = 32;
/** The number of people who meet the hit before the last window, so that popularity predicts it for all others. */
const EARLY = 6;

/** Each person looks at an item of their own, orders two things, and ends, like everybody, with the hit. */
async function openShop(): Promise<void> {
  const things = { pan: 'Сковорода', lid: 'Крышка', tea: 'Чай', cup: 'Кружка', lamp: 'Лампа', bulb: 'Лампочка' };
  const own = Array.from({ length: PEOPLE }, (_, n) => ({ id: `own-${n}`, title: `Открытка номер ${n}` }));
  await stage.addItems([
    ...Object.entries(things).map(([id, title]) => ({ id, title })),
    { id: 'hit', title: 'Ёлка' },
    ...own,
  ]);
  const orders = own.map((_, n) => ({
    order_id: `order-${n}`,
    user: { user_id: `u-${n}` },
    occurred_at: new Date(Date.now() - 30 * DAY_MS).toISOString(),
    items: (n === 0 ? ['lamp', 'bulb'] : n % 2 === 0 ? ['pan', 'lid'] : ['tea', 'cup']).map((item) => ({
      item,
      quantity: 1,
      price: 10,
    })),
  }));
  expect((await stage.call('POST', '/orders/batch', { orders })).status).toBe(202);
  await expandAll(stage.database.pool, stage.project.id);
  await stage.send(
    own.flatMap(({ id }, n) => [
      { who: `u-${n}`, item: id, daysAgo: 40 },
      { who: `u-${n}`, item: 'hit', daysAgo: n < EARLY ? 6 : 1 },
    ]),
  );
  await stage.followed();
}

const together = async (item: string) => {
  const { body } = await stage.call('POST', '/recommendations/together', {
    items: [item],
    diversity: 0,
    explain: true,
  });
  return body;
};
const pairsOf = async (item: string) => {
  const { items } = await together(item);
  return items.filter(({ reason }: { reason: { code: string } }) => reason.code === 'together');
};

/** Returns the identity that a job of this kind is about. */
async function identityOfJob(kind: 'user-delete' | 'user-link'): Promise<string> {
  const { rows } = await stage.database.pool.query<{ id: string }>(
    'select entity_id as id from jobs where project_id = $1 and kind = $2',
    [stage.project.id, kind],
  );
  return rows[0]?.id ?? '';
}

/** Deletes a person as the job does. */
async function deleteUser(id: string): Promise<void> {
  await stage.call('POST', '/users/delete', { user: { user_id: id } });
  const rootId = await identityOfJob('user-delete');
  const chunk = { projectId: stage.project.id, rootId, limit: 1_000, isLastPass: false };
  await purgeChunk(stage.database.pool, chunk);
}

/** Links a device to a user as the job does. */
async function linkUser(userId: string, anonymousId: string): Promise<void> {
  await stage.call('POST', '/users/link', { user_id: userId, anonymous_id: anonymousId });
  const deviceId = await identityOfJob('user-link');
  const chunk = { projectId: stage.project.id, deviceId, limit: 1_000, isLastPass: false };
  await moveHistoryChunk(stage.database.pool, chunk);
}

const current = () => readCurrentModel(stage.database.pool, stage.project.id);

async function dataNow(): Promise<Interactions> {
  const { events } = await readProjectEvents(stage.database.pool, stage.project.id, 1, new AbortController().signal);
  return arrangeEvents(events, new Set(), Infinity);
}

/** Returns whether the folder of a model is removed within about an hour; empty when it is kept. */
const garbage = async ({ id }: StoredModel) => {
  const { rows } = await stage.database.pool.query<{ isSoon: boolean }>(
    `select after < now() + interval '61 minutes' as "isSoon" from blob_garbage where project_id = $1 and folder = $2`,
    [stage.project.id, modelBlobFolder(stage.project.id, id)],
  );
  return rows;
};

const due = async (round: TrainingRound = 'changes') => {
  const state = await readTrainingState(stage.database.pool, stage.project.id, { work: (piece) => piece() });
  return dueTraining(round, state);
};
const dueByDayAndNight = async () => [await due('changes'), await due('night')];
const forgottenSeconds = async () => (await readTrainings(stage.database.pool)).forgottenSeconds;

describe('a project without a published model', () => {
  // proves: output-paths/together
  it('answers POST /recommendations/together from the last training, whose model no other path uses', async () => {
    await openShop();
    const { id, state, reason } = await train();
    expect([state, reason]).toEqual(['rejected', 'below_popularity']);
    const answer = await together('pan');
    expect(answer).toMatchObject({ mode: 'contextual', model: id });
    expect(answer.items[0]).toMatchObject({
      id: 'lid',
      reason: { code: 'together', item: 'pan' },
      explain: { model: id, parts: { together: expect.any(Number) } },
    });
    const user = { user_id: 'u-1' };
    for (const [path, body] of Object.entries({ feed: { user }, next: { user, item: 'pan' } }))
      expect((await stage.call('POST', `/recommendations/${path}`, body)).body.model).toBeNull();
    // The preview returns the same.
    const token = await createTestToken(stage.api.pool);
    const preview = await clientOf(stage.api.cabinet, token)('POST', `/projects/${stage.project.id}/output/preview`, {
      path: 'together',
      request: { items: ['pan'] },
    });
    expect(preview.body).toMatchObject({ model: id, items: [{ id: 'lid', explain: { model: id } }] });
  });

  it('forgets a deleted person completely by training again, and gives up the file of the earlier training', async () => {
    await openShop();
    const first = await train();
    expect(await pairsOf('lamp')).toMatchObject([{ id: 'bulb' }]);
    expect(await due()).toBeNull();
    await deleteUser('u-0');
    expect(await due()).toBe('full');
    expect(await forgottenSeconds()).toBeGreaterThan(0);
    const second = await train();
    expect(second.state).toBe('rejected');
    expect(await pairsOf('lamp')).toEqual([]);
    expect(await readModel(createLocalBlobStore(stage.blobDir), (await current())?.blobKey ?? '')).toEqual(
      assemblePairs(second.id, await dataNow()),
    );
    expect(await together('pan')).toMatchObject({ model: second.id, items: [{ id: 'lid' }] });
    expect(await due()).toBeNull();
    expect(await forgottenSeconds()).toBe(0);
    expect(await garbage(first)).toEqual([{ isSoon: true }]);
    expect(await garbage(second)).toEqual([]);
  });

  it('leaves links and withdrawals to the nightly training, which takes them into account', async () => {
    await openShop();
    await stage.send([{ who: 'd-1', item: 'own-1', daysAgo: 40 }]);
    await train();
    expect(await dueByDayAndNight()).toEqual([null, null]);
    await linkUser('u-1', 'd-1');
    expect(await dueByDayAndNight()).toEqual([null, 'full']);
    expect(await forgottenSeconds()).toBe(0);
    await train();
    expect(await dueByDayAndNight()).toEqual([null, null]);
    await stage.call('POST', '/users/profile', { user: { user_id: 'u-0' }, personalization: false });
    expect(await dueByDayAndNight()).toEqual([null, 'full']);
    expect(await forgottenSeconds()).toBe(0);
    expect(await pairsOf('lamp')).toMatchObject([{ id: 'bulb' }]);
    // A deletion does not wait until the night.
    await deleteUser('u-2');
    expect(await dueByDayAndNight()).toEqual(['full', 'full']);
    expect(await forgottenSeconds()).toBeGreaterThan(0);
    await train();
    expect(await pairsOf('lamp')).toEqual([]);
    expect(await dueByDayAndNight()).toEqual([null, null]);
  });

  it('no longer leaves a withdrawal to the night once a model is published, and reports how long it has waited', async () => {
    await openShop();
    await train();
    await publish(stage, modelOf({ together: { tea: { pan: 1 } } }));
    expect(await forgottenSeconds()).toBe(0);
    await stage.call('POST', '/users/profile', { user: { user_id: 'u-0' }, personalization: false });
    expect(await due()).toBe('changes');
    expect(await forgottenSeconds()).toBeGreaterThan(0);
    const { rowIds } = await readForgotten(stage.database.pool, stage.project.id);
    await publish(stage, modelOf({}), rowIds);
    expect(await forgottenSeconds()).toBe(0);
  });

  it('uses no pairs any more when the last orders are gone', async () => {
    await openShop();
    const first = await train();
    const { pool } = stage.database;
    await pool.query('delete from events where project_id = $1', [stage.project.id]);
    await pool.query(`insert into output_forgotten (project_id, item_id, deleted) values ($1, 'pan', true)`, [
      stage.project.id,
    ]);
    expect(await listTrainableProjects(pool, '', 1_000)).toContain(stage.project.id);
    expect(await due()).toBe('full');
    expect(await train()).toMatchObject({ state: 'rejected', reason: 'too_little_data', events: 0 });
    expect(await pairsOf('pan')).toEqual([]);
    expect(await current()).toBeNull();
    expect(await due()).toBeNull();
    expect(await garbage(first)).toEqual([{ isSoon: true }]);
  });

  it('uses only the pairs of a published model as soon as there is one', async () => {
    await openShop();
    const { id } = await train();
    const published = await publish(stage, modelOf({ together: { tea: { pan: 1 } } }));
    // The settings that the next training compares with its own.
    await stage.database.pool.query(
      `update output_models set settings = (select settings from output_models where id = $1) where id = $2`,
      [id, published],
    );
    await stage.selection.catalogues.followModels();
    expect(await pairsOf('pan')).toEqual([]);
    expect(await together('tea')).toMatchObject({ model: published, items: [{ id: 'pan' }] });
    expect(await current()).toMatchObject({ id: published, isPublished: true });
    // A later training that is rejected changes nothing.
    const later = await train();
    expect([later.state, (await together('tea')).model]).toEqual(['rejected', published]);
    expect(await garbage(later)).toEqual([{ isSoon: true }]);
    expect(await current()).toMatchObject({ id: published, isPublished: true });
  });
});
