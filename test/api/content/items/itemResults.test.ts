/** The results of an analysed item: every field, as stored. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { clientOf, createTestProject, startTestApi, type Answer, type TestApi } from '../../support/testApi.ts';

const SUMMARY = {
  summary: 'Разбор глаголов.',
  description: 'Урок',
  topics: ['грамматика'],
  tags: ['глаголы'],
  entities: [{ name: 'Петербург', type: 'place' }],
  language: 'ru',
  age_rating: '0+',
  moderation: { level: 'low', categories: { violence: 0.1 }, evidence: [{ ts: 1.5 }] },
};
const CHAPTERS = [
  { start: 0, end: 300.5, title: 'Идти и ходить' },
  { start: 300.5, end: 612.4, title: 'Приставки' },
];
const SEGMENTS = [
  { start: 0, end: 3.2, text: 'Идти', speaker: null },
  { start: 3.2, end: 5, text: 'и ходить.', speaker: 'A' },
];

let database: TestDatabase;
let api: TestApi;
let answer: Answer;
let call: ReturnType<typeof clientOf>;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  const project = await createTestProject(database.pool);
  call = clientOf(api.content, project.key);
  await call('PUT', '/items/film', {
    type: 'video',
    media: [
      { kind: 'image', url: 'https://cdn.example.com/a.jpg' },
      { kind: 'video', url: 'https://cdn.example.com/a.mp4' },
    ],
  });
  await store(project.id);
  answer = await call('GET', '/items/film?include=transcript,frames,search_chunks');
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

/** Stores the second medium's results, as the analysis does. */
async function store(projectId: string): Promise<void> {
  const { pool } = database;
  const medium = `from item_media where project_id = $1 and position = 1`;
  await pool.query(
    `update item_media set status = 'ready', duration_sec = 612.4, width = 1920, height = 1080 where project_id = $1 and position = 1`,
    [projectId],
  );
  await pool.query(
    `insert into item_summaries (project_id, item_id, summary, provenance)
     select $1, 'film', $2::jsonb || jsonb_build_object('chapters', (select jsonb_agg(c || jsonb_build_object('medium_id', medium_id)) from jsonb_array_elements($3::jsonb) c)), '{}' ${medium}`,
    [projectId, SUMMARY, JSON.stringify(CHAPTERS)],
  );
  await pool.query(
    `insert into item_transcripts (project_id, item_id, medium_id, language, timestamps, text, segments, provenance)
     select project_id, item_id, medium_id, 'ru', 'model', 'Идти и ходить.', $2, '{}' ${medium}`,
    [projectId, JSON.stringify(SEGMENTS)],
  );
  await pool.query(
    `insert into item_frames (project_id, item_id, medium_id, ts, blob_key, duplicate_of_ts, description, ocr_text, tags, safety)
     select project_id, item_id, medium_id, ts, 'frames/' || ts, original, description, ocr_text, tags, safety
       from item_media, (values (0.5, null::float8, 'Доска', 'ИДТИ', '{доска}'::text[], '{"adult": false}'::jsonb), (9.5, 0.5, 'Доска', null, null, null))
            as frame (ts, original, description, ocr_text, tags, safety)
      where project_id = $1 and position = 1`,
    [projectId],
  );
  await pool.query(
    `insert into item_chunks (project_id, item_id, ordinal, medium_id, start_sec, end_sec, text, vector, model)
     select project_id, item_id, 1, medium_id, 0, 5, 'Идти и ходить.', ''::bytea, 'm' ${medium}
     union all select $1, 'film', 0, null, null, null, 'Разбор глаголов.', ''::bytea, 'm'`,
    [projectId],
  );
}

describe('an analysed item', () => {
  // proves: read/MediaOut
  it('shows its media in order, with what was measured', () => {
    expect(answer.body.media).toEqual([
      {
        position: 0,
        kind: 'image',
        url: 'https://cdn.example.com/a.jpg',
        duration_sec: null,
        width: null,
        height: null,
        status: 'new',
      },
      {
        position: 1,
        kind: 'video',
        url: 'https://cdn.example.com/a.mp4',
        duration_sec: 612.4,
        width: 1920,
        height: 1080,
        status: 'ready',
      },
    ]);
  });

  // proves: read/SummaryOut, read/Moderation, read/free-objects
  it('shows the whole summary with its moderation', () => {
    expect(answer.body.summary).toMatchObject(SUMMARY);
  });

  it('shows chapters at the position that their medium has now', async () => {
    const chaptersOf = ({ body }: Answer) => body.summary.chapters;
    expect(chaptersOf(answer)).toEqual(CHAPTERS.map((chapter) => ({ media_position: 1, ...chapter })));
    const media = answer.body.media.map(({ kind, url }: { kind: string; url: string }) => ({ kind, url }));
    await call('PATCH', '/items/film', { media: media.toReversed() });
    expect(chaptersOf(await call('GET', '/items/film'))).toEqual(
      CHAPTERS.map((chapter) => ({ media_position: 0, ...chapter })),
    );
    await call('PATCH', '/items/film', { media });
  });

  // proves: read/Moderation, decisions-results/moderation
  it('shows its moderation even without a summary', async () => {
    expect(answer.body.moderation).toEqual(SUMMARY.moderation);
    await database.pool.query('delete from item_summaries');
    await database.pool.query(
      `insert into item_moderations (project_id, item_id, moderation) select project_id, id, $1 from items`,
      [SUMMARY.moderation],
    );
    const without = await call('GET', '/items/film');
    expect(without.body).toMatchObject({ summary: null, moderation: SUMMARY.moderation });
  });

  // proves: read/TranscriptOut
  it('shows each transcript with its segments', () => {
    expect(answer.body.transcript).toEqual([
      { media_position: 1, language: 'ru', timestamps: 'model', text: 'Идти и ходить.', segments: SEGMENTS },
    ]);
  });

  // proves: read/FrameOut
  it('shows each frame, and for a duplicate the time of its original', () => {
    const image = expect.stringMatching(/^http:\/\/attune\.test\/media\//);
    expect(answer.body.frames).toEqual([
      {
        media_position: 1,
        ts: 0.5,
        duplicate_of_ts: null,
        description: 'Доска',
        ocr_text: 'ИДТИ',
        tags: ['доска'],
        safety: { adult: false },
        image_url: image,
      },
      expect.objectContaining({
        media_position: 1,
        ts: 9.5,
        duplicate_of_ts: 0.5,
        description: 'Доска',
        image_url: image,
      }),
    ]);
  });

  // proves: decisions-items/step-error
  it('shows why a step is not done in an object of its own, which is absent when there is nothing to explain', async () => {
    const plain = await call('GET', '/items/film');
    expect(plain.body).not.toHaveProperty('processing_errors');
    const [refused, silent] = [
      { code: 'provider_refused', message: 'Отказ.' },
      { code: 'no_audio', message: 'Нет звука.' },
    ];
    await database.pool.query(
      `with silent as (update item_media set speech = 'skipped', errors = jsonb_build_object('speech', $2::jsonb) where position = 1)
       update items set steps = jsonb_set(steps || jsonb_build_object(
                'speech', steps -> 'speech' || jsonb_build_object('state', 'skipped', 'error', $2::jsonb)),
                '{summary}', steps -> 'summary' || jsonb_build_object('state', 'failed', 'error', $1::jsonb))`,
      [refused, silent],
    );
    const { body } = await call('GET', '/items/film');
    expect(body.processing).toEqual({ ...plain.body.processing, speech: 'skipped', summary: 'failed' });
    expect(body.processing_errors).toEqual({ speech: { ...silent, media_position: 1 }, summary: refused });
  });

  // proves: read/SearchChunkOut
  it('shows the search chunks in order, with their position in a medium', () => {
    expect(answer.body.search_chunks).toEqual([
      { media_position: null, start_sec: null, end_sec: null, text: 'Разбор глаголов.' },
      { media_position: 1, start_sec: 0, end_sec: 5, text: 'Идти и ходить.' },
    ]);
  });
});
