/** Moments of media that a search finds, most of them without any word of the query. */
import { afterEach, expect, it, jest } from '@jest/globals';
import { replaceChunks } from '../../../db/analysis/results/searchChunks.ts';
import { vectorOf } from '../support/outputStage.ts';
import { stageSearch } from './support/searchStage.ts';

const MEANT = 'Рецепт борща со свёклой';
const stage = stageSearch({
  // Every query gets the vector of this text.
  embed: () => Promise.resolve(vectorOf(MEANT)),
});
afterEach(() => void jest.restoreAllMocks());
const VIDEO = [{ kind: 'video', url: 'https://media.test/a.mp4' }] as const;

async function chunksOf(query: string, id: string, body: object = {}) {
  const { items } = await stage.find(query, { semantic: 'auto', ...body });
  return items.find((item) => item.id === id)?.chunks;
}

// proves: search/chunks
it.each([
  ['with its description', 'вечер', { provider: 'openai', model: 'vision' }, 'вечер'],
  ['without the colours in the description of the built-in provider', 'синий', { provider: 'builtin' }, ''],
])(
  'moments name the frame by which a video was found, %s, although no text has a word of the query',
  async (...row) => {
    const [, description, provenance, text] = row;
    const id = `evening-${provenance.provider}`;
    const pictures = [
      [0, 0.1, 1],
      [0.9, 0.3, 0.2],
    ];
    await stage.addItems([{ id, type: 'video', title: 'IMG 2041', media: [...VIDEO], pictures }]);
    await stage.api.pool.query(
      `insert into item_frames (project_id, item_id, medium_id, ts, blob_key, description, provenance)
     select project_id, item_id, medium_id, 1, 'media/evening/1.jpg', $3, $4 from item_media where project_id = $1 and item_id = $2`,
      [stage.project.id, id, description, provenance],
    );
    await stage.indexed();
    expect(await chunksOf('закат', id)).toMatchObject([{ media_position: 0, start_sec: 1, text, frame: { ts: 1 } }]);
  },
);

// proves: search/chunks
it('moments are found beside a long text with the same words', async () => {
  const own = Array.from({ length: 30 }, (_, n) => ({ text: `Трамвай в абзаце ${n}` }));
  await stage.addItems([
    {
      id: 'article',
      type: 'mixed',
      title: 'Трамвай',
      media: [...VIDEO],
      chunks: [...own, { text: 'Трамва\u0301й в кадре', at: [0, 5, 9] }],
    },
  ]);
  await stage.indexed();
  expect(await chunksOf('трамвай', 'article')).toMatchObject([{ start_sec: 5, text: 'Трамва\u0301й в кадре' }]);
});

// proves: search/chunks
it('the only moment is the one that the query means if none has its words', async () => {
  await stage.addItems([
    {
      id: 'talk',
      type: 'video',
      title: 'Передача о погоде',
      media: [...VIDEO],
      chunks: [
        { text: 'Погода в горах', at: [0, 0, 30] },
        { text: MEANT, at: [0, 30, 60] },
        { text: 'Ремонт старых часов', at: [0, 60, 90] },
      ],
      chapters: [{ medium: 0, start: 20, end: 60, title: 'На кухне' }],
    },
    { id: 'page', title: MEANT },
    { id: 'clock', type: 'video', title: 'Часы', media: [...VIDEO], chunks: [{ text: 'Маятник', at: [0, 0, 9] }] },
  ]);
  await stage.indexed();
  const meant = { media_position: 0, start_sec: 30, end_sec: 60, text: MEANT, chapter: 'На кухне' };
  expect(await chunksOf('обед', 'talk')).toEqual([meant]);
  expect(await chunksOf('обед', 'page')).toEqual([]);
  // Words come first, and a chunk that is not similar is not a moment.
  expect(await chunksOf('погода', 'talk')).toMatchObject([{ start_sec: 0 }]);
  expect(await chunksOf('часы', 'clock')).toEqual([]);
  expect(await chunksOf('передача', 'talk', { semantic: 0 })).toEqual([]);
});

/** A film whose frames share a vector; the query means the third one. */
const FRAMES = ['Прогулка по парку', 'Ремонт старых часов', MEANT, 'Маятник'];
const film = (id: string) => ({
  id,
  type: 'video' as const,
  title: 'Фильм',
  media: [...VIDEO],
  chunks: FRAMES.map((text, n) => ({
    text,
    at: [0, n * 300, n * 300 + 300] as [number, number, number],
    shared: n === 0 ? FRAMES.join(' ') : '',
  })),
});

// proves: search/chunks
it('moments lead to the frame that the query means, not to the first of those that share its vector', async () => {
  await stage.addItems([film('film')]);
  await stage.indexed();
  expect(await chunksOf('обед', 'film')).toEqual([{ media_position: 0, start_sec: 600, end_sec: 900, text: MEANT }]);
});

// proves: search/chunks
it('moments lead to the first of the frames that share a vector in an item analysed before frames had vectors', async () => {
  await stage.addItems([film('old-film')]);
  await stage.api.pool.query('update item_chunks set frame_vector = null where item_id = $1', ['old-film']);
  await stage.indexed();
  expect(await chunksOf('обед', 'old-film')).toMatchObject([{ start_sec: 0, text: FRAMES[0] }]);
});

// proves: search/chunks
it.each([
  ['lead to the first of the frames that share a vector', 'search-frame-vectors', 'film-late', [{ text: FRAMES[0] }]],
  ['are missing', 'search-moment-vectors', 'film-blank', []],
])('moments %s if the query %s is too slow', async (_, statement, id, moments) => {
  await stage.addItems([film(id)]);
  await stage.indexed();
  const { pool } = stage.api;
  const query = pool.query.bind(pool) as (...asked: unknown[]) => unknown;
  jest.spyOn(pool, 'query').mockImplementation((...asked: unknown[]) => {
    if (JSON.stringify(asked[0]).includes(statement)) throw Object.assign(new Error('late'), { code: '57014' });
    return query(...asked) as never;
  });
  expect(await chunksOf('обед', id)).toMatchObject(moments);
});

it('moments are stored without the vector of a frame if it has no direction', async () => {
  await stage.addItems([film('zeros')]);
  const { pool } = stage.api;
  const client = await pool.connect();
  const frame = { mediumId: null, startSec: null, endSec: null, text: 'Кадр', vector: vectorOf(MEANT) };
  const ref = { projectId: stage.project.id, itemId: 'zeros' };
  try {
    await replaceChunks(client, ref, [{ ...frame, frameVector: new Float32Array(4) }], 'fake');
  } finally {
    client.release();
  }
  const { rows } = await pool.query('select frame_vector from item_chunks where item_id = $1', [ref.itemId]);
  expect(rows).toEqual([{ frame_vector: null }]);
});

// proves: search/chunks
it('moments are looked for only in items with media, among the chunks from which the vector of the item is made', async () => {
  const own = Array.from({ length: 30 }, (_, n) => ({ text: `Абзац ${n}` }));
  await stage.addItems([
    { id: 'article', title: MEANT, chunks: own },
    {
      id: 'report',
      type: 'mixed',
      title: 'Репортаж',
      media: [...VIDEO],
      chunks: [...own, { text: MEANT, at: [0, 5, 9] }],
    },
  ]);
  await stage.indexed();
  const query = jest.spyOn(stage.api.pool, 'query');
  const reads = () => query.mock.calls.filter((call) => JSON.stringify(call).includes('search-moment-vectors'));
  expect(await chunksOf('рецепт', 'article')).toEqual([]);
  expect(reads()).toHaveLength(0);
  expect(await chunksOf('репортаж', 'report')).toEqual([]);
  expect(reads()).toHaveLength(1);
});
