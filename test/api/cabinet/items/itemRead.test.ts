/** An item as the cabinet shows it: the answer of the content API plus the state of the analysis. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { withoutTriggers } from '../../../support/unstamped.ts';
import { createTestUser, tokenOf } from '../../support/people.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestProject, createTestToken, type Client, type TestProject } from '../../support/testApi.ts';

const RETRY_AT = '2030-01-02T03:04:05.000Z';
const PLAY_URL = expect.stringMatching(/^http:\/\/attune\.test\/media\/original\/[\w-]+\.[\w-]+$/);

const stage = stageApi();
let project: TestProject;
let call: Client;
let content: Client;

beforeAll(async () => {
  const { database, api } = stage;
  project = await createTestProject(database.pool);
  call = clientOf(api.cabinet, await createTestToken(database.pool));
  content = clientOf(api.content, project.key);
  await content('PUT', '/items/film', {
    type: 'video',
    title: 'Глаголы',
    media: [
      { kind: 'video', url: 'https://cdn.example.com/a.mp4' },
      { kind: 'audio', url: 'https://cdn.example.com/b.mp3' },
    ],
  });
  await storeResults();
});

const pathOf = (id: string, projectId = project.id): string => `/projects/${projectId}/items/${encodeURIComponent(id)}`;

/** Stores the first medium's results, as the analysis does. */
async function storeResults(): Promise<void> {
  const medium = `from item_media where project_id = $1 and item_id = 'film' and position = 0`;
  for (const text of [
    `insert into item_transcripts (project_id, item_id, medium_id, language, timestamps, text, segments, provenance)
     select project_id, item_id, medium_id, 'ru', 'model', 'Идти.', '[]', '{}' ${medium}`,
    `insert into item_frames (project_id, item_id, medium_id, ts, blob_key, description)
     select project_id, item_id, medium_id, 0.5, 'frames/1.jpg', 'Доска' ${medium}`,
    `insert into item_chunks (project_id, item_id, ordinal, medium_id, start_sec, end_sec, text, vector, model)
     select project_id, item_id, 0, medium_id, 0, 5, 'Идти.', ''::bytea, 'm' ${medium}`,
    `insert into item_summaries (project_id, item_id, summary, provenance)
     select project_id, item_id, '{"summary": "Разбор", "description": null, "topics": [], "tags": [], "entities": [], "language": "ru", "age_rating": null, "moderation": null}', '{}' ${medium}`,
  ])
    await stage.database.pool.query(text, [project.id]);
}

/** Replaces the tokens of media URLs, which depend on the time of signing. */
const withoutLinks = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(/\/media\/[\w.-]+/g, '/media/token'));

/** Stores a moderation of the item with this evidence. */
async function storeModeration(itemId: string, evidence: unknown[]): Promise<void> {
  const moderation = { level: 'medium', categories: null, evidence };
  await stage.database.pool.query(
    `insert into item_moderations (project_id, item_id, moderation, provenance, revision)
     values ($1, $2, $3, '{}', (select (steps #>> '{summary,revision}')::bigint from items where project_id = $1 and id = $2))`,
    [project.id, itemId, moderation],
  );
}

describe('the evidence of a moderation', () => {
  const read = async (id: string) => (await call('GET', `${pathOf(id)}?include=evidence`)).body.evidence;
  const found = { category: 'profanity', level: 'medium', count: 1, excerpt: 'It d**n turns.' };

  it('names its place in the words of the item', async () => {
    await content('PUT', '/items/rude', { type: 'text', title: 'A tram', body: 'It damn turns.' });
    await storeModeration('rude', [
      { ...found, term: 'd**n', where: { offset: 11, length: 4 } },
      { category: 'harassment', level: 'low', score: 0.3, kind: 'text', chunk: 0, where: { offset: 0, length: 22 } },
      { category: 'hate', level: 'low', score: 0.25, kind: 'text', chunk: 0 },
      { ...found, where: null },
    ]);
    const nowhere = { media_position: null, ts: null };
    expect(await read('rude')).toEqual([
      { ...found, score: null, place: { part: 'body', offset: 3, length: 4, ...nowhere } },
      {
        category: 'harassment',
        level: 'low',
        score: 0.3,
        count: null,
        excerpt: null,
        place: { part: 'title', offset: 0, length: 6, ...nowhere },
      },
      { category: 'hate', level: 'low', score: 0.25, count: null, excerpt: null, place: null },
      { ...found, score: null, place: null },
    ]);
  });

  it('names its place in a picture', async () => {
    await content('PUT', '/items/shown', {
      type: 'mixed',
      media: [
        { kind: 'audio', url: 'https://cdn.example.com/b.mp3' },
        { kind: 'video', url: 'https://cdn.example.com/a.mp4' },
      ],
    });
    const { rows } = await stage.database.pool.query<{ id: string }>(
      `select medium_id as id from item_media where item_id = 'shown' and position = 1`,
    );
    await storeModeration('shown', [
      { category: 'violence', level: 'high', score: 0.9, kind: 'frame', frame: `${rows[0]?.id}:12.5` },
      { category: 'violence', level: 'high', score: 0.9, kind: 'frame', frame: 'gone:1' },
    ]);
    expect(await read('shown')).toMatchObject([
      { place: { part: 'picture', media_position: 1, ts: 12.5 } },
      { place: null },
    ]);
  });

  it('is empty if there is none, and has no place in a deleted item', async () => {
    await content('PUT', '/items/kind', { type: 'text', body: 'Good day.' });
    expect(await read('kind')).toEqual([]);
    await content('PUT', '/items/left', { type: 'text', body: 'damn' });
    await storeModeration('left', [{ ...found, where: { offset: 0, length: 4 } }]);
    await content('DELETE', '/items/left');
    expect(await read('left')).toMatchObject([{ category: 'profanity', place: null }]);
  });
});

describe('GET /projects/{id}/items/{item}', () => {
  // proves: decisions-cabinet-app/item
  it('answers as the content API does, and adds an address at which the cabinet can play each medium', async () => {
    const include = 'include=transcript,frames,search_chunks';
    const { status, body } = await call('GET', `${pathOf('film')}?${include}`);
    const { steps, media, ...rest } = body;
    const { media: plainMedia, ...expected } = (await content('GET', `/items/film?${include}`)).body;
    expect(status).toBe(200);
    expect(withoutLinks(rest)).toEqual(withoutLinks(expected));
    expect(rest).toMatchObject({
      transcript: [{ text: 'Идти.' }],
      frames: [{ description: 'Доска' }],
      search_chunks: [{ text: 'Идти.' }],
      summary: { summary: 'Разбор' },
    });
    expect(media).toEqual(plainMedia.map((medium: object) => ({ ...medium, version: null, play_url: PLAY_URL })));
    expect(new Set(media.map((medium: { play_url: string }) => medium.play_url)).size).toBe(2);
    expect(Object.keys(steps)).toEqual(['prepare', 'speech', 'vision', 'summary', 'embedding']);
  });

  it.each(['transcript', 'frames', 'search_chunks'])('returns only the requested part: %s', async (part) => {
    const { body } = await call('GET', `${pathOf('film')}?include=${part}`);
    expect(['transcript', 'frames', 'search_chunks'].filter((name) => name in body)).toEqual([part]);
  });

  it('returns the body on request, and the version of each medium, both of which a form needs to change the item', async () => {
    const media = [{ kind: 'image', url: 'https://cdn.example.com/a.jpg', version: '7' }];
    await content('PUT', '/items/written', { type: 'mixed', body: 'The whole text.', media });
    expect((await call('GET', `${pathOf('written')}?include=body`)).body).toMatchObject({
      body: 'The whole text.',
      media: [{ version: '7' }],
    });
    expect((await call('GET', pathOf('written'))).body).not.toHaveProperty('body');
    expect((await content('GET', '/items/written?include=body')).status).toBe(400);
  });

  // proves: decisions-cabinet-app/item
  it('returns the state of each step, which model did it, and when it will be retried', async () => {
    await content('POST', '/items/batch', {
      operations: [
        {
          op: 'put',
          id: 'deferred',
          data: { type: 'video', media: [{ kind: 'video', url: 'https://cdn.example.com/a.mp4' }] },
        },
      ],
    });
    await withoutTriggers(
      stage.database.pool,
      `update items set status = 'deferred',
              steps = steps || jsonb_build_object(
                'prepare', steps -> 'prepare' || '{"state": "done"}',
                'vision', steps -> 'vision' || '{"state": "done", "model": "openai/gpt-4o-mini"}',
                'speech', steps -> 'speech' || jsonb_build_object('state', 'deferred', 'retryAt', $1::text,
                            'error', '{"code": "provider_unavailable", "message": "Поставщик недоступен"}'::jsonb))
        where id = 'deferred'`,
      [RETRY_AT],
    );
    const { body } = await call('GET', pathOf('deferred'));
    expect(body.steps).toEqual({
      prepare: { state: 'done', model: null, retry_at: null },
      speech: { state: 'deferred', model: null, retry_at: RETRY_AT },
      vision: { state: 'done', model: 'openai/gpt-4o-mini', retry_at: null },
      // They wait for speech and are retried after it.
      summary: { state: 'deferred', model: null, retry_at: null },
      embedding: { state: 'deferred', model: null, retry_at: null },
    });
    expect(Object.entries(body.processing)).toEqual(
      Object.entries<{ state: string }>(body.steps).map(([step, { state }]) => [step, state]),
    );
    expect(body.processing_errors).toMatchObject({ speech: { code: 'provider_unavailable' } });
  });

  it('shows a deleted item as deleted', async () => {
    await content('POST', '/items/batch', {
      operations: [
        { op: 'put', id: 'gone', data: { type: 'text', title: 'Gone' } },
        { op: 'delete', id: 'gone' },
      ],
    });
    expect(await call('GET', pathOf('gone'))).toMatchObject({ status: 200, body: { id: 'gone', deleted: true } });
  });

  it.each([
    ['урок/4'],
    ['100%'],
    ['a%2Fb'],
    ['a b?c=d&e#f'],
    ['../film'],
    [`it's; "quoted"`],
    ['a\nb'],
    ['🎬'.repeat(191)],
  ])('finds an item by any id (case %#)', async (id) => {
    const put = { op: 'put', id, data: { type: 'text', title: `Title of ${id.slice(0, 20)}` } };
    await content('POST', '/items/batch', { operations: [put] });
    expect(await call('GET', pathOf(id))).toMatchObject({ status: 200, body: { id, title: put.data.title } });
  });

  it('hides items of other projects, and items that never existed', async () => {
    const other = await createTestProject(stage.database.pool);
    for (const path of [pathOf('film', other.id), pathOf('never'), pathOf('film', 'nobody000000')]) {
      expect(await call('GET', path)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
  });

  it('refuses a malformed id and an unknown part of an item', async () => {
    for (const path of [pathOf('a\0'), pathOf('x'.repeat(192)), `${pathOf('film')}?include=vectors`]) {
      expect((await call('GET', path)).status).toBe(400);
    }
  });

  it('is open to viewers of the project, and closed to those of others', async () => {
    const { pool } = stage.database;
    const other = await createTestProject(pool);
    const [viewer, stranger] = [
      await createTestUser(pool, 'viewer', { projects: [project.id] }),
      await createTestUser(pool, 'viewer', { projects: [other.id] }),
    ];
    const asks = async (user: typeof viewer) =>
      (await clientOf(stage.api.cabinet, await tokenOf(pool, user))('GET', pathOf('film'))).status;
    expect([await asks(viewer), await asks(stranger)]).toEqual([200, 404]);
  });
});
