import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { modelOf } from './support/models.ts';
import { stageOutput, type StageItem } from './support/outputStage.ts';
import { publish } from './support/published.ts';

const stage = stageOutput();

const ITEMS: StageItem[] = [
  { id: 'tram-1', title: 'История трамваев Петербурга', published_at: '2020-01-01T00:00:00Z' },
  { id: 'tram-2', title: 'Трамваи Петербурга сегодня', published_at: '2020-01-01T00:00:00Z' },
  { id: 'soup-1', title: 'Рецепт борща со свёклой', published_at: '2020-01-02T00:00:00Z', author: 'a-1' },
  { id: 'soup-2', title: 'Борщ со свёклой и фасолью', published_at: '2020-01-02T00:00:00Z', tags: ['Первые блюда'] },
  { id: 'new', title: 'Погода на завтра', published_at: '2026-11-01T00:00:00Z' },
];

const user = { user_id: 'u-1' };
const feed = async (body: object = {}) =>
  (await stage.call('POST', '/recommendations/feed', { exploration: 0, ...body })).body;
const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);
const reasonsOf = (body: { items: { id: string; reason: object }[] }) =>
  Object.fromEntries(body.items.map(({ id, reason }) => [id, reason]));

let events = 0;
async function send(item: string, type: string, data: object = {}) {
  events += 1;
  const { status } = await stage.call('POST', '/events', {
    events: [{ id: `e-${events}`, type, item, user, occurred_at: new Date().toISOString(), ...data }],
  });
  expect(status).toBe(202);
}
const setUp = async () => {
  await stage.addItems(ITEMS);
  await stage.followed();
};

describe('POST /recommendations/feed', () => {
  // proves: output-request/user, output-answer/mode-popular
  it('answers for an unknown person, whom it does not create, and without a person', async () => {
    await setUp();
    for (const body of [{}, { user: { user_id: 'stranger' } }, { user: null }]) {
      const answer = await feed(body);
      expect(answer).toMatchObject({ mode: 'popular', model: null, next_cursor: null });
      expect(idsOf(answer)).toHaveLength(5);
      expect(answer.items[0]).toMatchObject({ id: 'new', position: 0, reason: { code: 'new' } });
    }
    const { rows } = await stage.api.pool.query(`select from identities where project_id = $1`, [stage.project.id]);
    expect(rows).toEqual([]);
  });

  // proves: output-paths/feed, output-answer/mode-personal, output-shown/answered-event
  it('uses an event that has just been answered, and the one that withdraws it', async () => {
    await setUp();
    expect(idsOf(await feed({ user }))[0]).toBe('new');
    await send('tram-1', 'like', { value: 1 });
    const liked = await feed({ user });
    expect(liked.mode).toBe('personal');
    expect(liked.items[0]).toMatchObject({ id: 'tram-2', reason: { code: 'similar', item: 'tram-1' } });
    await send('soup-1', 'open');
    expect(idsOf(await feed({ user })).slice(0, 2)).toEqual(['tram-2', 'soup-2']);
    await send('soup-1', 'favourite', { value: 1 });
    expect(idsOf(await feed({ user })).slice(0, 2)).toEqual(['soup-2', 'tram-2']);
    await send('soup-1', 'favourite', { value: 0 });
    expect(idsOf(await feed({ user })).slice(0, 2)).toEqual(['tram-2', 'soup-2']);
    await send('tram-1', 'dislike', { value: 1 });
    await send('tram-1', 'like', { value: 0 });
    expect(idsOf(await feed({ user })).at(-1)).toBe('tram-2');
  });

  // proves: service/7, output-request/unknown-subject
  it('uses what the person did with an item that is deleted, whose analysis still counts', async () => {
    await setUp();
    await send('tram-1', 'like', { value: 1 });
    await stage.call('DELETE', '/items/tram-1');
    await stage.followed();
    const answer = await feed({ user });
    expect(answer.mode).toBe('personal');
    expect(idsOf(answer)).not.toContain('tram-1');
    const { body: similar } = await stage.call('POST', '/recommendations/similar', { item: 'tram-1' });
    expect(similar.mode).toBe('contextual');
    for (const { items } of [answer, similar])
      expect(items[0]).toMatchObject({ id: 'tram-2', reason: { code: 'similar', item: 'tram-1' } });
  });

  // proves: output-request/include_seen
  it('leaves out what the person knows, unless it is requested', async () => {
    await setUp();
    await send('tram-1', 'open');
    expect(idsOf(await feed({ user }))).not.toContain('tram-1');
    expect(idsOf(await feed({ user, include_seen: true }))).toContain('tram-1');
  });

  // proves: output-shown/answered-event
  it('uses an order before its events are made, and ignores a cancelled one', async () => {
    await setUp();
    const order = (status: string) =>
      stage.call('POST', '/orders', {
        order_id: 'o-1',
        user,
        status,
        occurred_at: new Date().toISOString(),
        items: [{ item: 'soup-1', quantity: 1, price: 10 }],
      });
    expect((await order('created')).status).toBeLessThan(300);
    const answer = await feed({ user, include_seen: true, exclude: ['soup-1'] });
    expect(answer.items[0]).toMatchObject({ id: 'soup-2', reason: { code: 'similar', item: 'soup-1' } });
    expect((await order('cancelled')).status).toBeLessThan(300);
    expect((await feed({ user })).mode).toBe('popular');
  });

  // proves: output-paths/feed, output-answer/mode-personal, output-answer/interest, output-shown/followed-authors
  it("uses interests and followed authors, and the device's data before a link is finished", async () => {
    await setUp();
    await stage.call('POST', '/users/profile', { user, interests: ['первое блюдо'], followed_authors: ['a-1'] });
    const answer = await feed({ user });
    expect(answer.mode).toBe('personal');
    expect(reasonsOf(answer)).toMatchObject({
      'soup-1': { code: 'author', value: 'a-1' },
      'soup-2': { code: 'interest', value: 'первое блюдо' },
    });
    expect(new Set(idsOf(answer).slice(0, 2))).toEqual(new Set(['soup-1', 'soup-2']));
    const device = { anonymous_id: 'd-1' };
    await send('tram-1', 'favourite', { value: 1, user: device });
    await stage.call('POST', '/users/link', { user_id: 'u-1', anonymous_id: 'd-1' });
    for (const who of [user, device])
      expect(reasonsOf(await feed({ user: who }))['tram-2']).toMatchObject({ code: 'similar' });
  });

  // proves: output-request/context
  it('uses the place of the profile if the request names none', async () => {
    await setUp();
    for (const who of ['u-1', 'u-2'])
      await stage.call('POST', '/users/profile', { user: { user_id: who }, city: 'Казань' });
    await stage.send([{ who: 'u-2', item: 'soup-1' }]);
    await stage.counted();
    const byPlace = async (context?: object | null) => reasonsOf(await feed({ user, context }))['soup-1'];
    for (const context of [undefined, null, {}, { city: null, country: null }])
      expect(await byPlace(context)).toMatchObject({ code: 'region' });
    expect(await byPlace({ city: 'Пермь' })).not.toMatchObject({ code: 'region' });
  });

  // proves: output-request/context, output-request/context-others
  it('uses the place in a request only for people without history', async () => {
    await setUp();
    const profile = { user: { user_id: 'u-2' }, city: 'Казань', country: 'Россия' };
    await stage.call('POST', '/users/profile', profile);
    await stage.send([{ who: 'u-2', item: 'soup-1' }]);
    await stage.counted();
    const context = { city: 'Казань' };
    const byPlace = async (who: object, place: object) => reasonsOf(await feed({ ...who, context: place }))['soup-1'];
    for (const who of [{}, { user }]) {
      expect(await byPlace(who, context)).toEqual({ code: 'region', value: 'Казань' });
      expect(await byPlace(who, { country: 'RU' })).toEqual({ code: 'region', value: 'RU' });
    }
    await send('tram-1', 'open');
    const answer = await feed({ user, context });
    expect(answer.mode).toBe('personal');
    expect(Object.values(reasonsOf(answer))).not.toContainEqual(expect.objectContaining({ code: 'region' }));
    expect(answer.items).toEqual((await feed({ user })).items);
  });

  // proves: output-request/include_seen-default, output-shown/personalization
  it('uses nothing of a person without personalization, except exclusions', async () => {
    await setUp();
    await send('tram-1', 'like', { value: 1 });
    await send('soup-1', 'hide', { value: 1 });
    await stage.call('POST', '/users/profile', { user, interests: ['первые блюда'], personalization: false });
    const answer = await feed({ user });
    expect(answer.mode).toBe('popular');
    expect(answer.items[0].id).toBe('new');
    expect(idsOf(answer)).toContain('tram-1');
    expect(idsOf(answer)).not.toContain('soup-1');
  });

  // proves: output-request/explain
  it('explains the parts of a score', async () => {
    await setUp();
    await send('tram-1', 'like', { value: 1 });
    const answer = await feed({ user, explain: true });
    expect(answer.items[0].explain.parts).toMatchObject({ content: 1, recency: expect.any(Number) });
    expect((await feed({ user })).items[0].explain).toBeUndefined();
  });

  // proves: output-request/cursor
  it('continues by pages without repeating anything', async () => {
    await stage.addItems(Array.from({ length: 25 }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}` })));
    await stage.followed();
    await send('t-0', 'like', { value: 1 });
    const pages = [await feed({ user, limit: 10, exploration: 0.3 })];
    while (pages.at(-1)?.next_cursor)
      pages.push(await feed({ user, limit: 10, exploration: 0.3, cursor: pages.at(-1)?.next_cursor }));
    const ids = pages.flatMap(idsOf);
    expect([pages.length, ids.length, new Set(ids).size]).toEqual([3, 24, 24]);
  });

  // proves: output-paths/unknown-fields, output-request/exploration, output-request/context
  it('refuses values that are out of range', async () => {
    for (const [field, value] of [
      ['exploration', 0.31],
      ['exploration', -0.1],
      ['context', { town: 'Казань' }],
      ['item', 'tram-1'],
    ]) {
      const { status, body } = await stage.call('POST', '/recommendations/feed', { [String(field)]: value });
      expect([status, body.error.details[0].field.split('.')[0]]).toEqual([422, field]);
    }
  });
});

describe('a feed by a model', () => {
  // proves: output-paths/feed, output-answer/because_item
  it('is ranked by the model published last, or by the previous one while its file is broken', async () => {
    await setUp();
    await send('tram-1', 'open');
    const taste = (target: string) => modelOf({ taste: { 'tram-1': { [target]: 1 } }, blend: { content: 0 } });
    const first = await publish(stage, taste('soup-1'));
    await stage.selection.catalogues.followModels();
    const answer = await feed({ user });
    expect(answer).toMatchObject({ mode: 'personal', model: first });
    expect(answer.items[0]).toMatchObject({ id: 'soup-1', reason: { code: 'because_item', item: 'tram-1' } });

    const second = await publish(stage, taste('soup-2'));
    await rm(join(stage.blobDir, 'models', stage.project.id, second), { recursive: true });
    await stage.selection.catalogues.followModels();
    expect(await feed({ user })).toMatchObject({ model: first, items: [{ id: 'soup-1' }, {}, {}, {}] });

    const third = await publish(stage, taste('soup-2'));
    await stage.selection.catalogues.followModels();
    expect(await feed({ user })).toMatchObject({ model: third, items: [{ id: 'soup-2' }, {}, {}, {}] });
  });

  it('uses the model from the first question after the catalogue has been read', async () => {
    await stage.addItems(ITEMS);
    await send('tram-1', 'open');
    const id = await publish(stage, modelOf({ taste: { 'tram-1': { 'soup-1': 1 } } }));
    await stage.followed();
    expect((await feed({ user })).model).toBe(id);
  });
});

describe('trials of new items', () => {
  const stored = () =>
    eventually(async () => {
      const { rows } = await stage.api.pool.query<{ ids: string[]; propensities: number[] | null }>(
        'select item_ids as ids, propensities from output_snapshots where project_id = $1',
        [stage.project.id],
      );
      return rows[0];
    }, 'the snapshot');

  // proves: output-request/diversity-default
  it('get a tenth of the positions by default', async () => {
    await stage.addItems(Array.from({ length: 22 }, (_, n) => ({ id: `i-${n}`, title: `Объект номер ${n}` })));
    await stage.followed();
    await feed({ exploration: undefined });
    const [first, second, ...others] = (await stored()).propensities ?? [];
    expect([first, second, others.length]).toEqual([1, 1, 18]);
    const notTried = others.filter((chance) => chance > 0.1);
    expect(new Set(notTried.map((chance) => chance.toFixed(6)))).toEqual(new Set(['0.900000']));
  });

  // proves: output-snapshots/propensities
  it('are in the snapshot with the chance that brought each item to its position', async () => {
    await stage.addItems(
      Array.from({ length: 40 }, (_, n) => ({
        id: `i-${n}`,
        title: `Объект номер ${n}`,
        published_at: new Date(Date.now() - n * 86_400_000).toISOString(),
      })),
    );
    await stage.followed();
    const answer = await feed({ limit: 20, exploration: 0.3 });
    const { ids, propensities } = await stored();
    expect(ids).toEqual(idsOf(answer));
    expect(propensities?.slice(0, 2)).toEqual([1, 1]);
    for (const chance of propensities?.slice(2) ?? [])
      expect(chance === Math.fround(0.7) || chance <= 0.3 || Math.abs(chance - 0.7) < 1e-6).toBe(true);
  });

  // proves: output-snapshots/propensities
  it('leave every position certain while nothing is new', async () => {
    const items = Array.from({ length: 12 }, (_, n) => ({ id: `i-${n}`, title: `Объект номер ${n}` }));
    await stage.addItems(items.map((item) => ({ ...item, published_at: '2020-01-01T00:00:00Z' })));
    await stage.followed();
    await feed({ limit: 6, exploration: 0.1 });
    expect((await stored()).propensities).toEqual([1, 1, 1, 1, 1, 1]);
  });

  // proves: output-snapshots/propensities
  it('leave the positions of pins certain', async () => {
    await stage.addItems(Array.from({ length: 12 }, (_, n) => ({ id: `i-${n}`, title: `Объект номер ${n}` })));
    await stage.followed();
    await feed({ limit: 6, exploration: 0.1, pins: [{ item: 'i-11', position: 4 }] });
    const { ids, propensities } = await stored();
    expect([ids[4], propensities?.[4]]).toEqual(['i-11', 1]);
    expect(propensities?.[3]).toBeLessThan(1);
  });

  // proves: output-request/exploration
  it('do not happen without exploration', async () => {
    await setUp();
    await feed({ exploration: 0 });
    expect((await stored()).propensities).toBeNull();
  });

  // proves: output-request/exploration
  it('exclude items that were met long before their date, as after an import', async () => {
    await stage.addItems(['imported', 'fresh'].map((id) => ({ id, title: 'Новое' })));
    await stage.followed();
    await stage.send([
      { who: 'u-1', item: 'imported', daysAgo: 40 },
      { who: 'u-1', item: 'fresh' },
    ]);
    await stage.counted();
    const catalogue = stage.selection.catalogues.find(stage.project.id);
    if (typeof catalogue === 'string') throw new Error(catalogue);
    const metDaysAgo = (id: string) =>
      (Date.now() - catalogue.popularity.firstMetAt(catalogue.slotOf(id) ?? -1)) / 86_400_000;
    expect(metDaysAgo('imported')).toBeGreaterThan(39);
    expect(metDaysAgo('fresh')).toBeLessThan(2);
  });

  it('are counted by their impressions and openings', async () => {
    await stage.addItems([{ id: 'fresh', title: 'Свежее', published_at: new Date().toISOString() }]);
    await stage.followed();
    const shown = Array.from({ length: 3 }, (_, n) => ({
      id: `shown-${n}`,
      type: 'impression',
      item: 'fresh',
      user,
      occurred_at: new Date().toISOString(),
    }));
    await stage.call('POST', '/events', { events: shown });
    await send('fresh', 'open');
    await stage.selection.catalogues.followTrials();
    const catalogue = stage.selection.catalogues.find(stage.project.id);
    if (typeof catalogue === 'string') throw new Error(catalogue);
    const slot = catalogue.slotOf('fresh') ?? -1;
    expect([catalogue.trials.impressions(slot), catalogue.trials.opens(slot)]).toEqual([3, 1]);
  });
});
