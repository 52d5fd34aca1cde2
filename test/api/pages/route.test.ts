/** Serving of the cabinet's web app. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fetch, type RequestInit, type Response } from 'undici';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestApi, type TestApi } from '../support/testApi.ts';

const SCRIPT = 'export const answer = 42;';

let database: TestDatabase;
let folder: string;
let api: TestApi;
let unbuilt: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'cabinet-dist-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<script nonce="__CABINET_NONCE__"></script>');
  await writeFile(join(folder, 'sign-in.html'), '<form></form>');
  await writeFile(join(folder, 'invitation.html'), '<form id="invitation"></form>');
  await writeFile(join(folder, 'replay.html'), '<style nonce="__CABINET_NONCE__"></style>');
  await writeFile(join(folder, 'assets', 'index-a1B2.js'), SCRIPT);
  await writeFile(join(folder, 'assets', 'index-a1B2.js.br'), 'as brotli');
  await writeFile(join(folder, 'assets', 'index-a1B2.js.gz'), 'as gzip');
  await writeFile(join(folder, 'assets', 'notes.txt'), 'a file of no known type');
  await writeFile(join(folder, 'secret.js'), 'outside of the assets');
  const shared = { databaseUrl: database.url, env: { PUBLIC_URL: 'https://attune.example' } };
  api = await startTestApi({ ...shared, cabinetDir: folder });
  unbuilt = await startTestApi({ ...shared, cabinetDir: join(folder, 'nothing') });
});

afterAll(async () => {
  await unbuilt?.close();
  await api?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(api.origin + path, { redirect: 'manual', ...init });
/** Requests an uncompressed answer: by default undici accepts compressed ones and decodes them. */
const identity = { headers: { 'accept-encoding': 'identity' } };

describe('the cabinet', () => {
  it.each(['/cabinet', '/cabinet/', '/cabinet/p/abc/items/x', '/cabinet/apiary'])(
    'serves the app at %s',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await answer.text()).toMatch(/^<script nonce="[A-Za-z0-9+/]{22}=="><\/script>$/);
    },
  );

  it('serves the sign-in page as a separate document', async () => {
    const answer = await get('/cabinet/sign-in?next=%2F');
    expect(await answer.text()).toBe('<form></form>');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('serves the invitation page as a separate document', async () => {
    expect(await (await get('/cabinet/invitation')).text()).toBe('<form id="invitation"></form>');
  });

  // proves: decisions-cabinet-app/policy
  it('sends a policy with a new nonce in each answer', async () => {
    const [one, other] = [await get('/cabinet'), await get('/cabinet')];
    const policy = one.headers.get('content-security-policy') ?? '';
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
    expect(await one.text()).toContain(nonce);
    expect(other.headers.get('content-security-policy')).not.toContain(nonce);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' https://attune.example",
      "media-src 'self' https://attune.example",
      "connect-src 'self'",
      "frame-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    expect(one.headers.get('x-content-type-options')).toBe('nosniff');
    expect(one.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(one.headers.get('referrer-policy')).toBe('same-origin');
  });

  // proves: decisions-cabinet-app/replay, decisions-cabinet-app/caching
  it('lets the page that plays recordings load pictures from elsewhere, but connect to nothing', async () => {
    const answer = await get('/cabinet/replay');
    expect(await answer.text()).toContain('<style');
    expect(answer.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline' https: http:",
      'img-src https: http: data: blob:',
      'font-src https: http: data:',
      "connect-src 'none'",
      "frame-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ]);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('does not answer for the API below the same path, or for anything next to it', async () => {
    for (const path of ['/cabinet/api', '/cabinet/api/nothing', '/cabinets']) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        404,
        'application/json; charset=utf-8',
      ]);
    }
    expect((await get('/cabinet', { method: 'POST' })).status).toBe(404);
    expect((await get('/cabinet', { method: 'HEAD' })).status).toBe(200);
  });

  it('answers 503 if it is not built, and logs what to do', async () => {
    expect((await fetch(`${unbuilt.origin}/cabinet`)).status).toBe(503);
    expect(unbuilt.log.map(({ msg }) => msg)).toContain('the cabinet is not built: run npm run cabinet:build');
  });
});

describe('a file of the app', () => {
  // proves: decisions-cabinet-app/caching
  it('is cached for a year, because its name changes with its content', async () => {
    const answer = await get('/cabinet/assets/index-a1B2.js', identity);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(SCRIPT);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers.get('content-encoding')).toBeNull();
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0, br;q=0.1', 'br'],
    ['zstd', null],
  ])('is sent in an encoding that the client accepts: %s', async (accepted, coding) => {
    const headers = { 'accept-encoding': accepted };
    const answer = await get('/cabinet/assets/index-a1B2.js', { method: 'HEAD', headers });
    expect(answer.headers.get('content-encoding')).toBe(coding);
  });

  it.each([
    '/cabinet/assets/index-gone.js',
    '/cabinet/assets/notes.txt',
    '/cabinet/assets/',
    '/cabinet/assets/..%2Fsecret.js',
    '/cabinet/assets/%2e%2e/secret.js',
    '/cabinet/assets/index-a1B2.js.br',
  ])('is not served at %s', async (path) => {
    const answer = await get(path);
    expect(await answer.text()).not.toContain('outside');
    // A browser resolves `..` before it sends the request; the result is then a page and never a file.
    expect([404, 200]).toContain(answer.status);
    if (answer.status === 200) expect(answer.headers.get('content-type')).toContain('text/html');
  });
});
