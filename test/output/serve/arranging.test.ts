import { describe, expect, it } from '@jest/globals';
import { stageOutput } from '../support/outputStage.ts';

const stage = stageOutput();

type Item = { id: string; position: number; reason: { code: string }; score: number };
const popular = async (body: object = {}) =>
  (await stage.call('POST', '/recommendations/popular', { diversity: 0, ...body })).body;
const similar = async (body: object) => (await stage.call('POST', '/recommendations/similar', body)).body;
const idsOf = ({ items }: { items: Item[] }) => items.map(({ id }) => id);
const faultsOf = ({ error }: { error?: { details: { field: string; code: string }[] } }) =>
  error?.details.map(({ field, code }) => [field, code]);

/** Item n is the n-th newest. */
const addNumbered = (count: number, author: (n: number) => string | undefined = () => undefined) =>
  stage.addItems(
    Array.from({ length: count }, (_, n) => {
      const by = author(n);
      return {
        id: `i-${n}`,
        title: `Трамвай номер ${n}`,
        published_at: new Date(Date.UTC(2026, 0, 200 - n)).toISOString(),
        properties: { level: n },
        ...(by !== undefined && { author: by }),
      };
    }),
  );
const declareLevel = () =>
  stage.api.pool.query(
    `insert into item_properties (project_id, name, type, filterable) values ($1, 'level', 'number', true), ($1, 'hidden', 'string', false)`,
    [stage.project.id],
  );

/** Reads all pages of a request. */
async function pagesOf(request: object) {
  const pages: { items: Item[]; next_cursor: string | null; recommendation_id: string }[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await popular({ ...request, ...(cursor !== undefined && { cursor }) });
    pages.push(page);
    cursor = page.next_cursor;
    if (pages.length > 50) throw new Error('pages without an end');
  }
  return pages;
}

describe('boosts', () => {
  // proves: output-request/boosts
  it('raise or lower items that match their filter, and remove nothing', async () => {
    await declareLevel();
    await addNumbered(12);
    await stage.followed();
    const boosts = [{ filter: { property: 'level', op: 'gte', value: 9 }, factor: 10 }];
    expect(idsOf(await popular({ boosts })).slice(0, 4)).toEqual(['i-9', 'i-10', 'i-11', 'i-0']);
    const lowered = [{ filter: { property: 'level', op: 'lt', value: 10 }, factor: 0.1 }];
    const body = await popular({ boosts: lowered, limit: 100, explain: true });
    expect(idsOf(body).slice(0, 3)).toEqual(['i-10', 'i-11', 'i-0']);
    expect(body.items).toHaveLength(12);
    expect(body.items[2].explain.factor).toBeCloseTo(0.1);
  });

  // proves: output-request/boosts
  it('are refused if their filter is, and the fault names its field', async () => {
    await declareLevel();
    const right = { property: 'level', op: 'eq', value: 1 };
    const faults = async (boosts: object[]) => faultsOf(await popular({ boosts }));
    expect(
      await faults([
        { filter: right, factor: 2 },
        { filter: { ...right, op: 'contains_any', value: ['a'] }, factor: 2 },
        { filter: { ...right, property: 'hidden' }, factor: 2 },
        { filter: { ...right, value: 'high' }, factor: 2 },
      ]),
    ).toEqual([
      ['boosts[1].filter.op', 'unknown_filter'],
      ['boosts[2].filter.property', 'unknown_filter'],
      ['boosts[3].filter.value', 'invalid_type'],
    ]);
    expect(await faults([{ filter: right, factor: 11 }])).toEqual([['boosts[0].factor', 'invalid_value']]);
    expect(await faults([{ filter: right }])).toEqual([['boosts[0].factor', 'required']]);
    const many = Array.from({ length: 11 }, () => ({ filter: right, factor: 2 }));
    expect(await faults(many)).toEqual([['boosts', 'too_long']]);
  });
});

describe('pins', () => {
  // proves: output-request/pins, output-answer/pinned
  it('stay at their positions, on later pages too, and appear once', async () => {
    await addNumbered(20);
    await stage.followed();
    const pins = [
      { item: 'i-19', position: 1 },
      { item: 'i-0', position: 7 },
      { item: 'i-18', position: 500 },
      { item: 'unheard-of', position: 0 },
      { item: 'i-19', position: 4 },
    ];
    const pages = await pagesOf({ pins, limit: 6 });
    const all = pages.flatMap(({ items }) => items);
    expect(all.map(({ position }) => position)).toEqual(all.map((_, at) => at));
    expect(new Set(all.map(({ id }) => id)).size).toBe(20);
    expect([all[1], all[7], all.at(-1)].map((one) => [one?.id, one?.reason.code])).toEqual([
      ['i-19', 'pinned'],
      ['i-0', 'pinned'],
      ['i-18', 'pinned'],
    ]);
    expect(pages.map(({ items }) => items.length)).toEqual([6, 6, 6, 2]);
    expect(new Set(pages.map(({ recommendation_id: id }) => id)).size).toBe(1);
  });

  // proves: output-request/exclude, output-request/pins
  it('are subject to the same rules as other items', async () => {
    await addNumbered(6, (n) => (n === 4 ? 'a-1' : undefined));
    await stage.followed();
    const user = { user_id: 'u-1' };
    const pins = [1, 2, 3, 4, 5].map((n) => ({ item: `i-${n}`, position: 0 }));
    await stage.call('PATCH', '/items/i-1', { available: false });
    await stage.call('DELETE', '/items/i-2');
    await stage.send([{ who: 'u-1', item: 'i-3' }]);
    await stage.call('POST', '/users/profile', { user, hidden_authors: ['a-1'] });
    expect(idsOf(await popular({ user, pins }))).toEqual(['i-5', 'i-0']);
    expect(idsOf(await popular({ user, pins, exclude: ['i-5'] }))).toEqual(['i-0']);
    expect(idsOf(await popular({ user, pins, include_seen: true }))).toEqual(['i-3', 'i-5', 'i-0']);
    expect(idsOf(await similar({ item: 'i-5', pins: [{ item: 'i-5', position: 0 }] }))).not.toContain('i-5');
  });

  // proves: output-request/explain
  it('have no explanation, because no score brought them to their positions', async () => {
    await addNumbered(6);
    await stage.followed();
    const asked = {
      limit: 2,
      explain: true,
      pins: [0, 2].map((position) => ({ item: `i-${5 - position}`, position })),
    };
    for (const [path, own] of [
      ['feed', {}],
      ['similar', { item: 'i-1' }],
      ['popular', {}],
      ['together', { items: ['i-1'] }],
    ] as const) {
      const ask = async (more: object = {}) =>
        (await stage.call('POST', `/recommendations/${path}`, { ...asked, ...own, ...more })).body;
      const first = await ask();
      const second = await ask({ cursor: first.next_cursor });
      const pinned = { score: 0, reason: { code: 'pinned' }, explain: { parts: {} } };
      expect(first.items[0]).toMatchObject({ id: 'i-5', ...pinned });
      expect(second.items[0]).toMatchObject({ id: 'i-3', ...pinned });
      for (const { explain } of [first.items[0], second.items[0]]) expect(explain).toEqual(pinned.explain);
      expect((await ask({ cursor: first.next_cursor })).items).toEqual(second.items);
    }
  });

  // proves: output-request/pins
  it('are refused if they are invalid, and the fault names the wrong field', async () => {
    const faults = async (pins: object[]) => faultsOf(await popular({ pins }));
    expect(await faults([{ item: 'a', position: -1 }])).toEqual([['pins[0].position', 'invalid_value']]);
    expect(
      await faults([
        { item: 'a', position: 0 },
        { item: 'b', position: 1.5 },
      ]),
    ).toEqual([['pins[1].position', 'invalid_type']]);
    expect(await faults([{ item: 'a', position: 0, place: 1 }])).toEqual([['pins[0].place', 'unknown_field']]);
  });
});

describe('the limit per author', () => {
  // proves: output-small/max_per_author
  it('applies on every page, and loses nothing', async () => {
    await addNumbered(30, (n) => (n < 14 ? 'loud' : n < 20 ? `a-${n}` : undefined));
    await stage.followed();
    const pages = await pagesOf({ limit: 5, max_per_author: 2 });
    for (const { items } of pages) {
      const loud = items.filter(({ id }) => Number(id.slice(2)) < 14);
      expect(loud.length).toBeLessThanOrEqual(2);
    }
    const all = pages.flatMap(idsOf);
    expect(all).toHaveLength(30);
    expect(new Set(all).size).toBe(30);
    expect(all.slice(0, 5)).toEqual(['i-0', 'i-1', 'i-14', 'i-15', 'i-16']);
    expect(pages.every(({ items }) => items.length > 0)).toBe(true);
  });

  // proves: output-request/max_per_author
  it('is three by default, and is not a field of the path for similar items', async () => {
    await addNumbered(8, (n) => (n < 6 ? 'loud' : 'quiet'));
    await stage.followed();
    expect(idsOf(await popular())).toEqual(['i-0', 'i-1', 'i-2', 'i-6', 'i-7']);
    expect(idsOf(await popular({ max_per_author: 100 }))).toHaveLength(8);
    expect(faultsOf(await similar({ item: 'i-0', max_per_author: 3 }))).toEqual([['max_per_author', 'unknown_field']]);
    expect(faultsOf(await popular({ max_per_author: 0 }))).toEqual([['max_per_author', 'invalid_value']]);
  });

  // proves: output-small/max_per_author
  it('applies to pins', async () => {
    await addNumbered(6, () => 'one');
    await stage.followed();
    const pins = [4, 5].map((n) => ({ item: `i-${n}`, position: n - 4 }));
    const pages = await pagesOf({ limit: 3, max_per_author: 1, pins });
    expect(pages.map((page) => idsOf(page))).toEqual([['i-4'], ['i-5'], ['i-0'], ['i-1'], ['i-2'], ['i-3']]);
  });
});

describe('diversity', () => {
  // proves: output-request/diversity
  it('makes neighbours differ in content', async () => {
    await stage.addItems([
      { id: 'subject', title: 'Трамваи Петербурга и Москвы' },
      { id: 'p-1', title: 'Трамваи Петербурга вчера' },
      { id: 'p-2', title: 'Трамваи Петербурга завтра' },
      { id: 'm-1', title: 'Москвы улицы ночью и трамваи' },
    ]);
    await stage.followed();
    const plain = await similar({ item: 'subject', diversity: 0 });
    const scores = plain.items.map(({ score }: Item) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(idsOf(plain)).toHaveLength(3);
    const arranged = idsOf(await similar({ item: 'subject', diversity: 0.9 }));
    expect(arranged.toSorted()).toEqual(idsOf(plain).toSorted());
    // The two near-duplicates are not adjacent.
    expect(Math.abs(arranged.indexOf('p-1') - arranged.indexOf('p-2'))).toBe(2);
    expect(faultsOf(await similar({ item: 'subject', diversity: 1.1 }))).toEqual([['diversity', 'invalid_value']]);
  });
});

describe('the default of diversity', () => {
  // proves: output-request/diversity-default
  it('is 0.2', async () => {
    // Enough mixtures of a few words that a small step changes the order.
    const words = ['трамвай', 'автобус', 'вокзал', 'улица', 'река', 'мост', 'утро'];
    const titleOf = (n: number) =>
      Array.from({ length: 2 + (n % 3) }, (_, at) => words[(n * (at + 2) + at * at) % words.length]).join(' ');
    await stage.addItems(Array.from({ length: 30 }, (_, n) => ({ id: `i-${n}`, title: titleOf(n) })));
    await stage.followed();
    const orderWith = async (body: object) => idsOf(await similar({ item: 'i-1', limit: 30, ...body }));
    const plain = await orderWith({});
    expect(plain).toEqual(await orderWith({ diversity: 0.2 }));
    for (const diversity of [0, 0.15, 0.25]) expect(await orderWith({ diversity })).not.toEqual(plain);
  });
});

describe('rotation', () => {
  // proves: output-request/rotation_hours
  it('lowers items that were shown to the person recently and not opened', async () => {
    await addNumbered(6);
    await stage.followed();
    const user = { user_id: 'u-1' };
    await stage.call('POST', '/users/profile', { user, city: 'Казань' });
    const request = { user, rotation_hours: 24, include_seen: true };
    const first = await popular({ ...request, limit: 3 });
    expect(idsOf(first)).toEqual(['i-0', 'i-1', 'i-2']);
    expect(idsOf(await popular({ ...request, limit: 3, cursor: first.next_cursor }))).toEqual(['i-3', 'i-4', 'i-5']);
    await popular({ ...request, limit: 2 });
    // The opened item keeps its place.
    await stage.send([{ who: 'u-1', item: 'i-1' }]);
    expect(idsOf(await popular(request))[0]).toBe('i-1');
    const explained = await popular({ ...request, explain: true, limit: 100 });
    const factors = new Map(
      explained.items.map(({ id, explain }: Item & { explain: { factor?: number } }) => [id, explain.factor]),
    );
    expect(factors.get('i-1')).toBeUndefined();
    expect(factors.get('i-0')).toBeLessThan(0.5);
    expect(idsOf(await popular({ user, include_seen: true }))).toEqual(['i-0', 'i-1', 'i-2', 'i-3', 'i-4', 'i-5']);
  });

  // proves: output-request/rotation_hours
  it('does not affect others, or people without personalization', async () => {
    await addNumbered(4);
    await stage.followed();
    const request = { rotation_hours: 168 };
    const user = { user_id: 'u-1' };
    await stage.call('POST', '/users/profile', { user, personalization: false });
    for (const who of [{ user }, { user: { user_id: 'stranger' } }, {}]) {
      await popular({ ...request, ...who });
      expect(idsOf(await popular({ ...request, ...who }))).toEqual(['i-0', 'i-1', 'i-2', 'i-3']);
    }
    expect(faultsOf(await popular({ rotation_hours: 169 }))).toEqual([['rotation_hours', 'invalid_value']]);
  });
});
