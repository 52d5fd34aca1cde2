import { describe, expect, it } from '@jest/globals';
import { idsOf, stageSearch, TRAMS } from './support/searchStage.ts';

const stage = stageSearch();

describe('a search', () => {
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
  it('marks no words if `highlight` is false', async () => {
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
    it('finds only the moments that have the word itself, not those where it is part of another', async () => {
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
});
