import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { deliveryErrorCode, OutgoingError } from '../../../platform/outgoing/errors.ts';
import { isSuccess } from '../../../loops/delivery/attempt.ts';
import { postOnce, type PostRequest } from '../../../platform/outgoing/post.ts';
import { turnsUntil, withFakeTime } from '../../support/jest/fakeTime.ts';
import {
  answer,
  atEnd,
  cleanUp,
  failureOf,
  pour,
  startAgent,
  startClosedAgent,
  startHttps,
  startRawTls,
  type TestServer,
} from './support/servers.ts';

/** The timers that are faked, so that a time limit passes when a test says so. */
const TIMERS = ['setTimeout', 'clearTimeout'] as const;

const request = (server: TestServer, more: Partial<PostRequest> = {}): PostRequest => ({
  url: `https://receiver.test:${server.port}/hook?a=1`,
  headers: { 'content-type': 'application/json' },
  body: '{"a":"я"}',
  isSuccess,
  deadlineMs: 30_000,
  ...more,
});

afterEach(cleanUp);

describe('postOnce', () => {
  it('sends method, path, headers and the body as given, and reports status and time', async () => {
    const seen: Partial<IncomingMessage>[] = [];
    const bodies: string[] = [];
    const server = await startHttps(async (incoming, response) => {
      const { method, url, headers } = incoming;
      seen.push({ method: method ?? '', url: url ?? '', headers });
      bodies.push(Buffer.concat(await incoming.toArray()).toString());
      response.writeHead(201).end('thanks');
    });
    const outcome = await postOnce(startAgent(), request(server, { headers: { 'X-Core-Event': 'webhook.test' } }));
    expect(outcome.status).toBe(201);
    expect(outcome.durationMs).toBeGreaterThanOrEqual(0);
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/hook?a=1',
      headers: { 'x-core-event': 'webhook.test', host: `receiver.test:${server.port}`, 'content-length': '10' },
    });
    expect(bodies).toEqual(['{"a":"я"}']);
  });

  // proves: webhook-retries/1
  it.each([200, 202, 204, 299])('treats %i as success', async (status) => {
    const server = await startHttps((_request, response) => response.writeHead(status).end());
    expect((await postOnce(startAgent(), request(server))).status).toBe(status);
  });

  // proves: webhook-retries/2, webhook-retries/http_status
  it.each([400, 404, 410, 429, 500, 503])('reports %i as http_status', async (status) => {
    const server = await startHttps((_request, response) => response.writeHead(status).end('secret of the receiver'));
    const failure = await failureOf(postOnce(startAgent(), request(server)));
    expect(failure).toMatchObject({ code: 'http_status', status, message: `unexpected answer status: ${status}` });
  });

  // proves: webhook-retries/2
  it.each([300, 301, 302, 303, 304, 307, 308])('reports %i as redirect and follows nothing', async (status) => {
    const inner = await startHttps((_request, response) => response.end());
    const server = await startHttps((_request, response) =>
      response.writeHead(status, { location: `https://127.0.0.1:${inner.port}/` }).end(),
    );
    expect(await failureOf(postOnce(startAgent(), request(server)))).toMatchObject({ code: 'redirect', status });
    expect(inner.connections).toBe(0);
  });

  it.each([
    ['http://receiver.test/', 'invalid_url'],
    ['https://user:pass@receiver.test/', 'invalid_url'],
    [`https://receiver.test/${'a'.repeat(2048)}`, 'invalid_url'],
    ['https://127.0.0.1/', 'forbidden_address'],
    ['https://localhost/', 'forbidden_address'],
  ])('checks the address again: %s', async (url, code) => {
    const failure = await failureOf(
      postOnce(startClosedAgent(), { url, headers: {}, body: '', isSuccess, deadlineMs: 5_000 }),
    );
    expect(failure.code).toBe(code);
    expect(deliveryErrorCode(failure)).toBe('forbidden_address');
  });

  it('stops at the deadline when no answer comes', async () => {
    const server = await startHttps(() => undefined);
    expect((await failureOf(postOnce(startAgent(), request(server, { deadlineMs: 100 })))).code).toBe('timeout');
  });

  it('stops at the deadline when headers trickle', async () => {
    const server = await startRawTls((socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-', 'a'));
    expect((await failureOf(postOnce(startAgent(), request(server, { deadlineMs: 100 })))).code).toBe('timeout');
  });

  // proves: webhook-retries/1
  it('stops at the deadline when the body of a 2xx trickles', async () => {
    const server = await startHttps((_request, response) => drip(response.writeHead(200), 'a', 'a'));
    expect((await failureOf(postOnce(startAgent(), request(server, { deadlineMs: 100 })))).code).toBe('timeout');
  });

  // proves: decisions-guard/deadline
  it('counts resolution, headers and body against one deadline, even if each alone would be in time', async () => {
    const deadlineMs = 1_500;
    // Three of these exceed the deadline.
    const later = (work: () => void): unknown => setTimeout(work, deadlineMs * 0.4);
    const resolve = (): Promise<string[]> => new Promise((done) => later(() => done(['127.0.0.1'])));
    const server = await startHttps((_request, response) =>
      later(() => {
        response.writeHead(200).write('a');
        later(() => response.end());
      }),
    );
    expect((await failureOf(postOnce(startAgent({ resolve }), request(server, { deadlineMs })))).code).toBe('timeout');
  });

  it('holds no connection past the deadline, whatever the receiver does', async () => {
    const stalls: [kind: string, first: string, rest: string][] = [
      ['never answers', '', ''],
      ['drips headers', 'HTTP/1.1 200 OK\r\nx-', 'a'],
      ['drips the body of a 2xx', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\na\r\n'],
      ['answers 102 for ever', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
      ['sends early hints for ever', '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
      ['announces a body and sends none', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n', ''],
    ];
    const asked: { port: number; rest: string; wanted: number }[] = [];
    const bytesRead = watchClients();
    const outcomes = await withFakeTime(TIMERS, async (pass) => {
      let ended = 0;
      const posts = stalls.map(async ([kind, first, rest]) => {
        const closed: Promise<unknown>[] = [];
        const server = await startRawTls((socket) => {
          closed.push(new Promise((resolve) => socket.once('close', resolve)));
          socket.once('data', () => {
            asked.push({ port: server.port, rest, wanted: first.length + rest.length });
            if (rest !== '') drip(socket, first, rest);
            else if (first !== '') socket.write(first);
          });
        });
        const { code } = await failureOf(postOnce(startAgent(), request(server, { deadlineMs: 5_000 })));
        await Promise.all(closed);
        ended += 1;
        return [kind, code, closed.length];
      });
      const haveRead = (): boolean => asked.every(({ port, wanted }) => bytesRead(port) >= wanted);
      // A deadline that ends with the headers, or that each byte restarts, would do so now.
      await turnsUntil(() => ended > 0 || (asked.length === stalls.length && haveRead()), 'what each client reads');
      await pass(2_500);
      for (const one of asked) one.wanted = bytesRead(one.port) + one.rest.length;
      await turnsUntil(() => ended > 0 || haveRead(), 'more of what drips');
      expect(ended).toBe(0);
      await pass(2_500);
      await turnsUntil(() => ended === stalls.length, 'the end of each connection');
      return Promise.all(posts);
    });
    expect(outcomes).toEqual(stalls.map(([kind]) => [kind, 'timeout', 1]));
  });

  it.each([
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'],
    [
      'sends a chunk extension without end',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(200_000)}`,
    ],
    [
      'sends a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['sends two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na'],
  ])('reports no success when a receiver %s', async (_kind, answered) => {
    const server = await startRawTls((socket) => socket.once('data', () => socket.write(answered)));
    const failure = await failureOf(postOnce(startAgent(), request(server, { deadlineMs: 500 })));
    expect(['connection', 'timeout']).toContain(failure.code);
  });

  it.each(['gzip', 'br', 'deflate'])('requests no compressed answer, and does not decode one in %s', async (coding) => {
    let asked: unknown;
    const server = await startHttps((incoming, response) => {
      asked = incoming.headers['accept-encoding'];
      response.writeHead(200, { 'content-encoding': coding }).end('this is not compressed'); // decoding it would fail
    });
    expect((await postOnce(startAgent(), request(server))).status).toBe(200);
    expect(asked).toBeUndefined();
  });

  it('keeps the status of a failure whose body trickles until the deadline', async () => {
    const server = await startHttps((_request, response) => drip(response.writeHead(500), 'a', 'a'));
    const received = Promise.withResolvers<unknown>();
    subscribe('undici:request:headers', received.resolve);
    try {
      await withFakeTime(TIMERS, async (pass) => {
        const failure = failureOf(postOnce(startAgent(), request(server, { deadlineMs: 2_000 })));
        await Promise.race([received.promise, failure]);
        await setImmediate();
        await pass(2_000);
        expect(await failure).toMatchObject({ code: 'http_status', status: 500 });
      });
    } finally {
      unsubscribe('undici:request:headers', received.resolve);
    }
  });

  // proves: webhook-retries/1, decisions-guard/body
  it.each([
    ['the given', { maxResponseBytes: 10_000 }],
    ['the usual', {}],
  ])('accepts a 2xx with an endless body, and stops reading it at %s cap', async (_cap, more) => {
    let response: ServerResponse | undefined;
    const server = await startHttps((_request, answered) => {
      response = answered.writeHead(200);
      pour(answered);
    });
    expect((await postOnce(startAgent(), request(server, more))).status).toBe(200);
    const { socket } = response ?? {};
    await untilClosed(response);
    // More is sent than read, because buffers of the system are filled too.
    expect(socket?.bytesWritten).toBeLessThan(16 * 1024 * 1024);
  });

  // proves: decisions-guard/body
  it.each([
    [64, 1],
    [1024, 2],
  ])('reads 64 KB if no cap is given: two answers of %i KB need %i connections', async (kilobytes, connections) => {
    const body = Buffer.alloc(kilobytes * 1024);
    const used = new Set<Socket>();
    const server = await startHttps((incoming, response) => {
      used.add(incoming.socket);
      response.writeHead(200, { 'content-length': body.length }).end(body);
    });
    const agent = startAgent();
    await postOnce(agent, request(server));
    await setImmediate();
    await postOnce(agent, request(server));
    expect(used.size).toBe(connections); // only one whose answer was read to its end is used again
  });

  // proves: decisions-guard/body
  it('does not expand a compressed answer', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024)); // 32 KB on the wire: expanded, it would break the cap
    const server = await startHttps((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb),
    );
    const agent = startAgent();
    await postOnce(agent, request(server, { maxResponseBytes: bomb.length }));
    await setImmediate();
    await postOnce(agent, request(server, { maxResponseBytes: bomb.length }));
    expect(server.connections).toBe(1); // read to its end within the cap, so it is reusable
  });

  // proves: webhook-retries/2
  it.each([
    ['closes without an answer', (socket: NodeJS.WritableStream) => socket.end()],
    [
      'closes in the middle of the headers',
      (socket: NodeJS.WritableStream) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'),
    ],
    [
      'closes in the middle of the body of a 2xx',
      (socket: NodeJS.WritableStream) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'),
    ],
    [
      'answers with something that is not HTTP',
      (socket: NodeJS.WritableStream) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
    ],
    [
      'sends headers without end',
      (socket: NodeJS.WritableStream) => socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`),
    ],
  ])('reports connection after one request when a receiver %s', async (_kind, reply) => {
    let requests = 0;
    const server = await startRawTls((socket) =>
      socket.once('data', () => {
        requests += 1;
        reply(socket);
      }),
    );
    expect((await failureOf(postOnce(startAgent(), request(server)))).code).toBe('connection');
    expect(requests).toBe(1);
  });

  it('sends once more if a kept connection turns out to be closed', async () => {
    let requests = 0;
    const server = await startRawTls((socket) => {
      let answered = false;
      socket.on('data', () => {
        requests += 1;
        if (answered) return socket.destroy(); // the second request of a connection finds it closing
        answered = true;
        return socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nKeep-Alive: timeout=60\r\n\r\n');
      });
    });
    const agent = startAgent();
    await postOnce(agent, request(server));
    await setImmediate();
    expect((await postOnce(agent, request(server))).status).toBe(200);
    expect([requests, server.connections]).toEqual([3, 2]);
  });

  it('sends exactly once on a new connection, whatever connections are kept', async () => {
    let requests = 0;
    const server = await startRawTls((socket) => {
      socket.on('data', () => {
        requests += 1;
        if (requests > 1) return socket.destroy();
        return socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nKeep-Alive: timeout=60\r\n\r\n');
      });
    });
    const agent = startAgent();
    await postOnce(agent, request(server));
    await setImmediate();
    const failure = await failureOf(postOnce(agent, request(server, { onNewConnection: true })));
    expect([failure.code, requests, server.connections]).toEqual(['connection', 2, 2]);
  });

  it("ends with the caller's own reason when its signal fires", async () => {
    const caller = new AbortController();
    const reason = new Error('the worker shuts down');
    const server = await startHttps(() => caller.abort(reason));
    await expect(postOnce(startAgent(), request(server, { signal: caller.signal }))).rejects.toBe(reason);
    await expect(postOnce(startAgent(), request(server, { signal: caller.signal }))).rejects.toBe(reason);
  });

  it('leaves nothing behind on a signal that outlives the request', async () => {
    const { signal } = new AbortController();
    const server = await startHttps((_request, response) => response.end('done'));
    await postOnce(startAgent(), request(server, { signal }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('returns the same error for every forbidden address', async () => {
    const failures = await Promise.all(
      ['10.0.0.1', '169.254.169.254', '::1'].map((ip) =>
        failureOf(
          postOnce(startClosedAgent({ resolve: answer(ip) }), {
            url: 'https://receiver.test/',
            headers: {},
            body: '',
            isSuccess,
            deadlineMs: 5_000,
          }),
        ),
      ),
    );
    expect(new Set(failures.map(({ message, code, status }) => `${message}/${code}/${status}`)).size).toBe(1);
    expect(failures[0]).toBeInstanceOf(OutgoingError);
  });
});

/** Sends a byte every few milliseconds until the other side disconnects. */
function drip(stream: NodeJS.WritableStream, first: string, rest: string): void {
  stream.write(first);
  const timer = setInterval(() => stream.write(rest), 5);
  stream.on('close', () => clearInterval(timer)).on('error', () => clearInterval(timer));
}

/** Returns a function that says how many bytes the client of a server's port has read, without those of TLS. */
function watchClients(): (port: number) => number {
  const clients = new Map<number, Socket>();
  const note = (message: unknown): void => {
    const { connectParams, socket } = message as { connectParams: { port: string }; socket: Socket };
    clients.set(Number(connectParams.port), socket);
  };
  subscribe('undici:client:connected', note);
  atEnd(async () => void unsubscribe('undici:client:connected', note));
  return (port) => clients.get(port)?.bytesRead ?? 0;
}

async function untilClosed(response: ServerResponse | undefined): Promise<void> {
  if (response === undefined) throw new Error('the server was never asked');
  if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
}
