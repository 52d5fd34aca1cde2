import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { inTransaction } from '../../db/pool.ts';
import { readKeptModels } from '../../db/training/currentModels.ts';
import { readForgotten } from '../../db/training/trainingEvents.ts';
import { purgeChunk } from '../../db/people/purge.ts';
import { readRecommendationId } from '../../domain/output/recommendationId.ts';
import { eventually } from '../support/eventually.ts';
import { untilWaiting } from '../support/lockWaits.ts';
import { modelOf } from './support/models.ts';
import { stageOutput } from './support/outputStage.ts';
import { publish } from './support/published.ts';
import { experimentOf, stageSurfaces } from './support/surfaces.ts';

const stage = stageOutput();
const { putSurface } = stageSurfaces(stage);

const modelWith = (target: string) => {
  const rows = { 't-1': { [target]: 1 } };
  return modelOf({ taste: rows, together: rows, blend: { content: 0 } });
};
const trying = (model: string) => ({
  experiment: experimentOf([
    ['own', 0.5],
    ['other', 0.5, { model }],
  ]),
});
const ASKED: Record<string, object> = {
  feed: {},
  next: { item: 't-1', include_seen: true },
  together: { items: ['t-1'] },
};
const ask = async (user: string, path = 'feed') => {
  const { body } = await stage.call('POST', `/recommendations/${path}`, {
    user: { user_id: user },
    surface: 'feed',
    exploration: 0,
    diversity: 0,
    ...ASKED[path],
  });
  return body;
};
const firstOf = async (user: string, path?: string): Promise<unknown[]> => {
  const { model, items } = await ask(user, path);
  return [model, items[0]?.id];
};
const rankedBy = (user: string, model: string) =>
  eventually(async () => (await ask(user)).model === model, 'a ranking by the model');
let people = 0;
async function somebodyIn(index: number): Promise<string> {
  for (;;) {
    const id = `u-${(people += 1)}`;
    if (readRecommendationId((await ask(id)).recommendation_id)?.variant?.index === index) return id;
  }
}
const publishNext = async (target: string, forgotten: readonly string[] = []) => {
  const id = await publish(stage, modelWith(target), forgotten);
  await stage.selection.catalogues.followModels();
  return id;
};

/** Creates an experiment with the model before the published one, and a person for each variant. */
async function setUp() {
  await stage.addItems(Array.from({ length: 6 }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}` })));
  await stage.followed();
  const before = await publishNext('t-2');
  expect((await putSurface('feed', trying(before))).status).toBe(201);
  const [own, other] = [await somebodyIn(0), await somebodyIn(1)];
  await stage.send([own, other].map((who) => ({ who, item: 't-1' })));
  const published = await publishNext('t-3');
  await rankedBy(other, before);
  return { before, published, own, other };
}
/** The oldest first. */
const keptOf = async (...ids: string[]) =>
  (await readKeptModels(stage.api.pool, stage.project.id, ids)).map(({ id }) => id).toSorted();

describe("a variant's own model", () => {
  // proves: surfaces/variant-model
  it('ranks for the people of the variant, while the published one ranks for others', async () => {
    const { before, published, own, other } = await setUp();
    for (const path of Object.keys(ASKED))
      expect([path, await firstOf(own, path), await firstOf(other, path)]).toEqual([
        path,
        [published, 't-3'],
        [before, 't-2'],
      ]);
  });

  // proves: surfaces/variant-model
  it('is kept by a training that accounts for a user link, and removed by one that forgets a deleted person', async () => {
    const { before, own, other } = await setUp();
    const { pool } = stage.api;
    const projectId = stage.project.id;
    await pool.query('insert into output_forgotten (project_id, item_id, deleted) values ($1, $2, false)', [
      projectId,
      't-1',
    ]);
    const linked = await publishNext('t-4', (await readForgotten(pool, projectId)).rowIds);
    expect(await keptOf(before, linked)).toEqual([before, linked]);
    expect(await firstOf(other)).toEqual([before, 't-2']);

    await stage.call('POST', '/users/delete', { user: { user_id: own } });
    const { rows } = await pool.query<{ rootId: string }>(
      `select entity_id as "rootId" from jobs where project_id = $1 and kind = 'user-delete'`,
      [projectId],
    );
    await purgeChunk(pool, { projectId, rootId: rows[0]?.rootId ?? '', limit: 1_000, isLastPass: false });
    const { rowIds } = await readForgotten(pool, projectId);
    expect(rowIds).toHaveLength(1);
    const anew = await publishNext('t-5', rowIds);
    expect(await keptOf(before, linked, anew)).toEqual([anew]);
    expect(await firstOf(other)).toEqual([anew, 't-5']);
  });

  // proves: surfaces/variant-model
  it('is removed by the next training when no experiment names it any more, and cannot be named again', async () => {
    const { before } = await setUp();
    await putSurface('feed', {});
    const anew = await publishNext('t-4');
    expect(await keptOf(before, anew)).toEqual([anew]);
    const { status, body } = await putSurface('feed', trying(before));
    expect([status, body.error.details]).toEqual([
      422,
      [expect.objectContaining({ field: 'experiment.variants[1].settings.model', code: 'invalid_value' })],
    ]);
  });

  describe('when it is named by an experiment while another model is published', () => {
    const setUpOne = async () => {
      await stage.addItems(Array.from({ length: 6 }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}` })));
      return publish(stage, modelWith('t-2'));
    };
    const lockSurfaces = (client: pg.PoolClient) =>
      client.query('select from projects where id = $1 for no key update', [stage.project.id]);

    it('is kept if the experiment is stored first', async () => {
      const before = await setUpOne();
      let published: Promise<string> | undefined;
      await inTransaction(stage.api.pool, async (client) => {
        await lockSurfaces(client);
        await client.query('select from output_models where id = $1 for update', [before]);
        await client.query(
          `insert into output_experiments (project_id, id, surface, starts_at, variants) values ($1, 'x', 'feed', now(), $2)`,
          [stage.project.id, JSON.stringify([{ name: 'other', share: 1, settings: { model: before } }])],
        );
        published = publish(stage, modelWith('t-3'));
        await untilWaiting(stage.api.pool, 1);
      });
      await published;
      expect(await keptOf(before)).toEqual([before]);
    });

    it('cannot be named if the other model is published first', async () => {
      const before = await setUpOne();
      let answer: ReturnType<typeof putSurface> | undefined;
      await inTransaction(stage.api.pool, async (client) => {
        await lockSurfaces(client);
        await client.query('update output_models set blob_key = null where id = $1', [before]);
        answer = putSurface('feed', trying(before));
        await untilWaiting(stage.api.pool, 1);
      });
      expect(await answer).toMatchObject({
        status: 422,
        body: { error: { details: [{ field: 'experiment.variants[1].settings.model', code: 'invalid_value' }] } },
      });
    });
  });
});
