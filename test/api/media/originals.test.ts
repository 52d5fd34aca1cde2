import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { fetch, type Response } from 'undici';
import { createMediaLinks, createOriginalLinks } from '../../../api/media/mediaLinks.ts';
import { LINK_LIFETIME_SECONDS } from '../../../domain/items/mediaLinkLifetime.ts';
import { eventually } from '../../support/eventually.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { hostOf } from '../../platform/outgoing/support/mediumHost.ts';
import { cleanUp, closedPort, startHttp, startTcp, type TestServer } from '../../platform/outgoing/support/servers.ts';
import { stageApi } from '../support/stageApi.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
  type TestProject,
} from '../support/testApi.ts';

const CONTENT = randomBytes(300_000);
/** Maximum number of originals that one process streams at once. */
const PLACES = 64;
/** A secret in an integrator's URL, which may be the credential for the medium. */
const SECRET = 'wJalrXUtnFEMI';

const HOSTS_OPEN = { ALLOW_NETWORKS: '127.0.0.0/8', ALLOW_HTTP_MEDIA: 'true' };
const stage = stageApi({ env: HOSTS_OPEN });
let project: TestProject;
let content: Client;
let cabinet: Client;

beforeAll(async () => {
  project = await createTestProject(stage.database.pool);
  content = clientOf(stage.api.content, project.key);
  cabinet = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});
afterEach(cleanUp);
afterAll(() => {
  expect(JSON.stringify(stage.api.log)).not.toContain(SECRET);
});

const addressOf = (port: number): string => `http://127.0.0.1:${port}/film.mp4?signature=${SECRET}`;

/** Puts an item with a single medium at the address, and reads its link. */
async function linkTo(url: string, { id = 'film', kind = 'video' } = {}): Promise<string> {
  const data = { type: kind, media: [{ kind, url }] };
  const put = await content('POST', '/items/batch', { operations: [{ op: 'put', id, data }] });
  expect(put.body.results).toMatchObject([{ ok: true }]);
  return linkOf(id);
}

async function linkOf(id: string): Promise<string> {
  const { body } = await cabinet('GET', `/projects/${project.id}/items/${encodeURIComponent(id)}`);
  return new URL(body.media[0].play_url).pathname;
}

const linkToHost = (host: TestServer): Promise<string> => linkTo(addressOf(host.port));

/** Sends a request as a player does: without a key. */
function play(path: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(stage.api.origin + path, { headers, ...(signal && { signal }) });
}

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

/** Starts a host that never ends its answers, and begins them only if `begins`; it counts its open requests. */
async function startUnfinished({ begins }: { begins: boolean }) {
  const host = { asked: 0, open: 0 };
  const server = await startHttp((_request, response) => {
    host.asked += 1;
    host.open += 1;
    response.once('close', () => (host.open -= 1));
    if (begins) response.writeHead(200, { 'content-type': 'video/mp4' }).write('abc');
  });
  return { server, host };
}

const requestsIn = (lines: TestApi['log']): TestApi['log'] =>
  lines.filter(({ route }) => route === '/media/original/{token}');

describe('GET /media/original/{token}', () => {
  // proves: decisions-cabinet-app/originals
  it('plays the medium of an item through the link that the cabinet shows, without a key', async () => {
    const host = await startHttp((request, response) => {
      response.setHeader('set-cookie', 'a=b');
      hostOf(CONTENT)(request, response);
    });
    const response = await play(await linkToHost(host));
    expect((await bytesOf(response)).equals(CONTENT)).toBe(true);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '300000',
      'accept-ranges': 'bytes',
      etag: '"v1"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': expect.stringMatching(/^private, max-age=3(5\d\d|600)$/),
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    });
    expect(response.headers.has('set-cookie')).toBe(false);
  });

  // proves: decisions-cabinet-app/originals
  it('serves the range that the player requests', async () => {
    const link = await linkToHost(await startHttp(hostOf(CONTENT)));
    const middle = await play(link, { range: 'bytes=1000-1999' });
    expect([middle.status, middle.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/300000']);
    expect((await bytesOf(middle)).equals(CONTENT.subarray(1000, 2000))).toBe(true);
    const beyond = await play(link, { range: 'bytes=300000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */300000']);
    await beyond.body?.cancel();
  });

  it.each([
    ['video/webm', 'video', 'video/webm'],
    ['AUDIO/OGG; codecs=opus', 'audio', 'audio/ogg'],
    ['image/png', 'image', 'image/png'],
    ['video/mp4', 'audio', 'video/mp4'],
    ['image/svg+xml', 'image', 'image/jpeg'],
    ['image/SVG+XML', 'image', 'image/jpeg'],
    ['text/html', 'video', 'video/mp4'],
    ['application/octet-stream', 'audio', 'audio/mpeg'],
    ['video/', 'video', 'video/mp4'],
    ['', 'image', 'image/jpeg'],
  ])('serves %p from the host, for a medium of the kind %s, as %s', async (claimed, kind, expected) => {
    const host = await startHttp(hostOf(CONTENT, claimed));
    const response = await play(await linkTo(addressOf(host.port), { kind }));
    expect(response.headers.get('content-type')).toBe(expected);
    await response.body?.cancel();
  });

  it('plays a medium whose host sends almost no headers, and passes on headers in other scripts', async () => {
    const host = await startTcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nETag: "версия"\r\n\r\nabc')),
    );
    const response = await play(await linkToHost(host));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(String(Buffer.from(response.headers.get('etag') ?? '', 'latin1'))).toBe('"версия"');
    expect(String(await bytesOf(response))).toBe('abc');
  });

  it.each([
    ['of 191 Cyrillic letters', 'ж'.repeat(191)],
    ['of 191 emoji', '🎬'.repeat(191)],
    ['with slashes, percent signs and line ends', 'a/0/b%2F?#\n/'],
  ])('plays an item with an id %s', async (_what, id) => {
    const host = await startHttp(hostOf(CONTENT));
    const response = await play(await linkTo(addressOf(host.port), { id }));
    expect((await bytesOf(response)).equals(CONTENT)).toBe(true);
  });

  it('answers 404 to other methods', async () => {
    const link = await linkToHost(await startHttp(hostOf(CONTENT)));
    for (const method of ['POST', 'DELETE', 'HEAD']) {
      expect((await fetch(stage.api.origin + link, { method })).status).toBe(404);
    }
  });
});

describe('the token of a medium', () => {
  const place = () => ({ projectId: project.id, itemId: 'film', position: 0 });
  const linkAt = (now: number): string =>
    new URL(createOriginalLinks(stage.api.config.secretKey, 'https://a.test', () => now).urlFor(place())).pathname;

  it.each([
    ['has expired', () => linkAt(Date.now() - LINK_LIFETIME_SECONDS * 1000)],
    ['is forged', () => `${linkAt(Date.now()).slice(0, -4)}AAAA`],
    ['has another payload', () => linkAt(Date.now()).replace(/[^/]+(?=\.)/, (payload) => `${payload}AA`)],
    ['has no signature', () => linkAt(Date.now()).replace(/\..*/, '')],
    ['is nonsense', () => '/media/original/abc'],
    [
      'is that of a frame',
      () => {
        const links = createMediaLinks(stage.api.config.secretKey, 'https://a.test');
        return new URL(links.urlFor(`${project.id}/0/film`)).pathname.replace('/media/', '/media/original/');
      },
    ],
    ['is used for a frame', () => linkAt(Date.now()).replace('/original/', '/')],
  ])('is refused when it %s', async (_what, path) => {
    expect(await clientOf(stage.api.origin, null)('GET', path())).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    });
  });

  it('is valid for an hour', async () => {
    const host = await startHttp(hostOf(CONTENT));
    await linkToHost(host);
    const response = await play(linkAt(Date.now() - (LINK_LIFETIME_SECONDS - 60) * 1000));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toMatch(/^private, max-age=(5\d|60)$/);
    await response.body?.cancel();
  });

  it('does not work for an item that has been deleted or no longer has the medium', async () => {
    const host = await startHttp(hostOf(CONTENT));
    const link = await linkToHost(host);
    await content('PUT', '/items/film', { type: 'text', title: 'Film' });
    expect((await play(link)).status).toBe(404);
    await linkToHost(host);
    await content('DELETE', '/items/film');
    expect((await play(link)).status).toBe(404);
    expect(host.connections).toBe(0);
  });

  it('opens the medium that the item has now', async () => {
    const [before, after] = [await startHttp(hostOf(CONTENT)), await startHttp(hostOf(Buffer.from('new')))];
    const link = await linkToHost(before);
    await linkToHost(after);
    expect(String(await bytesOf(await play(link)))).toBe('new');
    expect(before.connections).toBe(0);
  });
});

describe('GET /media/original/{token} from a failing host', () => {
  it.each([
    [404, 404, 'not_found'],
    [410, 404, 'not_found'],
    [403, 503, 'unavailable'],
    [500, 503, 'unavailable'],
  ])('turns its answer %i into %i', async (status, expected, code) => {
    const host = await startHttp((_request, response) => response.writeHead(status).end('a page'));
    const answer = await clientOf(stage.api.origin, null)('GET', await linkToHost(host));
    expect(answer).toMatchObject({ status: expected, body: { error: { code } } });
    expect(answer.headers.get('retry-after')).toBe(expected === 503 ? '5' : null);
  });

  it('answers 503 if the host is down', async () => {
    const answer = await clientOf(stage.api.origin, null)('GET', await linkTo(addressOf(await closedPort())));
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(stage.api.log).toContainEqual(
      expect.objectContaining({
        err: expect.objectContaining({ code: 'connection' }),
        msg: 'a media file cannot be served',
      }),
    );
  });

  it.each(['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'])(
    'breaks off its answer if the host does (%j)',
    async (said) => {
      const host = await startTcp((socket) => socket.once('data', () => socket.end(said)));
      const link = await linkToHost(host);
      await expect(play(link).then(bytesOf)).rejects.toThrow(/fetch failed|terminated/);
    },
  );
});

describe('an installation', () => {
  async function startStrict(env: Record<string, string>): Promise<TestApi> {
    return startTestApi({ databaseUrl: stage.database.url, env });
  }

  it('serves no media over http if it requires https', async () => {
    const link = await linkToHost(await startHttp(hostOf(CONTENT)));
    const strict = await startStrict({ ...HOSTS_OPEN, REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '127.0.0.1' });
    try {
      expect((await fetch(strict.origin + link)).status).toBe(403);
      const secure = await fetch(strict.origin + link, { headers: { 'x-forwarded-proto': 'https' } });
      expect((await bytesOf(secure)).equals(CONTENT)).toBe(true);
    } finally {
      await strict.close();
    }
  });

  it.each([{}, { ALLOW_HTTP_MEDIA: 'true' }])(
    'does not connect to a network that it has not opened (%j)',
    async (env) => {
      const host = await startHttp(hostOf(CONTENT));
      const link = await linkToHost(host);
      const closed = await startStrict(env);
      try {
        expect((await fetch(closed.origin + link)).status).toBe(503);
        expect(host.connections).toBe(0);
      } finally {
        await closed.close();
      }
    },
  );
});

describe('a disconnecting player', () => {
  it.each([
    ['before the host has answered', false],
    ['in the middle of the answer', true],
  ])('ends the request to the host %s', async (_when, begins) => {
    const { server, host } = await startUnfinished({ begins });
    const player = new AbortController();
    const playing = play(await linkToHost(server), {}, player.signal);
    await (begins ? playing : eventually(() => host.open === 1, 'the request'));
    player.abort();
    await expect(playing.then(bytesOf)).rejects.toThrow('aborted');
    await eventually(() => host.open === 0, 'the end of the request');
  });

  it('causes no request to the host while the item is looked up, and frees its slot', async () => {
    const host = await startHttp(hostOf(CONTENT));
    const link = await linkToHost(host);
    const before = stage.api.log.length;
    const locker = await stage.database.pool.connect();
    try {
      await locker.query('begin');
      await locker.query('lock table item_media in access exclusive mode');
      const player = new AbortController();
      // More than there are slots, plus as many as the pool processes at once.
      const playing = Array.from({ length: PLACES + 16 }, () => play(link, {}, player.signal));
      await untilWaiting(stage.database.pool, 8);
      await eventually(() => stage.api.pool.waitingCount === PLACES + 8, 'every request');
      player.abort();
      await Promise.allSettled(playing);
      const gone = () => requestsIn(stage.api.log.slice(before)).filter(({ status }) => status === 499);
      await eventually(() => gone().length === PLACES + 16, 'the end of every request');
    } finally {
      await locker.query('rollback');
      locker.release();
    }
    const response = await play(link);
    expect((await bytesOf(response)).equals(CONTENT)).toBe(true);
    expect(host.connections).toBe(1);
  });
});

describe('media that are served', () => {
  it('are limited to 64 at a time, and the next one starts when one of them ends', async () => {
    const { server, host } = await startUnfinished({ begins: true });
    const link = await linkToHost(server);
    const players = Array.from({ length: PLACES }, () => new AbortController());
    const playing = await Promise.all(players.map(({ signal }) => play(link, {}, signal)));
    expect(playing.map(({ status }) => status)).toEqual(players.map(() => 200));
    expect((await play(link)).status).toBe(503);
    expect(host.asked).toBe(PLACES);
    for (const player of players.slice(0, 2)) player.abort();
    await eventually(() => host.open === PLACES - 2, 'two places');
    const next = await eventually(async () => {
      const response = await play(link);
      return response.status === 200 ? response : null;
    }, 'a place');
    await next.body?.cancel();
    for (const player of players) player.abort();
    await eventually(() => host.open === 0, 'the end of all');
  });

  it('are logged without their tokens and the addresses of their hosts', async () => {
    const before = stage.api.log.length;
    const { server, host } = await startUnfinished({ begins: true });
    const links = [
      await linkTo(addressOf(await closedPort()), { id: 'away' }),
      await linkTo(addressOf((await startHttp((_request, response) => response.writeHead(500).end())).port), {
        id: 'failing',
      }),
      await linkTo(addressOf((await startTcp((socket) => socket.once('data', () => socket.end('nonsense')))).port), {
        id: 'nonsense',
      }),
      await linkTo(addressOf((await startHttp(hostOf(CONTENT))).port), { id: 'good' }),
    ];
    for (const link of links) {
      await bytesOf(await play(link));
      await bytesOf(await play(`${link}A`));
    }
    const player = new AbortController();
    const unfinished = await linkToHost(server);
    await play(unfinished, {}, player.signal);
    player.abort();
    await eventually(() => host.open === 0, 'the end of the request');
    const breaking = await startTcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')),
    );
    const broken = await linkTo(addressOf(breaking.port), { id: 'breaking' });
    await expect(play(broken).then(bytesOf)).rejects.toThrow(/fetch failed|terminated/);
    const sinceBefore = () => stage.api.log.slice(before);
    await eventually(() => requestsIn(sinceBefore()).length === 10, 'a line of each request');
    const lines = sinceBefore();
    const log = JSON.stringify(lines);
    for (const link of [...links, unfinished, broken]) {
      const [payload = '', signature = ''] = link.replace('/media/original/', '').split('.');
      for (const part of [payload, signature]) expect(log).not.toContain(part);
    }
    for (const secret of [SECRET, 'film.mp4', '127.0.0.1']) expect(log).not.toContain(secret);
    // A player that seeks disconnects all the time, which is no fault; a host that breaks off is logged.
    const faults = lines.filter(({ level }) => level !== 'info').map(({ err }) => err);
    expect(new Set(faults.map((fault) => (fault as { code?: string }).code))).toEqual(
      new Set(['connection', 'http_status']),
    );
  });
});
