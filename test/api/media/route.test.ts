import { createHmac } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import { createMediaLinks } from '../../../api/media/mediaLinks.ts';
import { deriveKey } from '../../../domain/accounts/secretKeys.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { clientOf, createTestProject, startTestApi, type TestApi, type TestProject } from '../support/testApi.ts';

const JPEG = Buffer.from('ffd8ffe000104a46494600', 'hex');

let database: TestDatabase;
let api: TestApi;
let project: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  project = await createTestProject(database.pool);
  await mkdir(join(api.blobDir, 'frames'));
  await writeFile(join(api.blobDir, 'frames', '1.jpg'), JPEG);
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const pathOf = (url: string): string => new URL(url).pathname;

/** Returns a token over any payload, signed as the service signs. */
function signed(payload: string): string {
  const part = Buffer.from(payload).toString('base64url');
  return `/media/${part}.${createHmac('sha256', deriveKey(api.config.secretKey, 'media-links')).update(part).digest('base64url')}`;
}

const soon = (): number => Math.floor(Date.now() / 1000) + 60;

describe('GET /media/{token}', () => {
  // proves: decisions-items/frame-link
  it('serves the image of a frame through the link of its item, without a key', async () => {
    const call = clientOf(api.content, project.key);
    await call('PUT', '/items/film', {
      type: 'video',
      media: [{ kind: 'video', url: 'https://cdn.example.com/a.mp4' }],
    });
    await database.pool.query(
      `insert into item_frames (project_id, item_id, medium_id, ts, blob_key, description, tags)
       select project_id, item_id, medium_id, 1.5, 'frames/1.jpg', 'A frame', '{a}' from item_media where item_id = 'film'`,
    );
    const { body } = await call('GET', '/items/film?include=frames');
    expect(body.frames).toMatchObject([
      {
        media_position: 0,
        ts: 1.5,
        duplicate_of_ts: null,
        description: 'A frame',
        ocr_text: null,
        tags: ['a'],
        safety: null,
      },
    ]);
    expect(body.frames[0].image_url).toMatch(/^http:\/\/attune\.test\/media\/[\w-]+\.[\w-]+$/);
    const response = await fetch(api.origin + pathOf(body.frames[0].image_url));
    expect(Buffer.from(await response.arrayBuffer())).toEqual(JPEG);
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('x-content-type-options'),
    ]).toEqual([200, 'image/jpeg', 'nosniff']);
    expect(response.headers.get('cache-control')).toMatch(/^private, max-age=3(5\d\d|600)/);
    expect(response.headers.get('x-request-id')).not.toBeNull();
  });

  // proves: limits/frame-links, decisions-items/frame-link
  it('accepts a token for an hour', () => {
    let now = Date.now();
    const links = createMediaLinks(api.config.secretKey, 'https://a.test', () => now);
    const token = pathOf(links.urlFor('frames/1.jpg')).slice('/media/'.length);
    now += 3_599_000;
    expect(links.open(token)).toMatchObject({ blobKey: 'frames/1.jpg' });
    now += 1000;
    expect(links.open(token)).toBeNull();
  });

  // proves: decisions-items/frame-link
  it.each([
    ['has expired', () => signed(`${Math.floor(Date.now() / 1000) - 1}:frames/1.jpg`)],
    ['is forged', () => signed(`${soon()}:frames/1.jpg`).slice(0, -2) + 'AA'],
    [
      'has another payload',
      () =>
        signed(`${soon()}:frames/1.jpg`).replace(
          /\/media\/[^.]+/,
          `/media/${Buffer.from(`${soon() + 999}:frames/1.jpg`).toString('base64url')}`,
        ),
    ],
    ['has no signature', () => `/media/${Buffer.from(`${soon()}:frames/1.jpg`).toString('base64url')}`],
    ['is nonsense', () => '/media/abc'],
  ])('answers 403 to a token that %s', async (_what, path) => {
    expect(await clientOf(api.origin, null)('GET', path())).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    });
  });

  it('answers 404 to a missing frame, a folder in the address, and other methods', async () => {
    const call = clientOf(api.origin, null);
    expect((await call('GET', signed(`${soon()}:frames/2.jpg`))).status).toBe(404);
    expect((await call('GET', '/media/')).status).toBe(404);
    expect((await call('GET', '/media/a/b')).status).toBe(404);
    expect((await call('DELETE', signed(`${soon()}:frames/1.jpg`))).status).toBe(404);
  });

  it('answers 500 with an id when the file cannot be read', async () => {
    const answer = await clientOf(api.origin, null)('GET', signed(`${soon()}:frames`));
    expect(answer).toMatchObject({ status: 500, body: { error: { code: 'internal' } } });
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('never leads outside the store, even with a valid signature', async () => {
    for (const key of ['../secret', '/etc/passwd', 'frames/../../secret', '..']) {
      const { status } = await clientOf(api.origin, null)('GET', signed(`${soon()}:${key}`));
      expect([404, 500]).toContain(status);
    }
  });
});
