/**
 * The workflow trainProject from events in the tables to a model in the blob store, with its real activities and
 * thread.
 */
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { readCurrentModel } from '../../db/training/currentModels.ts';
import { listModels, openTraining, readPublishedModel } from '../../db/training/models.ts';
import { readModel } from '../../output/models/modelStore.ts';
import { companionsOf } from '../../output/training/companions.ts';
import { largestDifference, weightsByName } from '../output/support/modelWeights.ts';
import { plantEvents, plantProject } from '../output/support/plantedProject.ts';
import { publishedFile, publishedModel, trainedAnew } from '../output/support/trainedModels.ts';
import { openJobs } from '../support/people/people.ts';
import type { PlantedEvent } from '../support/people/plantedEvents.ts';
import { keepHistory, largestPayload, MAX_PAYLOAD_BYTES } from '../support/workflows/replay.ts';
import { PLANTING, stageTrainings, storedCompanions } from './trainProject/trainingStage.ts';

const stage = stageTrainings();

describe('trainProject', () => {
  // proves: output-cabinet/models
  it('publishes a model that beats popularity, and leaves nothing else behind', async () => {
    const events = await plantProject(stage.pool, stage.projectId, PLANTING);
    await stage.start();
    const model = await stage.train();
    expect(model).toMatchObject({ state: 'published', kind: 'full', reason: null, events, items: 60, people: 240 });
    expect(model.quality?.ndcg).toBeGreaterThan(model.quality?.popular_7d ?? NaN);
    const file = await publishedFile(stage);
    expect(file).toMatchObject({ id: model.id, blend: { content: 0.5 } });
    expect(file.ids).toHaveLength(60);
    for (const part of ['taste', 'transition'] as const)
      expect(largestDifference(weightsByName(file, part), weightsByName(await trainedAnew(stage), part))).toBe(0);
    expect(await storedCompanions(stage)).toEqual(new Map(companionsOf(file).map((row) => [row.item, row.companions])));
    expect(await openJobs(stage)).toEqual([]);
    const { rows } = await stage.pool.query('select folder from blob_garbage where project_id = $1', [stage.projectId]);
    expect(rows).toEqual([{ folder: `training/${stage.projectId}/${model.id}` }]);
    const history = await keepHistory('train-project', stage.handleOf(model.id));
    expect(largestPayload(history)).toBeLessThan(MAX_PAYLOAD_BYTES);
    expect(await stage.handleOf(model.id).result()).toEqual({ state: 'published', reason: null });
  });

  // proves: output-cabinet/model
  it('rejects a model that cannot be tested on anybody, and keeps no file of it', async () => {
    await plantProject(stage.pool, stage.projectId, { ...PLANTING, people: 8 });
    await stage.start();
    const model = await stage.train();
    expect(model).toMatchObject({ state: 'rejected', reason: 'too_little_data', quality: null });
    expect(await readPublishedModel(stage.pool, stage.projectId)).toBeNull();
    // Nothing is ordered together, so no file is kept.
    expect(await readCurrentModel(stage.pool, stage.projectId)).toBeNull();
    const { rows } = await stage.pool.query<{ folder: string }>(
      'select folder from blob_garbage where project_id = $1 order by folder',
      [stage.projectId],
    );
    expect(rows.map(({ folder: removed }) => removed)).toEqual(
      ['models', 'training'].map((name) => `${name}/${stage.projectId}/${model.id}`),
    );
  });

  // proves: output-cabinet/models
  it('rejects a model that is no better than popularity', async () => {
    // Each person begins with a unique item, which carries no information, and ends with the same item as all others.
    await plantEvents(
      stage.pool,
      stage.projectId,
      Array.from({ length: 60 }, (_, person): PlantedEvent[] => [
        { person: person + 1, item: `own-${person}`, occurredAt: Date.UTC(2026, 8, 1) },
        { person: person + 1, item: 'hit', occurredAt: Date.UTC(2026, 8, person < 36 ? 15 : 20) },
      ]).flat(),
    );
    await stage.start();
    const model = await stage.train();
    expect(model).toMatchObject({ state: 'rejected', reason: 'below_popularity' });
    expect(model.quality).toMatchObject({ ndcg: 1, popular_7d: 1 });
  });

  it('keeps the pairs of orders of a rejected model, even if the answer of the step was lost', async () => {
    const cart = (person: number): PlantedEvent[] =>
      (person % 2 === 0 ? ['pan', 'lid'] : ['tea', 'cup']).map((item) => ({ person, item, occurredAt: Date.now() }));
    await plantEvents(stage.pool, stage.projectId, [1, 2, 3, 4, 5, 6, 7, 8].flatMap(cart));
    await stage.pool.query(
      `update events set type = 'purchase', order_id = 'o-' || identity_id where project_id = $1`,
      [stage.projectId],
    );
    let kept = 0;
    await stage.start((activities) => ({
      ...activities,
      keepPairs: async (...args) => {
        await activities.keepPairs(...args);
        kept += 1;
        if (kept === 1) throw new Error('the worker was killed');
      },
    }));
    const model = await stage.train();
    expect([kept, model.state, model.reason]).toEqual([2, 'rejected', 'too_little_data']);
    const current = await readCurrentModel(stage.pool, stage.projectId);
    expect(current).toMatchObject({ id: model.id, isPublished: false });
    const file = await readModel(stage.blobs, current?.blobKey ?? '');
    expect(file?.together.columns.length).toBeGreaterThan(0);
    expect([file?.taste.columns.length, file?.transition.columns.length]).toEqual([0, 0]);
    const { rows } = await stage.pool.query('select folder from blob_garbage where project_id = $1', [stage.projectId]);
    expect(rows).toEqual([{ folder: `training/${stage.projectId}/${model.id}` }]);
    expect(await openJobs(stage)).toEqual([]);
    await keepHistory('train-project-pairs', stage.handleOf(model.id));
  });

  it('replaces the previous model, whose file is removed an hour later', async () => {
    await plantProject(stage.pool, stage.projectId, PLANTING);
    await stage.start();
    const first = await stage.train();
    const second = await stage.train();
    expect((await publishedModel(stage)).id).toBe(second.id);
    const { rows } = await stage.pool.query<{ minutes: number }>(
      `select extract(epoch from after - now())::float8 / 60 as minutes from blob_garbage where project_id = $1 and folder = $2`,
      [stage.projectId, `models/${stage.projectId}/${first.id}`],
    );
    expect(rows[0]?.minutes).toBeGreaterThan(55);
    expect((await listModels(stage.pool, stage.projectId, { after: null, limit: 9 })).map(({ id }) => id)).toEqual([
      second.id,
      first.id,
    ]);
  });

  it('is opened only once if two requests come at the same time', async () => {
    const open = () => openTraining(stage.pool, { projectId: stage.projectId, kind: 'full', requestId: null });
    const opened = await Promise.all([open(), open()]);
    expect(opened.filter((model) => model !== null)).toHaveLength(1);
    await stage.pool.query('delete from outbox where project_id = $1', [stage.projectId]);
  });
});

describe('the work folder', () => {
  it('is empty if nothing is in progress', async () => {
    expect(await readdir(stage.workDir)).toEqual([]);
  });
});
