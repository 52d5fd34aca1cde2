import { describe, expect, it } from '@jest/globals';
import { readRecommendationId } from '../../domain/output/recommendationId.ts';
import { eventually } from '../support/eventually.ts';
import { stageOutput } from './support/outputStage.ts';
import { at, experimentOf, stageSurfaces } from './support/surfaces.ts';

const stage = stageOutput();
const { putSurface } = stageSurfaces(stage);

const AB = [
  ['a', 0.5, { limit: 2 }],
  ['b', 0.5, { limit: 3 }],
] as const;
const addTrams = async (count: number) => {
  await stage.addItems(Array.from({ length: count }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}` })));
  await stage.followed();
};
const similar = (body: object = {}) =>
  stage.call('POST', '/recommendations/similar', { item: 't-0', surface: 'feed', ...body });
const variantOf = async (body: object = {}) =>
  readRecommendationId((await similar(body)).body.recommendation_id)?.variant ?? null;
const indexOf = async (user: object) => (await variantOf({ user }))?.index;
let sent = 0;
const open = (user: object) =>
  stage.call('POST', '/events', {
    events: [{ id: `open-${(sent += 1)}`, type: 'open', item: 't-1', user, occurred_at: new Date().toISOString() }],
  });
/** The number of people that {@link somebodyIn} has tried; each has a new identifier. */
let people = 0;
async function somebodyIn(index: number, kind: 'user_id' | 'anonymous_id'): Promise<string> {
  for (;;) {
    const id = `p-${(people += 1)}`;
    if ((await indexOf({ [kind]: id })) === index) return id;
  }
}

describe('an experiment', () => {
  // proves: output-snapshots/snapshot, surfaces/variant-fields
  it("gives each person one variant, whose settings override the surface's and yield to the request's", async () => {
    await addTrams(6);
    await putSurface('feed', { defaults: { limit: 1 }, experiment: experimentOf(AB) });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => similar({ user: { user_id: `u-${n}` } }).then(({ body }) => body)),
    );
    const indexes = answers.map(({ recommendation_id: id, items }) => {
      const variant = readRecommendationId(id)?.variant;
      expect(variant?.experiment).toBe('e1');
      expect(items).toHaveLength(variant?.index === 0 ? 2 : 3);
      return variant?.index;
    });
    expect(new Set(indexes)).toEqual(new Set([0, 1]));
    expect(await Promise.all(indexes.map((_, n) => indexOf({ user_id: `u-${n}` })))).toEqual(indexes);
    expect((await similar({ user: { user_id: 'u-1' }, limit: 5 })).body.items).toHaveLength(5);
    await eventually(async () => {
      const { rows } = await stage.api.pool.query<{ variant: string }>(
        'select distinct variant from output_snapshots where project_id = $1 order by 1',
        [stage.project.id],
      );
      return JSON.stringify(rows) === '[{"variant":"e1.0"},{"variant":"e1.1"}]';
    }, 'snapshots of both variants');
  });

  // proves: output-request/surface, surfaces/experiment
  it('runs only between its dates and on its surface', async () => {
    await addTrams(4);
    const user = { user_id: 'u-1' };
    for (const period of [
      { from: at(1), until: at(2) },
      { from: at(-2), until: at(-1) },
    ]) {
      await putSurface('feed', { defaults: { limit: 1 }, experiment: experimentOf(AB, period) });
      const { body } = await similar({ user });
      expect([readRecommendationId(body.recommendation_id)?.variant, body.items.length]).toEqual([null, 1]);
    }
    await putSurface('feed', { experiment: experimentOf(AB, { until: null }) });
    expect(await variantOf({ user })).not.toBeNull();
    expect(await variantOf({ user, surface: 'cart' })).toBeNull();
  });

  // proves: surfaces/experiment
  it('applies to searches as to every list of its surface', async () => {
    await addTrams(4);
    await putSurface('feed', { experiment: experimentOf(AB) });
    const user = { user_id: await somebodyIn(1, 'user_id') };
    const { body } = await stage.call('POST', '/search', { query: 'трамвай', surface: 'feed', user });
    expect(readRecommendationId(body.recommendation_id)?.variant).toEqual({ experiment: 'e1', index: 1 });
    expect(body.items).toHaveLength(3);
  });

  // proves: surfaces/nobody
  it('draws a variant for each request without a person', async () => {
    await addTrams(2);
    await putSurface('feed', { experiment: experimentOf(AB) });
    const variants = await Promise.all(Array.from({ length: 40 }, () => variantOf()));
    expect(new Set(variants.map((variant) => variant?.index))).toEqual(new Set([0, 1]));
  });

  // proves: surfaces/assignment
  it('keeps the variant of a person who becomes known, and of a visitor who signs up', async () => {
    await addTrams(3);
    await putSurface('feed', { experiment: experimentOf(AB) });
    for (const index of [0, 1]) {
      const device = await somebodyIn(index, 'anonymous_id');
      // A person who would get the other variant by the account alone.
      const account = await somebodyIn(1 - index, 'user_id');
      await open({ anonymous_id: device });
      expect(await indexOf({ anonymous_id: device })).toBe(index);
      await stage.call('POST', '/users/link', { user_id: account, anonymous_id: device });
      expect(await indexOf({ anonymous_id: device })).toBe(index);
      expect(await indexOf({ user_id: account })).toBe(index);
    }
  });

  it('stays with an account that was known before, and a device on which it signs in adopts it', async () => {
    await addTrams(3);
    await putSurface('feed', { experiment: experimentOf(AB) });
    for (const index of [0, 1]) {
      const device = await somebodyIn(1 - index, 'anonymous_id');
      const account = await somebodyIn(index, 'user_id');
      await open({ anonymous_id: device });
      await open({ user_id: account });
      expect(await indexOf({ user_id: account })).toBe(index);
      await stage.call('POST', '/users/link', { user_id: account, anonymous_id: device });
      expect([await indexOf({ user_id: account }), await indexOf({ anonymous_id: device })]).toEqual([index, index]);
    }
  });

  it('uses nothing of a deleted person', async () => {
    await addTrams(3);
    await putSurface('feed', { experiment: experimentOf(AB) });
    const [device, account] = [await somebodyIn(0, 'anonymous_id'), await somebodyIn(1, 'user_id')];
    await stage.call('POST', '/users/link', { user_id: account, anonymous_id: device });
    expect(await indexOf({ user_id: account })).toBe(0);
    await stage.call('POST', '/users/delete', { user: { user_id: account } });
    expect([await indexOf({ user_id: account }), await indexOf({ anonymous_id: device })]).toEqual([1, 0]);
  });

  // proves: surfaces/assignment
  it("keeps an answer's variant on later pages when the shares change, and its id when the experiment is removed", async () => {
    await addTrams(12);
    await putSurface('feed', { defaults: { limit: 1 }, experiment: experimentOf(AB) });
    const person = await somebodyIn(1, 'user_id');
    const request = { user: { user_id: person } };
    const first = (await similar(request)).body;
    await putSurface('feed', {
      defaults: { limit: 1 },
      experiment: experimentOf([
        ['a', 1, { limit: 2 }],
        ['b', 0, { limit: 4 }],
      ]),
    });
    expect((await variantOf(request))?.index).toBe(0);
    const second = (await similar({ ...request, cursor: first.next_cursor })).body;
    expect([second.recommendation_id, second.items.length]).toEqual([first.recommendation_id, 4]);
    await putSurface('feed', { defaults: { limit: 1 } });
    const third = (await similar({ ...request, cursor: second.next_cursor })).body;
    expect([third.recommendation_id, third.items.length]).toEqual([first.recommendation_id, 1]);
  });

  // proves: surfaces/assignment
  it('does not affect pages that are requested after its end', async () => {
    await addTrams(12);
    const settings = { defaults: { limit: 1 }, experiment: experimentOf(AB) };
    await putSurface('feed', settings);
    const request = { user: { user_id: await somebodyIn(1, 'user_id') } };
    const first = (await similar(request)).body;
    expect(first.items).toHaveLength(3);
    await stage.api.pool.query(
      `update output_experiments set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where project_id = $1`,
      [stage.project.id],
    );
    const second = (await similar({ ...request, cursor: first.next_cursor })).body;
    expect([second.recommendation_id, second.items.length]).toEqual([first.recommendation_id, 1]);
  });

  // proves: surfaces/experiment
  it('belongs to one surface, and its variants keep their order', async () => {
    const refused = async (name: string, experiment: object) => {
      const { status, body } = await putSurface(name, { experiment });
      return [status, body.error?.details?.[0]?.field];
    };
    await putSurface('feed', { experiment: experimentOf(AB) });
    expect(await refused('cart', experimentOf(AB))).toEqual([422, 'experiment.id']);
    expect(
      await refused(
        'feed',
        experimentOf([
          ['b', 0.5],
          ['a', 0.5],
        ]),
      ),
    ).toEqual([422, 'experiment.variants']);
    const grown = experimentOf([
      ['a', 0.4],
      ['b', 0.4],
      ['c', 0.2],
    ]);
    expect((await putSurface('feed', { experiment: grown })).status).toBe(200);
    expect(await refused('feed', experimentOf(AB))).toEqual([422, 'experiment.variants']);
    await putSurface('feed', {});
    expect(await refused('cart', grown)).toEqual([422, 'experiment.id']);
    expect((await putSurface('feed', { experiment: grown })).status).toBe(200);
    expect((await putSurface('cart', { experiment: experimentOf(AB, { id: 'e2' }) })).status).toBe(201);
  });
});
