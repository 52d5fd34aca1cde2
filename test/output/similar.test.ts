import { describe, expect, it } from '@jest/globals';
import { readRecommendationId } from '../../domain/output/recommendationId.ts';
import { MODEL, stageOutput, type StageItem } from './support/outputStage.ts';

const stage = stageOutput();

const TRAMS: StageItem[] = [
  { id: 'tram-1', title: 'История трамваев Петербурга' },
  { id: 'tram-2', title: 'Трамваи Петербурга сегодня' },
  { id: 'tram-3', title: 'История трамваев Москвы', author: 'a-1' },
  { id: 'soup-1', title: 'Рецепт борща со свёклой' },
];

const similar = (body: object) => stage.call('POST', '/recommendations/similar', body);
const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);

describe('POST /recommendations/similar', () => {
  // proves: output-paths/similar, output-request/fields, output-answer/form, output-answer/mode-contextual
  // proves: output-answer/similar, output-snapshots/recommendation_id
  it('returns items similar in content, the nearest first, without the subject', async () => {
    await stage.addItems(TRAMS);
    await stage.followed();
    const { status, body } = await similar({ item: 'tram-1', fields: ['title', 'author'] });
    expect(status).toBe(200);
    expect(idsOf(body).slice(0, 2).sort()).toEqual(['tram-2', 'tram-3']);
    expect(body).toMatchObject({ mode: 'contextual', model: MODEL, next_cursor: null });
    expect(readRecommendationId(body.recommendation_id)).toEqual({ mode: 'contextual', variant: null });
    expect(body.items[0]).toMatchObject({ position: 0, reason: { code: 'similar', item: 'tram-1' } });
    expect(body.items.find(({ id }: { id: string }) => id === 'tram-3').fields).toEqual({
      title: 'История трамваев Москвы',
      author: 'a-1',
    });
    const scores = body.items.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  });

  // proves: output-request/fields-extra
  it('returns the address, the summary and the first picture of an item as GET does', async () => {
    const media = (...names: string[]) =>
      names.map((name) => ({
        kind: name.endsWith('.mp4') ? ('video' as const) : ('image' as const),
        url: `https://media.test/${name}`,
      }));
    const wanted = [
      { id: 'film', type: 'video', title: 'Трамвай в кино', media: media('1.mp4', '2.jpg', '3.jpg') },
      { id: 'picture', type: 'image', title: 'Трамвай', url: 'https://shop.test/1', media: media('4.jpg', '5.jpg') },
      { id: 'text', type: 'text', title: 'О трамвае', url: 'https://shop.test/2' },
      { id: 'changed', type: 'text', title: 'Про трамвай' },
    ] as const;
    await stage.addItems([{ id: 'subject', title: 'Трамвай' }, ...wanted.map((item) => ({ ...item }))]);
    await stage.call('PATCH', '/items/changed', { title: 'Про другой трамвай' });
    const { items } = (await similar({ item: 'subject', fields: ['url', 'summary', 'image_url'] })).body;
    const told = Object.fromEntries(items.map(({ id, fields }: { id: string; fields: object }) => [id, fields]));
    for (const { id } of wanted) {
      const { url, summary, media: shown } = (await stage.call('GET', `/items/${id}`)).body;
      const image = shown.find(({ kind }: { kind: string }) => kind === 'image');
      expect([id, told[id]]).toEqual([id, { url, summary: summary?.summary ?? null, image_url: image?.url ?? null }]);
    }
    expect(told).toMatchObject({
      film: { url: null, summary: 'Трамвай в кино', image_url: 'https://media.test/2.jpg' },
      picture: { url: 'https://shop.test/1', image_url: 'https://media.test/4.jpg' },
      text: { image_url: null },
      changed: { summary: null },
    });
  });

  // proves: output-request/unknown-subject
  it('answers 404 for an item that never existed, and 200 for a deleted one', async () => {
    await stage.addItems(TRAMS);
    expect((await similar({ item: 'nothing' })).status).toBe(404);
    await stage.call('DELETE', '/items/tram-1');
    expect((await similar({ item: 'tram-1' })).status).toBe(200);
  });

  // proves: output-request/cursor
  it('continues by pages under one id without repeating anything, and refuses the cursor of another request', async () => {
    await stage.addItems(Array.from({ length: 25 }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}` })));
    await stage.followed();
    const request = { item: 't-0', limit: 10 };
    const first = (await similar(request)).body;
    const second = (await similar({ ...request, cursor: first.next_cursor })).body;
    const third = (await similar({ cursor: second.next_cursor, limit: 10, item: 't-0' })).body;
    expect(new Set([first, second, third].map(({ recommendation_id: id }) => id)).size).toBe(1);
    expect(
      [first, second, third].map(({ items }) => items.map(({ position }: { position: number }) => position)),
    ).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
      [20, 21, 22, 23],
    ]);
    expect(new Set([...idsOf(first), ...idsOf(second), ...idsOf(third)]).size).toBe(24);
    expect(third.next_cursor).toBeNull();
    const other = await similar({ ...request, limit: 11, cursor: first.next_cursor });
    expect([other.status, other.body.error.details[0].field]).toEqual([400, 'cursor']);
    for (const cursor of ['bm9uc2Vuc2U', '']) expect((await similar({ ...request, cursor })).status).toBe(400);
  });
});

describe('next to an item that is not analysed yet', () => {
  // proves: output-answer/interest
  it('items of its author are shown, then new ones', async () => {
    await stage.addItems([
      { id: 'new', title: 'Новое', published_at: '2026-11-20T00:00:00Z' },
      { id: 'same-author', title: 'Того же автора', author: 'a-1', published_at: '2026-01-01T00:00:00Z' },
    ]);
    await stage.call('PUT', '/items/queued', { type: 'text', title: 'Ждёт', author: 'a-1' });
    await stage.followed();
    const { body } = await similar({ item: 'queued' });
    expect(body).toMatchObject({ mode: 'contextual', model: null, next_cursor: null });
    expect(body.items.map(({ id, reason }: { id: string; reason: object }) => [id, reason])).toEqual([
      ['same-author', { code: 'author', value: 'a-1' }],
      ['new', { code: 'new' }],
    ]);
    expect((await similar({ item: 'queued', exclude: ['same-author'] })).body.mode).toBe('popular');
  });

  // proves: output-request/explain
  it('the author and the novelty that make up the scores are explained', async () => {
    await stage.addItems([
      { id: 'new', title: 'Новое' },
      { id: 'same-author', title: 'Того же автора', author: 'a-1' },
    ]);
    await stage.call('PUT', '/items/queued', { type: 'text', title: 'Ждёт', author: 'a-1' });
    await stage.followed();
    const { items } = (await similar({ item: 'queued', explain: true })).body;
    const parts = items.map(({ explain }: { explain: { parts: object } }) => explain.parts);
    expect(parts).toEqual([{ author: 0.5, recency: expect.any(Number) }, { recency: expect.any(Number) }]);
    for (const { score, explain } of items) {
      const { author = 0, recency } = explain.parts;
      expect(author + recency).toBeCloseTo(score, 3);
    }
  });
});

describe('the rules of visibility', () => {
  // proves: output-shown/eligible-at-once
  it('apply on the very next request after a write', async () => {
    await stage.addItems(TRAMS);
    await stage.followed();
    await stage.call('DELETE', '/items/tram-2');
    await stage.call('PATCH', '/items/tram-3', { available: false });
    expect(idsOf((await similar({ item: 'tram-1' })).body)).not.toEqual(expect.arrayContaining(['tram-2']));
    expect(idsOf((await similar({ item: 'tram-1' })).body)).not.toEqual(expect.arrayContaining(['tram-3']));
  });

  // proves: output-shown/hides_item, output-shown/hidden_authors, output-shown/excluded_interests
  // proves: output-shown/person-deleted
  it('exclude what the person has hidden, by event, author or interest', async () => {
    await stage.addItems([
      ...TRAMS,
      { id: 'tram-4', title: 'Трамваи Казани', tags: ['Старый транспорт'] },
      { id: 'tram-5', title: 'Трамваи и джипы', topics: ['Внедорожники'] },
    ]);
    await stage.followed();
    const user = { user_id: 'u-1' };
    const shown = async () => new Set(idsOf((await similar({ item: 'tram-1', user })).body));
    expect(await shown()).toEqual(new Set(['tram-2', 'tram-3', 'tram-4', 'tram-5']));
    await stage.call('POST', '/events', {
      events: [{ id: 'e-1', type: 'hide', item: 'tram-2', user, value: 1, occurred_at: new Date().toISOString() }],
    });
    expect(await shown()).toEqual(new Set(['tram-3', 'tram-4', 'tram-5']));
    await stage.call('POST', '/users/profile', {
      user,
      hidden_authors: ['a-1'],
      excluded_interests: ['старого транспорта', 'Автомобили'],
    });
    expect(await shown()).toEqual(new Set());
    await stage.call('POST', '/users/delete', { user });
    expect(await shown()).toEqual(new Set(['tram-2', 'tram-3', 'tram-4', 'tram-5']));
  });

  // proves: output-shown/suppress-content
  it('exclude items similar to what an event of the person suppresses, for as many days as its type says', async () => {
    await stage.addItems([
      { id: 'subject', title: 'Кофеварка рожковая' },
      { id: 'bought', title: 'Кофеварка капельная Утро на шестьсот миллилитров с таймером и кувшином, белая' },
      { id: 'same', title: 'Кофеварка капельная Утро на шестьсот миллилитров с таймером и кувшином, чёрная' },
      { id: 'other', title: 'Кофеварка гейзерная на три чашки' },
    ]);
    await stage.followed();
    await stage.api.pool.query(
      `update event_types set suppress_similar_days = 30 where project_id = $1 and code = 'cart'`,
      [stage.project.id],
    );
    const user = { user_id: 'u-1' };
    const cart = (id: string, daysAgo: number) =>
      stage.call('POST', '/events', {
        events: [
          {
            id,
            type: 'cart',
            item: 'bought',
            user,
            occurred_at: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
          },
        ],
      });
    const shown = async () => idsOf((await similar({ item: 'subject', user })).body).sort();
    await cart('e-1', 31);
    expect(await shown()).toEqual(['bought', 'other', 'same']);
    await cart('e-2', 29);
    expect(await shown()).toEqual(['other']);
  });

  // proves: output-request/unknown-subject
  it('allow a question about an item that may not be shown itself', async () => {
    await stage.addItems(TRAMS);
    await stage.followed();
    await stage.call('PATCH', '/items/tram-1', { available: false });
    expect(idsOf((await similar({ item: 'tram-1' })).body)).toContain('tram-2');
  });
});
