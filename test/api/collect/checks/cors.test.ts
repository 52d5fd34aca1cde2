/**
 * Pages of other origins may call /collect and nothing else, except the maps of a signed link (see pageMaps.test.ts).
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { startTestApi, type TestApi } from '../../support/testApi.ts';
import { batch, createTestSite, plain } from '../support/site.ts';

let database: TestDatabase;
let api: TestApi;
let tagDir: string;

const ORIGIN = 'https://shop.test';
const PREFLIGHT = {
  origin: ORIGIN,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type',
};

beforeAll(async () => {
  database = await createTestDatabase();
  tagDir = await mkdtemp(join(tmpdir(), 'attune-tag-'));
  await writeFile(join(tagDir, 'tag.js'), 'void 0');
  api = await startTestApi({ databaseUrl: database.url, tagDir });
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
  if (tagDir) await rm(tagDir, { recursive: true });
});

const corsOf = (headers: Headers): string[] => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('/collect', () => {
  // proves: collect/cors
  it('lets browsers cache a preflight for a day, without credentials', async () => {
    const { status, headers, text } = await plain(`${api.origin}/collect`, { method: 'OPTIONS', headers: PREFLIGHT });
    expect([status, text]).toEqual([204, '']);
    expect(Object.fromEntries(corsOf(headers).map((name) => [name, headers.get(name)]))).toEqual({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type, X-Request-ID',
      'access-control-max-age': '86400',
      'access-control-expose-headers': 'Retry-After, X-Request-ID',
    });
    expect(headers.get('vary')).toBe('Origin');
  });

  // proves: collect/cors
  it('lets the page read the outcome of its batch', async () => {
    const { tagKey } = await createTestSite(database.pool);
    const send = (headers: Record<string, string>) =>
      plain(`${api.origin}/collect`, {
        method: 'POST',
        body: JSON.stringify(batch(tagKey)),
        headers: { 'content-type': 'application/json', ...headers },
      });
    const { status, headers } = await send({ origin: ORIGIN });
    expect([
      status,
      headers.get('access-control-allow-origin'),
      headers.get('access-control-allow-credentials'),
      headers.get('vary'),
    ]).toEqual([202, ORIGIN, null, 'Origin']);
    expect(corsOf((await send({})).headers)).toEqual([]);
  });
});

describe('everything else', () => {
  // proves: analytics/3, collect/cors
  it('sends no CORS headers in answers, errors or preflights', async () => {
    const paths = [
      ...api.server.mounts.flatMap(({ basePath, routes }) =>
        routes.map(({ method, path }) => ({
          method: method.toUpperCase(),
          path: basePath + path.replaceAll(/\{\w+\}/g, 'x'),
        })),
      ),
      ...['/tag.js', '/tag-record.js', '/media/x', '/collect/openapi.json', '/', '/nothing', '/collect/'].map(
        (path) => ({ method: 'GET', path }),
      ),
    ];
    expect(paths.length).toBeGreaterThan(50);
    const found = await Promise.all(
      paths.flatMap(({ method, path }) =>
        [
          plain(api.origin + path, { method, headers: { origin: ORIGIN } }),
          plain(api.origin + path, {
            method: 'OPTIONS',
            headers: { ...PREFLIGHT, 'access-control-request-method': method },
          }),
        ].map(async (answer) => ({ path, cors: corsOf((await answer).headers) })),
      ),
    );
    expect(found.filter(({ cors }) => cors.length > 0)).toEqual([]);
  });
});
