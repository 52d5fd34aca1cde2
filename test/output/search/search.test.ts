import { describe, expect, it } from '@jest/globals';
import { readRecommendationId } from '../../../domain/output/recommendationId.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { startStep } from '../../../db/analysis/steps.ts';
import type { MediaStep } from '../../../domain/analysis/steps.ts';
import { Analyst } from '../../support/items/items.ts';
import { MODEL, type StageItem } from '../support/outputStage.ts';
import { stageSurfaces } from '../support/surfaces.ts';
import { idsOf, stageSearch, walk } from './support/searchStage.ts';

const stage = stageSearch();
const surfaces = stageSurfaces(stage);

const TRAMS: StageItem[] = [
  { id: 'tram-1', title: 'История трамваев Петербурга', author: 'a-1', tags: ['транспорт'] },
  { id: 'tram-2', title: 'Трамваи Петербурга сегодня', author: 'a-2', tags: ['транспорт', 'город'] },
  { id: 'tram-3', title: 'Трамваи Москвы', author: 'a-1' },
  { id: 'soup-1', title: 'Рецепт борща со свёклой' },
];

async function declare(name: string, type: string, filterable = true): Promise<void> {
  await stage.api.pool.query(
    'insert into item_properties (project_id, name, type, filterable) values ($1, $2, $3, $4)',
    [stage.project.id, name, type, filterable],
  );
}

describe('POST /search', () => {
  // proves: output-paths/search, output-answer/match, search/mode, search/highlights
  it('returns the matches, with total, facets and marked words', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const found = await stage.find('трамвай', { facets: ['authors', 'tags'], fields: ['title'] });
    expect(idsOf(found).toSorted()).toEqual(['tram-1', 'tram-2', 'tram-3']);
    expect(found).toMatchObject({
      mode: 'lexical',
      model: null,
      next_cursor: null,
      total: { value: 3, relation: 'eq' },
      corrected_query: null,
    });
    expect(readRecommendationId(found.recommendation_id)).toEqual({ mode: 'lexical', variant: null });
    expect(found.facets).toEqual({
      authors: [
        { value: 'a-1', count: 2 },
        { value: 'a-2', count: 1 },
      ],
      tags: [
        { value: 'транспорт', count: 2 },
        { value: 'город', count: 1 },
      ],
    });
    const third = found.items.find(({ id }) => id === 'tram-3');
    expect(third).toMatchObject({ reason: { code: 'match' }, fields: { title: 'Трамваи Москвы' }, chunks: [] });
    expect(third?.highlights[0]).toEqual({ field: 'title', text: 'Трамваи Москвы', ranges: [[0, 7]] });
  });

  // proves: search/semantic, search/mode, search/by-meaning
  it('finds items by meaning that contain none of the words', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const found = await stage.find('петербургские трамваи', { semantic: 'auto' });
    expect(found).toMatchObject({ mode: 'hybrid', model: MODEL });
    expect(readRecommendationId(found.recommendation_id)?.mode).toBe('hybrid');
    expect(idsOf(found)).not.toContain('soup-1');
  });

  // proves: search/keyboard, search/synonyms, output-cabinet/synonym-endpoints
  it('corrects typing errors, and uses changed synonyms from the next search on', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    expect(await stage.find('nhfvdfb')).toMatchObject({ corrected_query: 'трамваи', total: { value: 3 } });
    expect((await stage.find('вагончик')).total.value).toBe(0);
    const synonyms = [{ words: ['вагончик'], to: ['трамвай'] }];
    expect((await surfaces.cabinet('PUT', surfaces.of('/synonyms'), { synonyms })).status).toBe(200);
    expect((await stage.find('вагончик')).total.value).toBe(3);
    expect((await stage.find('вагончики петербург')).total.value).toBe(2);
  });

  // proves: search/highlights
  it('reads texts in HTML as the readers of a page see them', async () => {
    await stage.addItems([{ id: 'article', title: 'Трам&shy;вай &amp; город' }]);
    await stage.api.pool.query(`update items set description = $2 where project_id = $1`, [
      stage.project.id,
      '<p class="lead">Первый <b>мар</b>шрут</p>',
    ]);
    await stage.indexed();
    for (const query of ['class', 'lead']) expect(idsOf(await stage.find(query))).toEqual([]);
    expect((await stage.find('трамвай')).items[0]?.highlights).toContainEqual({
      field: 'title',
      text: 'Трамвай & город',
      ranges: [[0, 7]],
    });
    expect((await stage.find('маршрут')).items[0]?.highlights).toContainEqual({
      field: 'text',
      text: 'Первый маршрут',
      ranges: [[7, 14]],
    });
  });

  // proves: search/highlights
  it.each([
    ['after a long comment', `<!--[if gte mso 9]>${'<w:LsdException/>'.repeat(400)}<![endif]--><p>Первый маршрут</p>`],
    ['before a comment that is too long to be read', `<p>Первый маршрут</p><!--${' маршрут'.repeat(8_000)} -->`],
    ['before a tag that is too long to be read', `<p>Первый маршрут</p><p class="${'маршрут '.repeat(8_000)}"></p>`],
  ])('marks words of a description in HTML, and no markup: %s', async (_where, description) => {
    await stage.addItems([{ id: 'article', title: 'Трамвай' }]);
    await stage.api.pool.query('update items set description = $2 where project_id = $1', [
      stage.project.id,
      description,
    ]);
    await stage.indexed();
    expect((await stage.find('маршрут')).items[0]?.highlights).toContainEqual({
      field: 'text',
      text: 'Первый маршрут',
      ranges: [[7, 14]],
    });
  });

  // proves: search/no-highlight
  it('marks no words if that is not requested', async () => {
    await stage.addItems(TRAMS.slice(0, 1));
    await stage.indexed();
    const marksWith = async (body: object) => (await stage.find('трамвай', body)).items[0]?.highlights.length;
    expect(await marksWith({})).toBeGreaterThan(0);
    expect(await marksWith({ highlight: false })).toBe(0);
  });

  describe('far into a long recording', () => {
    const COUNT = 450;
    /** Adds a recording that says other words in turn, except at some of its minutes. */
    async function record(title: string, texts: Readonly<Record<number, string>>, others: string[]): Promise<void> {
      const said = (n: number): string => texts[n] ?? `${others[n % others.length]} ${n}`;
      const at = (n: number): [number, number, number] => [0, 60 * n, 60 * (n + 1)];
      const chunks = Array.from({ length: COUNT }, (_, n) => ({ text: said(n), at: at(n) }));
      const media = [{ kind: 'video' as const, url: 'https://media.test/a.mp4' }];
      await stage.addItems([{ id: 'lecture', type: 'video', title, media, chunks }]);
      await stage.indexed();
    }
    const momentsFor = async (query: string) => (await stage.find(query)).items[0]?.chunks.map(({ text }) => text);

    // proves: search/chunks
    it('finds moments, whatever connecting words the query has', async () => {
      const trees = { 7: 'Ёлка номер 7', 30: 'Ёлка номер 30', 440: 'Ё\u0301лка номер 440' };
      await record('Лекция о ёлках', trees, ['Погода о']);
      for (const query of ['ёлки', 'о ёлках']) expect(await momentsFor(query)).toEqual(Object.values(trees));
    });

    // proves: search/chunks
    it('finds moments by words that others contain', async () => {
      await record('Кот', { 400: 'Чёрный кот' }, ['Которые', 'Скот', 'Котлеты']);
      expect(await momentsFor('кот')).toEqual(['Чёрный кот']);
    });

    // proves: search/chunks
    it('prefers the moments with the most words', async () => {
      await record('Рецепт борща', { 430: 'Рецепт борща', 440: 'Про борщ' }, ['Рецепт']);
      expect(await momentsFor('рецепт борща')).toEqual(['Рецепт борща', 'Рецепт 0', 'Рецепт 1']);
    });
  });

  // proves: search/highlights
  it('marks words at the end of a long article', async () => {
    const chunks = Array.from({ length: 450 }, (_, n) => ({ text: n === 449 ? 'Чёрный кот' : `Которые ${n}` }));
    await stage.addItems([{ id: 'article', title: 'Кот', chunks }]);
    await stage.indexed();
    const [found] = (await stage.find('кот')).items;
    expect(found?.highlights).toContainEqual({ field: 'text', text: 'Чёрный кот', ranges: [[7, 10]] });
  });

  // proves: search/chunks
  it('returns up to three moments of media, those with the most words first', async () => {
    await stage.addItems([
      {
        id: 'film',
        type: 'video',
        title: 'Фильм «Первый трамвай»',
        media: ['a', 'b'].map((name) => ({ kind: 'video', url: `https://media.test/${name}.mp4` })),
        chunks: [
          { text: 'Рассказ о том, как пришёл первый трамвай' },
          { text: 'Первый трамвай', at: [0, 0, 12.5] },
          { text: 'Трамвай уходит', at: [0, 200, 220] },
          { text: 'Погода', at: [0, 300, 310] },
          { text: 'Снова первые трамваи', at: [1, 40, 60] },
          { text: 'Трамвай', at: [1, 100, 130] },
        ],
        chapters: [
          { medium: 0, start: 0, end: 150, title: 'Дореволюционный вагон' },
          { medium: 0, start: 150, end: 310, title: 'Прощание' },
        ],
      },
    ]);
    await stage.indexed();
    expect((await stage.find('первый трамвай', { highlight: false })).items[0]?.chunks).toEqual([
      { media_position: 0, start_sec: 0, end_sec: 12.5, text: 'Первый трамвай', chapter: 'Дореволюционный вагон' },
      { media_position: 1, start_sec: 40, end_sec: 60, text: 'Снова первые трамваи' },
      { media_position: 0, start_sec: 200, end_sec: 220, text: 'Трамвай уходит', chapter: 'Прощание' },
    ]);
    expect((await stage.find('фильм')).items[0]?.chunks).toEqual([]);
    // The words of a chapter's title are found, too.
    expect((await stage.find('дореволюционный')).items.map(({ id }) => id)).toEqual(['film']);
  });

  it('names the frame by which a video was found', async () => {
    const media = [{ kind: 'video', url: 'https://media.test/a.mp4' }] as const;
    const pictures = [
      [0, 0.1, 1],
      [0.9, 0.3, 0.2],
    ];
    await stage.addItems([
      { id: 'evening', type: 'video', title: 'IMG 2041', media: [...media], pictures },
      { id: 'essay', title: 'Закат Европы' },
    ]);
    await stage.api.pool.query(
      `insert into item_frames (project_id, item_id, medium_id, ts, blob_key, description, provenance)
       select project_id, item_id, medium_id, 1, 'media/evening/1.jpg', 'вечер над морем', '{"provider": "openai", "model": "vision"}' from item_media where project_id = $1 and item_id = 'evening'`,
      [stage.project.id],
    );
    await stage.indexed();
    const { items } = await stage.find('закат', { semantic: 'auto' });
    const chunksOf = (wanted: string) => items.find(({ id }) => id === wanted)?.chunks;
    const frame = { ts: 1, image_url: expect.stringMatching(/^http:\/\/attune\.test\/media\/./) };
    expect(chunksOf('evening')).toEqual([
      { media_position: 0, start_sec: 1, end_sec: 1, text: 'вечер над морем', frame },
    ]);
    expect(chunksOf('essay')).toEqual([]);
  });

  it('finds pictures by what they show, in addition to what is found by words', async () => {
    const media = [{ kind: 'video', url: 'https://media.test/a.mp4' }] as const;
    await stage.addItems([
      {
        id: 'evening',
        type: 'video',
        title: 'IMG 2041',
        media: [...media],
        pictures: [
          [0, 0.1, 1],
          [0.9, 0.3, 0.2],
        ],
      },
      { id: 'beach', type: 'video', title: 'IMG 2042', media: [...media], pictures: [[0.1, 0.9, 0.1]] },
      { id: 'essay', title: 'Закат Европы' },
    ]);
    await stage.indexed();
    const idsOf = async (query: string, body: object = {}) =>
      (await stage.find(query, { semantic: 'auto', ...body })).items.map(({ id }) => id).toSorted();
    expect(await idsOf('закат')).toEqual(['essay', 'evening']);
    expect(await idsOf('море')).toEqual(['beach']);
    expect(await idsOf('закат', { semantic: 0 })).toEqual(['essay']);
    expect(await idsOf('закат', { types: ['text'] })).toEqual(['essay']);
    await stage.call('DELETE', '/items/evening');
    expect(await idsOf('закат')).toEqual(['essay']);
  });

  // proves: search/relation-gte
  it('says that there are more than 10,000 hits', async () => {
    await stage.api.pool.query(
      `insert into items (project_id, id, type, title, status, published_at, origin, available, revision, steps, created_at, updated_at)
       select $1, 'i-' || n, 'text', 'Трамвай', 'ready', now(), 'api', true, 1, '{}', now(), now() from generate_series(1, 10001) n`,
      [stage.project.id],
    );
    await stage.indexed();
    const found = await stage.find('трамвай', { facets: ['types'], limit: 1 });
    expect(found).toMatchObject({ mode: 'lexical', total: { value: 10_000, relation: 'gte' } });
    expect(found.facets['types']).toEqual([{ value: 'text', count: 10_001 }]);
    await stage.call('DELETE', '/items/i-7');
    expect((await stage.find('трамвай', { limit: 1 })).total).toEqual({ value: 10_000, relation: 'eq' });
  });

  // proves: search/sort
  it('sorts by a property, and refuses one that is not filterable or of the wrong type', async () => {
    await declare('price', 'number');
    await declare('level', 'string');
    await declare('note', 'string', false);
    await stage.addItems([3, 1, 2].map((price) => ({ id: `p-${price}`, title: 'Трамвай', properties: { price } })));
    await stage.indexed();
    const sort = { by: 'price', dir: 'asc' };
    expect(idsOf(await stage.find('трамвай', { sort }))).toEqual(['p-1', 'p-2', 'p-3']);
    const refused = await stage.call('POST', '/search', {
      query: '',
      facets: ['level', 'note', 'nothing'],
      sort: { by: 'level' },
    });
    expect(refused.status).toBe(422);
    expect(refused.body.error.details).toMatchObject([
      { field: 'facets[1]', code: 'unknown_filter' },
      { field: 'facets[2]', code: 'unknown_filter' },
      { field: 'sort.by', code: 'unknown_filter' },
    ]);
  });

  // proves: output-request/cursor
  it('refuses a forged cursor before any fault that only stored data can show, as all paths do', async () => {
    const filters = [{ property: 'nothing', op: 'eq', value: 1 }];
    for (const [path, body] of [
      ['/search', { query: '', facets: ['nothing'] }],
      ['/search', { query: '', filters }],
      ['/recommendations/feed', { filters }],
    ] as const) {
      const { status, body: answer } = await stage.call('POST', path, { ...body, cursor: 'forged' });
      expect([status, answer.error.details]).toMatchObject([400, [{ field: 'cursor', code: 'invalid_value' }]]);
    }
  });

  // proves: output-paths/unknown-fields, output-paths/search, search/semantic, search/facets
  it('refuses a query that is too long and unknown fields', async () => {
    const faultOf = async (body: object) => {
      const { status, body: answer } = await stage.call('POST', '/search', body);
      return [status, answer.error.details.map(({ field }: { field: string }) => field)];
    };
    expect(await faultOf({ query: 'я'.repeat(501) })).toEqual([422, ['query']]);
    expect(await faultOf({})).toEqual([422, ['query']]);
    expect(await faultOf({ query: '', semantic: 2 })).toEqual([422, ['semantic']]);
    expect(await faultOf({ query: '', facets: Array.from({ length: 11 }, () => 'tags') })).toEqual([422, ['facets']]);
    expect(await faultOf({ query: '', fuzzy: true })).toEqual([422, ['fuzzy']]);
  });
});

describe('the taste of a person', () => {
  const user = { user_id: 'u-1' };
  /** Adds books that are found by their words alone; the person follows `liked`. */
  async function addBooks(books: readonly { title: string; author?: string }[]): Promise<void> {
    const put = (book: object, n: number) => ({
      op: 'put',
      id: `i-${n}`,
      data: { type: 'text', published_at: new Date(Date.UTC(2026, 0, 200 - n)).toISOString(), ...book },
    });
    const operations = books.map(put);
    for (let from = 0; from < operations.length; from += 100)
      await stage.call('POST', '/items/batch', { operations: operations.slice(from, from + 100) });
    await stage.call('POST', '/users/profile', { user, followed_authors: ['liked'] });
    await stage.indexed();
  }
  const orderWith = async (body: object) => idsOf(await stage.find('трамвай', { user, ...body }));

  // proves: search/semantic-default
  it('has a weight of 0.2 by default', async () => {
    const longer = Array.from({ length: 12 }, (_, n) => Array.from({ length: 5 * n + 4 }, (_word, at) => `слово${at}`));
    await addBooks([
      { title: 'Трамвай' },
      ...longer.map((words) => ({ title: `Трамвай ${words.join(' ')}`, author: 'liked' })),
    ]);
    const plain = await orderWith({});
    expect(plain).toEqual(await orderWith({ personal: 0.2 }));
    for (const personal of [0, 0.15, 0.25]) expect(await orderWith({ personal })).not.toEqual(plain);
  });

  // proves: search/personal-reach
  it('reorders only the first hundred, on all pages, and does not change the total', async () => {
    await addBooks(
      Array.from({ length: 105 }, (_, n) => ({ title: 'Трамвай', ...([99, 100].includes(n) && { author: 'liked' }) })),
    );
    const pages = await walk(stage, 'трамвай', { user, personal: 1, limit: 60 });
    const others = Array.from({ length: 105 }, (_, n) => n).filter((n) => n !== 99);
    expect(pages.flatMap(idsOf)).toEqual([99, ...others].map((n) => `i-${n}`));
    expect(pages.map(({ mode, total }) => [mode, total.value])).toEqual(pages.map(() => ['lexical', 105]));
  });
});

describe('the explanation of a hit', () => {
  // proves: output-request/explain
  it('consists of its words and meaning, and of the taste that changed its place', async () => {
    const user = { user_id: 'u-1' };
    await stage.addItems(TRAMS.map((item) => ({ ...item, published_at: '2026-01-01T00:00:00Z' })));
    await stage.call('POST', '/users/profile', { user, followed_authors: ['a-2'] });
    await stage.indexed();
    const pins = [{ item: 'soup-1', position: 3 }];
    const body = { semantic: 'auto', personal: 1, explain: true, pins, user, limit: 4 };
    const { items, model } = await stage.find('трамваи', body);
    const explained = items.map(({ id, score, explain = {} }) => ({ id, score, ...explain })) as {
      id: string;
      score: number;
      relevance?: number;
      parts: Record<string, number>;
    }[];
    const hits = explained.filter(({ id }) => id !== 'soup-1');
    expect(hits.length).toBeGreaterThan(1);
    for (const { score, relevance, parts } of hits) {
      expect(relevance).toBe(score);
      expect((parts['words'] ?? 0) + (parts['meaning'] ?? 0)).toBeCloseTo(score, 4);
    }
    expect(hits[0]).toMatchObject({ id: 'tram-2', parts: { taste: 1 }, model });
    expect(hits[0]?.score).toBeLessThan(Math.max(...hits.map(({ score }) => score)));
    expect(items.find(({ id }) => id === 'soup-1')?.explain).toEqual({ parts: {} });
  });
});

describe('the weight of meaning', () => {
  // proves: search/semantic-default
  it('is auto by default', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const scoresWith = async (body: object) => {
      const answer = await stage.call('POST', '/search', { query: 'история трамваев', ...body });
      return [answer.body.mode, answer.body.items.map(({ id, score }: { id: string; score: number }) => [id, score])];
    };
    const plain = await scoresWith({});
    expect(plain).toEqual(await scoresWith({ semantic: 'auto' }));
    for (const semantic of [0, 0.4, 0.6, 1]) expect(await scoresWith({ semantic })).not.toEqual(plain);
  });
});

describe('a pinned item', () => {
  // proves: search/pin
  it('stays at its position whatever the query says, counts, and appears once', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const body = { pins: [{ item: 'soup-1', position: 1 }], limit: 2 };
    const pages = await walk(stage, 'трамвай', body);
    expect(pages.map(({ total }) => total.value)).toEqual([4, 4]);
    const ids = pages.flatMap(idsOf);
    expect([ids[1], ids.toSorted()]).toEqual(['soup-1', ['soup-1', 'tram-1', 'tram-2', 'tram-3']]);
    expect(pages[0]?.items[1]).toMatchObject({ reason: { code: 'pinned' } });
  });
});

describe('in the very next search after a write', () => {
  // proves: output-shown/queued, output-shown/eligible-at-once
  it('deleted, withdrawn or changed items are neither shown nor counted', async () => {
    await declare('level', 'string');
    await stage.addItems(TRAMS.map((item) => ({ ...item, properties: { level: 'easy' } })));
    await stage.indexed();
    const search = () =>
      stage.find('трамвай', { filters: [{ property: 'level', op: 'eq', value: 'easy' }], facets: ['level'] });
    const countOf = async () => {
      const found = await search();
      expect(found.mode).toBe('lexical');
      expect(found.facets['level']?.[0]?.count ?? 0).toBe(found.total.value);
      expect(idsOf(found).length).toBe(found.total.value);
      return found.total.value;
    };
    expect(await countOf()).toBe(3);
    await stage.call('DELETE', '/items/tram-1');
    expect(await countOf()).toBe(2);
    await stage.call('PATCH', '/items/tram-2', { available: false });
    expect(await countOf()).toBe(1);
    await stage.call('PATCH', '/items/tram-3', { properties: { level: 'hard' } });
    expect(await countOf()).toBe(0);
    await stage.call('PATCH', '/items/tram-2', { available: true });
    expect(await countOf()).toBe(1);
    await stage.call('PUT', '/items/tram-4', { type: 'text', title: 'Новый трамвай', properties: { level: 'easy' } });
    expect(await countOf()).toBe(2);
    await stage.call('PATCH', '/items/tram-4', { title: 'Троллейбус' });
    expect(await countOf()).toBe(1);
    expect((await stage.find('троллейбус')).total.value).toBe(1);
  });

  // proves: search/total, search/minus-words
  it('speech is found although the pictures are still being described', async () => {
    const { pool } = stage.api;
    const ref = { projectId: stage.project.id, itemId: 'film' };
    const media = [{ kind: 'video', url: 'https://media.test/a.mp4' }];
    await stage.call('PUT', '/items/film', { type: 'video', title: 'Фильм', media });
    await stage.indexed();
    const analyst = new Analyst(pool, ref.projectId);
    const running: { vision?: number } = {};
    const planned = async (step: MediaStep) => {
      const plan = await planItem(pool, ref, running);
      const revision = plan?.steps[step].revision ?? 0;
      return (plan?.todo[step] ?? []).map((mediumId) => ({ ...ref, step, revision, mediumId }));
    };
    for (const work of await planned('prepare')) await analyst.doMedium(work);
    for (const work of await planned('vision')) {
      await startStep(pool, work);
      running.vision = work.revision;
    }
    const speech = await planned('speech');
    expect((await stage.find('фильм')).total.value).toBe(1);
    for (const work of speech) await analyst.doMedium(work);
    expect((await planItem(pool, ref, running))?.steps).toMatchObject({
      speech: { state: 'done' },
      vision: { state: 'running' },
    });
    expect((await stage.find('речь')).total.value).toBe(1);
    expect((await stage.find('фильм -речь')).total.value).toBe(0);
  });

  // proves: output-shown/eligible-at-once
  it('this is true even while another transaction keeps the list of changes open', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const other = await stage.api.pool.connect();
    try {
      await other.query('begin');
      await other.query(`update items set updated_at = now() where project_id = $1 and id = 'soup-1'`, [
        stage.project.id,
      ]);
      await stage.call('DELETE', '/items/tram-1');
      expect((await stage.find('трамвай')).total.value).toBe(2);
      await stage.call('DELETE', '/items/tram-2');
      expect((await stage.find('трамвай')).total.value).toBe(1);
    } finally {
      await other.query('rollback');
      other.release();
    }
    expect((await stage.find('борщ')).total.value).toBe(1);
  });

  // proves: search/total, search/include_seen
  it('items that a person hides, has seen or does not want are neither shown nor counted', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const user = { user_id: 'u-1' };
    const totalOf = async (body: object = {}) => {
      const found = await stage.find('трамвай', { user, ...body });
      expect(idsOf(found).length).toBe(found.total.value);
      return found.total.value;
    };
    const event = (id: string, type: string, item: string) =>
      stage.call('POST', '/events', {
        events: [{ id, type, item, user, value: 1, occurred_at: new Date().toISOString() }],
      });
    expect(await totalOf()).toBe(3);
    await event('e-1', 'open', 'tram-3');
    expect([await totalOf(), await totalOf({ include_seen: false })]).toEqual([3, 2]);
    await event('e-2', 'hide', 'tram-2');
    expect([await totalOf(), await totalOf({ include_seen: false })]).toEqual([2, 1]);
    await stage.call('POST', '/users/profile', { user, hidden_authors: ['a-1'] });
    expect(await totalOf()).toBe(0);
    await stage.call('POST', '/users/delete', { user });
    expect(await totalOf({ include_seen: false })).toBe(3);
  });
});
