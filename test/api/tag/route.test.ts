import { execFile } from 'node:child_process';
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBundles } from '../../../api/tag/bundles.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestApi, type TestApi } from '../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let tagDir: string;
const TAG = `window.svc = ${'1 + '.repeat(500)} 1;`;

beforeAll(async () => {
  database = await createTestDatabase();
  tagDir = await mkdtemp(join(tmpdir(), 'attune-tag-'));
  await writeFile(join(tagDir, 'tag.js'), TAG);
  api = await startTestApi({ databaseUrl: database.url, tagDir });
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
  if (tagDir) await rm(tagDir, { recursive: true });
});

/** Returns the response as transferred, without decompression. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request(api.origin + path, { method, headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

describe('GET /tag.js', () => {
  it('answers HEAD like GET, without the script', async () => {
    const [asked, got] = [await get('/tag.js', {}, 'HEAD'), await get('/tag.js')];
    expect({
      status: asked.status,
      etag: asked.headers.etag,
      length: asked.headers['content-length'],
      sent: asked.bytes.length,
    }).toEqual({ status: 200, etag: got.headers.etag, length: got.headers['content-length'], sent: 0 });
  });

  // proves: decisions-tag/served
  it('returns the built script, for any site and for an hour', async () => {
    const { status, headers, bytes } = await get('/tag.js');
    expect([status, bytes.toString()]).toEqual([200, TAG]);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400, stale-if-error=604800',
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('compresses the script for clients that accept gzip', async () => {
    const { headers, bytes } = await get('/tag.js', { 'accept-encoding': 'br, gzip;q=0.8' });
    expect([headers['content-encoding'], headers['content-length']]).toEqual(['gzip', String(bytes.length)]);
    expect(bytes.length).toBeLessThan(TAG.length / 2);
    expect(gunzipSync(bytes).toString()).toBe(TAG);
    expect((await get('/tag.js', { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
  });

  it('does not send the script again while it is unchanged; each encoding has its own ETag', async () => {
    const plain = (await get('/tag.js')).headers.etag ?? '';
    const packed = (await get('/tag.js', { 'accept-encoding': 'gzip' })).headers.etag ?? '';
    expect(plain).toMatch(/^"[\w-]+"$/);
    expect(packed).not.toBe(plain);
    const again = await get('/tag.js', { 'if-none-match': plain });
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, plain]);
    expect(again.headers).toMatchObject({
      'cache-control': expect.stringContaining('max-age'),
      vary: 'Accept-Encoding',
    });
    expect((await get('/tag.js', { 'if-none-match': plain, 'accept-encoding': 'gzip' })).status).toBe(200);
    expect((await get('/tag.js', { 'if-none-match': packed, 'accept-encoding': 'gzip' })).status).toBe(304);
  });

  it('exists under no other name, and not for POST', async () => {
    for (const [method, path] of [
      ['POST', '/tag.js'],
      ['GET', '/tag.js/'],
      ['GET', '/tag.map'],
      ['GET', '/dist/tag.js'],
      ['GET', '/..%2Fpackage.json'],
    ] as const) {
      expect([method, path, (await get(path, {}, method)).status]).toEqual([method, path, 404]);
    }
  });

  it('is refused without https where https is required', async () => {
    const strict = await startTestApi({ databaseUrl: database.url, tagDir, env: { REQUIRE_HTTPS: 'true' } });
    const sent = request(`${strict.origin}/tag.js`);
    sent.end();
    const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
    await buffer(response);
    await strict.close();
    expect(response.statusCode).toBe(403);
  });
});

describe('GET /tag-record.js', () => {
  it('answers 503 if the bundle is not built, and logs what to do', async () => {
    const { status, headers, bytes } = await get('/tag-record.js');
    expect([status, JSON.parse(bytes.toString()).error.code, headers['cache-control']]).toEqual([
      503,
      'unavailable',
      'no-store',
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(api.log.find(({ level }) => level === 'error')).toMatchObject({
      msg: expect.stringContaining('npm run tag:build'),
      file: join(tagDir, 'tag-record.js'),
    });
  });
});

describe('the bundles', () => {
  it('are checked again a second later: a new build is served, and a missing one is not', async () => {
    let now = 0;
    const bundles = createBundles(tagDir, () => now);
    const text = async (): Promise<string | undefined> => (await bundles.read('tag-record.js'))?.plain.bytes.toString();
    expect(await text()).toBeUndefined();
    await writeFile(join(tagDir, 'tag-record.js'), 'first');
    expect(await text()).toBeUndefined();
    now += 1_000;
    expect(await text()).toBe('first');
    await writeFile(join(tagDir, 'tag-record.js'), 'the second');
    now += 1_000;
    expect(await text()).toBe('the second');
    await unlink(join(tagDir, 'tag-record.js'));
    now += 1_000;
    expect(await text()).toBeUndefined();
  });

  it('are read again a second later if the process had no file handle left', async () => {
    const program = join(import.meta.dirname, 'readWithoutHandles.ts');
    const words = ['-c', 'ulimit -n 64 && exec "$@"', 'sh', process.execPath, program, tagDir];
    const { stdout } = await promisify(execFile)('sh', words);
    expect(JSON.parse(stdout)).toEqual([null, TAG]);
  });
});
