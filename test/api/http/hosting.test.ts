/** One listener: every API and page by its path, APIs by host names of their own, and all of it over https only. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fetch, type Response } from 'undici';
import { createMediaLinks, createOriginalLinks } from '../../../api/media/mediaLinks.ts';
import { createExportLinks } from '../../../domain/reports/exportLinks.ts';
import { createMapLinks } from '../../../domain/sites/mapLinks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestApi, type TestApi } from '../support/testApi.ts';
import { createTestSite } from '../support/testSite.ts';

const UUID = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';
const CONTENT_HOST = 'content.example.com';
const ANALYTICS_HOST = 'Analytics.example.com';

let database: TestDatabase;
let folder: string;
let api: TestApi;
/** Signed links by the name that the table below gives them. */
let links: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'attune-hosting-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<p></p>');
  await writeFile(join(folder, 'assets', 'index-a1B2.js'), 'export {};');
  await writeFile(join(folder, 'tag.js'), 'svc();');
  const env = { REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '127.0.0.1', CONTENT_HOST, ANALYTICS_HOST };
  api = await startTestApi({ databaseUrl: database.url, cabinetDir: folder, tagDir: folder, env });
  links = await makeLinks();
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function makeLinks(): Promise<Record<string, string>> {
  await mkdir(join(api.blobDir, 'frames'));
  await writeFile(join(api.blobDir, 'frames', '1.jpg'), 'a frame');
  const { id: siteId } = await createTestSite(database.pool);
  const { secretKey } = api.config;
  const soon = new Date(Date.now() + 60_000);
  const map = { siteId, from: '2026-01-01', to: '2026-01-31', device: null, segment: null };
  return {
    frame: createMediaLinks(secretKey, '').urlFor('frames/1.jpg'),
    medium: createOriginalLinks(secretKey, '').urlFor({ projectId: 'a'.repeat(12), itemId: 'a', position: 0 }),
    export: createExportLinks(secretKey, '').urlFor({ siteId, exportId: UUID }, soon),
    map: `/maps/${createMapLinks(secretKey).tokenFor(map, soon)}/clicks`,
  };
}

describe('one listener', () => {
  // Over https, the part that owns a path answers it: with what it serves, or with an error of its own.
  // proves: decisions-hosting/one-listener, decisions-hosting/https-required, decisions-order/request-id
  it.each<[string, string, number, RegExp]>([
    ['GET', '/content/api/v1/health', 200, /"status"/],
    ['GET', '/content/api/v1/items/a', 401, /Ключ/],
    ['GET', '/analytics/api/v1/health', 200, /"status"/],
    ['GET', '/analytics/api/v1/network', 401, /The key/],
    ['GET', '/cabinet/api/openapi.json', 200, /saved-reports/],
    ['GET', '/cabinet/api/me', 401, /Вход/],
    ['GET', '/cabinet', 200, /<p>/],
    ['GET', '/cabinet/assets/index-a1B2.js', 200, /export/],
    ['GET', '/tag.js', 200, /svc/],
    ['POST', '/collect', 400, /cannot be parsed/],
    ['POST', '/collect/recordings', 400, /cannot be parsed/],
    ['GET', '/collect/openapi.json', 200, /CollectRequest/],
    ['GET', 'frame', 200, /a frame/],
    ['GET', 'medium', 404, /not_found/],
    ['GET', 'export', 404, /not_found/],
    ['GET', 'map', 400, /"page"/],
  ])('answers %s %s with %d over https, and with 403 over http', async (method, named, status, text) => {
    const ask = (scheme: string): Promise<Response> =>
      fetch(api.origin + (links[named] ?? named), {
        method,
        headers: { 'x-forwarded-proto': scheme, 'x-request-id': 'own-1' },
      });
    const [secure, plain] = [await ask('https'), await ask('http')];
    expect([secure.status, await secure.text()]).toEqual([status, expect.stringMatching(text)]);
    expect([plain.status, await plain.text()]).toEqual([403, expect.stringContaining('"forbidden"')]);
    for (const answer of [secure, plain]) expect(answer.headers.get('x-request-id')).toBe('own-1');
  });
});

// proves: decisions-hosting/own-hosts
describe('/api/v1', () => {
  async function ask(host: string, path: string) {
    const sent = request(api.origin + path, { headers: { host, 'x-forwarded-proto': 'https' } });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, body: (await json(answer)) as { paths?: object; error?: { message: string } } };
  }

  it.each([
    [CONTENT_HOST, '/items/{id}', /[а-я]/],
    [ANALYTICS_HOST, '/conversions', /^[ -~]+$/],
  ])('of %s is the API of that host', async (host, path, language) => {
    for (const name of [host, host.toUpperCase(), `${host}:8443`]) {
      const { status, body } = await ask(name, '/api/v1/openapi.json');
      expect([status, Object.keys(body.paths ?? {})]).toEqual([200, expect.arrayContaining([path])]);
    }
    const unknown = await ask(host, '/api/v1/nothing');
    expect([unknown.status, unknown.body.error?.message]).toEqual([404, expect.stringMatching(language)]);
  });

  it.each(['attune.test', `www.${CONTENT_HOST}`, `${CONTENT_HOST}.evil.example`])(
    'of another host is not found: %s',
    async (host) => {
      expect((await ask(host, '/api/v1/openapi.json')).status).toBe(404);
    },
  );

  it('of a host of its own does not replace the paths that every host serves', async () => {
    for (const base of ['/content/api/v1', '/analytics/api/v1', '/cabinet/api'])
      expect((await ask(CONTENT_HOST, `${base}/openapi.json`)).status).toBe(200);
  });
});
