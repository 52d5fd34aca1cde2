import { describe, expect, it } from '@jest/globals';
import { purgeChunk } from '../../db/people/purge.ts';
import { listDeletedRoots } from '../../db/people/deletedRoots.ts';
import { stageOutput, type StageEvent } from './support/outputStage.ts';

const stage = stageOutput();

const popular = async (body: object = {}) => (await stage.call('POST', '/recommendations/popular', body)).body;
const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);
const reasonsOf = (body: { items: { id: string; reason: object }[] }) =>
  body.items.map(({ id, reason }) => [id, reason]);
const opens = (item: string, people: number, daysAgo = 0): StageEvent[] =>
  Array.from({ length: people }, (_, n) => ({ who: `u-${n}`, item, daysAgo }));
const day = (n: number) => `2026-0${n}-01T00:00:00Z`;
const addItems = () =>
  stage.addItems([
    { id: 'bread', title: 'Хлеб ржаной', published_at: day(1) },
    { id: 'tram', title: 'История трамваев', published_at: day(2) },
    { id: 'weather', title: 'Погода на завтра', published_at: day(3) },
    { id: 'chess', title: 'Шахматный дебют', published_at: day(4) },
  ]);
async function purgeDeleted() {
  const { pool } = stage.database;
  for (const rootId of await listDeletedRoots(pool, stage.project.id))
    for (;;) {
      const purge = { projectId: stage.project.id, rootId, limit: 100, isLastPass: true };
      if ((await purgeChunk(pool, purge)).state !== 'more') break;
    }
}
/** Diversity would change the order that these tests compare. */
const PLAIN = { diversity: 0 };

describe('POST /recommendations/popular', () => {
  // proves: output-answer/mode-popular
  it('returns new items if nothing is popular yet', async () => {
    await addItems();
    await stage.followed();
    const body = await popular(PLAIN);
    expect(body).toMatchObject({ mode: 'popular', model: null, next_cursor: null });
    expect(reasonsOf(body)).toEqual(['chess', 'weather', 'tram', 'bread'].map((id) => [id, { code: 'new' }]));
  });

  // proves: output-paths/popular, output-answer/popular-new, output-shown/counted-event
  it('returns what most people used within the period, then new items', async () => {
    await addItems();
    await stage.send([...opens('bread', 2), ...opens('tram', 3, 3), ...opens('weather', 5, 20)]);
    await stage.counted();
    const week = await popular(PLAIN);
    expect(reasonsOf(week)).toEqual([
      ['tram', { code: 'popular' }],
      ['bread', { code: 'popular' }],
      ['chess', { code: 'new' }],
      ['weather', { code: 'new' }],
    ]);
    const scores = week.items.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(idsOf(await popular({ ...PLAIN, period: '30d' }))).toEqual(['weather', 'tram', 'bread', 'chess']);
    expect(idsOf(await popular({ ...PLAIN, period: '1d' }))[0]).toBe('bread');
    const explained = await popular({ ...PLAIN, period: '365d', explain: true, limit: 1 });
    expect(explained.items[0]).toMatchObject({ id: 'weather', explain: { parts: { popularity: 5 } } });
  });

  // proves: output-paths/popular, output-answer/trending
  it('returns rising items before those with the most events if `kind` is trending', async () => {
    await addItems();
    const steady = Array.from({ length: 30 }, (_, daysAgo) => opens('bread', 4, daysAgo)).flat();
    await stage.send([...steady, ...opens('tram', 3)]);
    await stage.counted();
    expect(idsOf(await popular(PLAIN))[0]).toBe('bread');
    expect(reasonsOf(await popular({ ...PLAIN, kind: 'trending' })).slice(0, 2)).toEqual([
      ['tram', { code: 'trending' }],
      ['bread', { code: 'popular' }],
    ]);
  });

  // proves: output-paths/popular, output-answer/region
  it('returns what is popular in a city or country before other items', async () => {
    await addItems();
    await stage.call('POST', '/users/profile', { user: { user_id: 'u-0' }, city: 'Казань', country: 'Россия' });
    await stage.send([...opens('bread', 5), { who: 'u-0', item: 'tram' }]);
    await stage.counted();
    for (const region of ['Казань', 'kazan', 'RU']) {
      const body = await popular({ ...PLAIN, region });
      const [first, second] = reasonsOf(body);
      expect(body.mode).toBe('contextual');
      expect([first, second].map((one) => one?.[0]).toSorted()).toEqual(['bread', 'tram']);
      expect([first?.[1], second?.[1]]).toEqual([
        { code: 'region', value: region },
        { code: 'region', value: region },
      ]);
    }
    const unknown = await popular({ ...PLAIN, region: 'Тверь' });
    expect(unknown.mode).toBe('popular');
    expect(reasonsOf(unknown).slice(0, 2)).toEqual([
      ['bread', { code: 'popular' }],
      ['tram', { code: 'popular' }],
    ]);
  });

  // proves: output-request/include_seen, output-request/include_seen-default
  it('leaves out what the person knows, unless it is requested', async () => {
    await addItems();
    await stage.send([...opens('bread', 3), ...opens('tram', 2)]);
    await stage.counted();
    const user = { user_id: 'u-0' };
    expect(idsOf(await popular({ ...PLAIN, user }))).toEqual(['chess', 'weather']);
    expect(idsOf(await popular({ ...PLAIN, user, include_seen: true })).slice(0, 2)).toEqual(['bread', 'tram']);
    await stage.call('POST', '/users/profile', { user, personalization: false });
    expect(idsOf(await popular({ ...PLAIN, user })).slice(0, 2)).toEqual(['bread', 'tram']);
  });

  it('no longer counts the events of a deleted person', async () => {
    await addItems();
    await stage.send([{ who: 'u-0', item: 'bread', type: 'purchase' }, ...opens('tram', 2)]);
    await stage.counted();
    expect(idsOf(await popular(PLAIN)).slice(0, 2)).toEqual(['bread', 'tram']);
    await stage.call('POST', '/users/delete', { user: { user_id: 'u-0' } });
    // Purges as the workflow does, which records what it removes.
    await purgeDeleted();
    await stage.counted();
    expect(reasonsOf(await popular(PLAIN))[0]).toEqual(['tram', { code: 'popular' }]);
    expect(reasonsOf(await popular(PLAIN))).toContainEqual(['bread', { code: 'new' }]);
  });

  // proves: output-paths/unknown-fields, output-paths/popular
  it('refuses invalid values and unknown fields', async () => {
    const faults = async (body: object) =>
      (await stage.call('POST', '/recommendations/popular', body)).body.error?.details.map(
        ({ field, code }: { field: string; code: string }) => [field, code],
      );
    expect(await faults({ period: '2d' })).toEqual([['period', 'invalid_value']]);
    expect(await faults({ kind: 'best' })).toEqual([['kind', 'invalid_value']]);
    expect(await faults({ region: 7 })).toEqual([['region', 'invalid_type']]);
    expect(await faults({ item: 'a' })).toEqual([['item', 'unknown_field']]);
  });
});
