/** An item that people keep using together with one that a person has rejected for a while. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { modelOf } from './support/models.ts';
import { stageOutput, type OutputStage } from './support/outputStage.ts';
import { publish } from './support/published.ts';
import { stageSurfaces } from './support/surfaces.ts';

const user = { user_id: 'u-1' };
const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id).toSorted();

/** Plants a model in which milk is used together with coffee, and lets coffee be rejected. */
async function plant(stage: OutputStage): Promise<void> {
  await stage.addItems([
    { id: 'coffee', title: 'Кофе в зёрнах' },
    { id: 'milk', title: 'Питчер для молока' },
    { id: 'jug', title: 'Питчер для сливок' },
  ]);
  await stage.followed();
  await publish(stage, modelOf({ taste: { coffee: { milk: 1, jug: 0.1 }, jug: { milk: 1 } } }));
  await stage.selection.catalogues.followModels();
  await stage.database.pool.query(
    `update event_types set suppress_similar_days = 30 where project_id = $1 and code = 'cart'`,
    [stage.project.id],
  );
}

const reject = (stage: OutputStage) => stage.send([{ who: 'u-1', item: 'coffee', type: 'cart' }]);

describe('a companion of a rejected item', () => {
  const stage = stageOutput();
  const surfaces = stageSurfaces(stage);
  const ask = (path: string, body: object = {}) => stage.call('POST', path, { user, include_seen: true, ...body });
  beforeEach(() => plant(stage));

  // proves: output-shown/suppress-neighbours
  it.each([
    ['/recommendations/feed', {}],
    ['/recommendations/similar', { item: 'jug' }],
    ['/recommendations/next', { items: ['jug'] }],
    ['/recommendations/popular', {}],
    ['/search', { query: 'питчер' }],
  ])('is left out of the very next answer of %s', async (path, body) => {
    // The first search only starts to read the words of the catalogue.
    await eventually(async () => (await ask(path, body)).body.mode !== 'fallback', 'an answer of selection');
    expect(idsOf(await ask(path, body))).toContain('milk');
    await reject(stage);
    const { body: answer } = await ask(path, body);
    expect(answer.mode).not.toBe('fallback');
    expect(idsOf({ body: answer })).not.toContain('milk');
  });

  // proves: output-shown/suppress-neighbours
  it('is left out of pins', async () => {
    await surfaces.putSurface('home', { pins: [{ item: 'milk', position: 0 }] });
    expect(idsOf(await ask('/recommendations/feed', { surface: 'home' }))).toContain('milk');
    await reject(stage);
    expect(idsOf(await ask('/recommendations/feed', { surface: 'home' }))).toEqual(['jug']);
  });

  // proves: output-shown/suppress-neighbours
  it('is left out of a page that is requested again', async () => {
    await surfaces.putSurface('home', { pins: [{ item: 'milk', position: 1 }] });
    const page = (cursor?: string) => ask('/recommendations/feed', { surface: 'home', limit: 1, cursor });
    const { next_cursor: second } = (await page()).body;
    expect(idsOf(await page(second))).toEqual(['milk']);
    await reject(stage);
    expect(idsOf(await page(second))).toEqual([]);
  });

  it('is shown to everybody else', async () => {
    await reject(stage);
    expect(idsOf(await ask('/recommendations/feed', { user: { user_id: 'u-2' } }))).toContain('milk');
  });
});

describe('a companion of a rejected item, without selection', () => {
  const stage = stageOutput({ deadlineMs: 0 });
  const ask = (path: string, body: object = {}) => stage.call('POST', path, { user, include_seen: true, ...body });
  beforeEach(() => plant(stage));

  // proves: output-shown/suppress-neighbours
  it.each([
    ['/recommendations/feed', {}],
    ['/search', { query: 'питчер' }],
  ])('is left out of the very next fallback of %s', async (path, body) => {
    expect(idsOf(await ask(path, body))).toContain('milk');
    await reject(stage);
    const { body: answer } = await ask(path, body);
    expect(answer.mode).toBe('fallback');
    expect(idsOf({ body: answer })).not.toContain('milk');
  });
});
