import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openMedium, type MediumRequest } from '../../../platform/outgoing/openMedium.ts';
import { eventually } from '../../support/eventually.ts';
import { turnsUntil, withFakeTime } from '../../support/jest/fakeTime.ts';
import { hostOf } from './support/mediumHost.ts';
import {
  answer,
  cleanUp,
  failureOf,
  pour,
  startAgent,
  startClosedAgent,
  startHttp,
  startHttps,
  startRawTls,
  type TestServer,
} from './support/servers.ts';

afterEach(cleanUp);

const CONTENT = randomBytes(300_000);

const request = (server: TestServer, more: Partial<MediumRequest> = {}): MediumRequest => ({
  url: `https://receiver.test:${server.port}/a.mp4`,
  range: null,
  signal: new AbortController().signal,
  ...more,
});

/** Starts a host that never finishes: it sends headers and a first piece, or nothing, and reports when it is closed. */
async function startUnfinished(begins: boolean) {
  const closed = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const server = await startHttps((_request, response) => {
    response.once('close', closed.resolve);
    if (begins) response.writeHead(200, { 'content-type': 'video/mp4' }).write('abc');
    asked.resolve();
  });
  return { server, asked: asked.promise, closed: closed.promise };
}

async function firstPieceOf(body: Readable): Promise<string> {
  await once(body, 'readable');
  return String(body.read());
}

describe('openMedium', () => {
  it('returns the whole medium, with only the headers that a player needs', async () => {
    const server = await startHttps((incoming, response) => {
      response.setHeaders(
        new Map([
          ['set-cookie', 'a=b'],
          ['last-modified', 'Tue, 01 Sep 2026 10:00:00 GMT'],
        ]),
      );
      if (incoming.headers['accept-encoding'] === 'identity') hostOf(CONTENT)(incoming, response);
      else response.writeHead(400).end();
    });
    const agent = startAgent();
    const { status, headers, body } = await openMedium(agent, request(server));
    expect({ status, headers }).toEqual({
      status: 200,
      headers: {
        'content-length': '300000',
        'accept-ranges': 'bytes',
        etag: '"v1"',
        'last-modified': 'Tue, 01 Sep 2026 10:00:00 GMT',
        'content-type': 'video/mp4',
      },
    });
    expect((await buffer(body)).equals(CONTENT)).toBe(true);
    await agent.close();
  });

  it('requests the range that the caller requests, and reports what came', async () => {
    const server = await startHttps(hostOf(CONTENT));
    const agent = startAgent();
    for (const [range, place, piece] of [
      ['bytes=100-199', '100-199', CONTENT.subarray(100, 200)],
      ['bytes=299000-', '299000-299999', CONTENT.subarray(299_000)],
    ] as const) {
      const { status, headers, body } = await openMedium(agent, request(server, { range }));
      expect([status, headers['content-range']]).toEqual([206, `bytes ${place}/300000`]);
      expect((await buffer(body)).equals(piece)).toBe(true);
    }
    await agent.close();
  });

  it.each([
    ['bytes=0-', 'bytes=0-'],
    ['bytes=-500', 'bytes=-500'],
    ['bytes=0-1,5-6', 'no range'],
    ['bytes=', 'no range'],
    ['lines=1-2', 'no range'],
    ['bytes=\u00e9-', 'no range'],
  ])('turns the range %j into %j for the host', async (range, expected) => {
    const server = await startHttps((incoming, response) => response.end(incoming.headers.range ?? 'no range'));
    const { body } = await openMedium(startAgent(), request(server, { range }));
    expect(String(await buffer(body))).toBe(expected);
  });

  it('reports that a range is not within the medium', async () => {
    const server = await startHttps(hostOf(CONTENT));
    const agent = startAgent();
    const { status, headers, body } = await openMedium(agent, request(server, { range: 'bytes=300000-' }));
    expect([status, headers['content-range']]).toEqual([416, 'bytes */300000']);
    expect(await buffer(body)).toHaveLength(0);
    await agent.close();
  });

  it.each([204, 304, 403, 404, 410, 500])('reports %i as http_status', async (status) => {
    const server = await startHttps((_request, response) => response.writeHead(status).end());
    const agent = startAgent();
    expect(await failureOf(openMedium(agent, request(server)))).toMatchObject({ code: 'http_status', status });
    await agent.close();
  });

  it('returns a compressed answer as it is', async () => {
    const bomb = gzipSync(Buffer.alloc(1024 * 1024));
    const server = await startHttps((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const { headers, body } = await openMedium(startAgent(), request(server));
    expect(headers).not.toHaveProperty('content-encoding');
    expect((await buffer(body)).equals(bomb)).toBe(true);
  });
});

describe('redirects of a medium that is served', () => {
  it('are followed with the range', async () => {
    const server = await startHttps((incoming, response) => {
      if (incoming.url === '/moved') hostOf(CONTENT)(incoming, response);
      else response.writeHead(302, { location: '/moved' }).end();
    });
    const agent = startAgent();
    const { status, body } = await openMedium(agent, request(server, { range: 'bytes=0-9' }));
    expect(status).toBe(206);
    expect((await buffer(body)).equals(CONTENT.subarray(0, 10))).toBe(true);
    await agent.close();
  });

  it('are checked by the address and by what the name resolves to', async () => {
    const inner = await startHttps(hostOf(CONTENT));
    for (const location of ['https://10.0.0.1/', `https://inner.receiver.test:${inner.port}/`]) {
      const server = await startHttps((_request, response) => response.writeHead(302, { location }).end());
      const agent = startAgent({ resolve: answer('127.0.0.1', '192.168.1.1') });
      expect((await failureOf(openMedium(agent, request(server)))).code).toBe('forbidden_address');
      await agent.close();
    }
    expect(inner.connections).toBe(0);
  });

  it('end after three', async () => {
    const server = await startHttps((incoming, response) =>
      response.writeHead(302, { location: `${incoming.url}a` }).end(),
    );
    expect((await failureOf(openMedium(startAgent(), request(server)))).code).toBe('redirect');
  });
});

describe('an address that is not allowed', () => {
  it('is never connected to', async () => {
    const server = await startHttp(hostOf(CONTENT));
    const url = `http://127.0.0.1:${server.port}/a.mp4`;
    expect((await failureOf(openMedium(startAgent(), request(server, { url })))).code).toBe('invalid_url');
    const closed = startClosedAgent({ allowHttp: true });
    expect((await failureOf(openMedium(closed, request(server, { url })))).code).toBe('forbidden_address');
    expect(server.connections).toBe(0);
  });
});

describe('the time limits of a medium', () => {
  const TIMERS = ['setTimeout', 'clearTimeout'] as const;

  it('end a wait for headers, and the connection with it', async () => {
    const { server, asked, closed } = await startUnfinished(false);
    const agent = startAgent();
    await withFakeTime(TIMERS, async (pass) => {
      const failure = failureOf(openMedium(agent, request(server, { headersTimeoutMs: 300 })));
      await Promise.race([asked, failure]);
      await pass(300);
      expect((await failure).code).toBe('timeout');
    });
    await expect(closed).resolves.toBeUndefined();
    await agent.close();
  });

  it('end a body that falls silent', async () => {
    const { server, closed } = await startUnfinished(true);
    const agent = startAgent();
    const { body } = await openMedium(agent, request(server, { idleTimeoutMs: 300 }));
    expect((await failureOf(buffer(body))).code).toBe('timeout');
    await expect(closed).resolves.toBeUndefined();
    await agent.close();
  });

  it('do not apply to a reader who pauses for longer than a host may be silent', async () => {
    const server = await startHttps(hostOf(CONTENT));
    const agent = startAgent();
    await withFakeTime(TIMERS, async (pass) => {
      const { body } = await openMedium(agent, request(server, { idleTimeoutMs: 1_000 }));
      body.read(0);
      await turnsUntil(() => body.readableLength >= body.readableHighWaterMark, 'as much as the reader buffers');
      await pass(2_500); // The pause itself.
      expect((await buffer(body)).equals(CONTENT)).toBe(true);
    });
    await agent.close();
  });

  it('end a medium whose rest nobody reads', async () => {
    const { server, closed } = await startUnfinished(true);
    const agent = startAgent();
    await withFakeTime(TIMERS, async (pass) => {
      const { body } = await openMedium(agent, request(server, { totalTimeoutMs: 300 }));
      const failure = failureOf(once(body, 'close'));
      await pass(300);
      expect((await failure).code).toBe('timeout');
    });
    await expect(closed).resolves.toBeUndefined();
    await agent.close();
  });
});

describe('a medium that ends early', () => {
  it('is an error of the connection if its host breaks off', async () => {
    const server = await startRawTls((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')),
    );
    const agent = startAgent();
    const { body } = await openMedium(agent, request(server));
    expect((await failureOf(buffer(body))).code).toBe('connection');
    await agent.close();
  });

  it('is not waited for if its reader leaves before the headers come', async () => {
    const { server, asked, closed } = await startUnfinished(false);
    const agent = startAgent();
    const reader = new AbortController();
    const opening = openMedium(agent, request(server, { signal: reader.signal }));
    const reason = new Error('gone');
    void asked.then(() => reader.abort(reason));
    await expect(opening).rejects.toBe(reason);
    await expect(closed).resolves.toBeUndefined();
    await agent.close();
  });

  it('is not waited for if its reader leaves before reading', async () => {
    const { server, closed } = await startUnfinished(true);
    const agent = startAgent();
    const reader = new AbortController();
    const { body } = await openMedium(agent, request(server, { signal: reader.signal }));
    reader.abort();
    expect(body.destroyed).toBe(true);
    await expect(closed).resolves.toBeUndefined();
    await agent.close();
  });

  it('is not waited for if its reader leaves in the middle', async () => {
    const { server, closed } = await startUnfinished(true);
    const agent = startAgent();
    const reader = new AbortController();
    const { body } = await openMedium(agent, request(server, { signal: reader.signal }));
    expect(await firstPieceOf(body)).toBe('abc');
    reader.abort();
    await expect(closed).resolves.toBeUndefined();
    await agent.close();
  });

  it.each(['before it is read', 'while a piece is awaited'])(
    'is not waited for if its body is released %s',
    async (when) => {
      const { server, closed } = await startUnfinished(true);
      const agent = startAgent();
      const { body } = await openMedium(agent, request(server));
      if (when === 'while a piece is awaited') expect(await firstPieceOf(body)).toBe('abc');
      body.destroy();
      await expect(closed).resolves.toBeUndefined();
      await agent.close();
    },
  );

  it('is not requested if its reader has already left', async () => {
    const server = await startHttps(hostOf(CONTENT));
    const agent = startAgent();
    await expect(openMedium(agent, request(server, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      name: 'AbortError',
    });
    await agent.close();
    expect(server.connections).toBe(0);
  });

  it('closes the connection when its reader leaves, even if its host keeps sending', async () => {
    const pouring = Promise.withResolvers<ServerResponse>();
    const server = await startHttps((_request, response) => {
      pouring.resolve(response.writeHead(200));
      pour(response);
    });
    const agent = startAgent();
    const reader = new AbortController();
    const { body } = await openMedium(agent, request(server, { signal: reader.signal }));
    await once(body, 'readable');
    const response = await pouring.promise;
    reader.abort();
    await eventually(() => response.closed, 'the end of the answer');
    expect(body.destroyed).toBe(true);
    await agent.close();
  });
});
