import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { downloadTo, type DownloadRequest } from '../../../platform/outgoing/download.ts';
import { withFakeTime } from '../../support/jest/fakeTime.ts';
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

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'download-'));
});
afterEach(cleanUp);
afterAll(() => rm(folder, { recursive: true, force: true }));

const request = (server: TestServer, more: Partial<DownloadRequest> = {}): DownloadRequest => ({
  url: `https://receiver.test:${server.port}/a.mp4`,
  path: join(folder, 'medium'),
  maxBytes: 1_000_000,
  totalTimeoutMs: 60_000,
  ...more,
});

/** Returns the failure, after checking that nothing was left behind. */
async function cleanFailureOf(work: Promise<unknown>) {
  const failure = await failureOf(work);
  expect(await readdir(folder)).toEqual([]);
  return failure;
}

/** Redirects the path `/n` to `/n-1`, and answers at `/0`. */
const countdown: RequestListener = (incoming, response) => {
  const left = Number(incoming.url?.slice(1));
  if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
  else response.end('here');
};

describe('downloadTo', () => {
  it('streams into the file, replaces an existing one, and reports what it received', async () => {
    const content = randomBytes(300_000);
    const server = await startHttps((incoming, response) => {
      const plain =
        incoming.headers['accept-encoding'] === 'identity' && incoming.headers['user-agent'] === 'Attune/1.0';
      response.writeHead(plain ? 200 : 400, { 'content-type': 'video/mp4' }).end(content);
    });
    const path = join(folder, 'kept');
    await writeFile(path, randomBytes(400_000));
    const progress: number[] = [];
    const result = await downloadTo(
      startAgent(),
      request(server, { path, headers: { 'user-agent': 'Attune/1.0' }, onProgress: (bytes) => progress.push(bytes) }),
    );
    expect(result).toEqual({
      bytes: 300_000,
      contentType: 'video/mp4',
      finalUrl: `https://receiver.test:${server.port}/a.mp4`,
    });
    expect((await readFile(path)).equals(content)).toBe(true);
    expect(progress.at(-1)).toBe(300_000);
    await rm(path);
  });

  // proves: decisions-media/bytes
  it('accepts exactly the limit and refuses one byte more, announced or not', async () => {
    const announced = await startHttps((_request, response) =>
      response.writeHead(200, { 'content-length': 10 }).end('0123456789'),
    );
    const counted = await startHttps((_request, response) =>
      response.writeHead(200, { 'transfer-encoding': 'chunked' }).end('0123456789'),
    );
    for (const server of [announced, counted]) {
      expect((await downloadTo(startAgent(), request(server, { maxBytes: 10 }))).bytes).toBe(10);
      await rm(join(folder, 'medium'));
      expect((await cleanFailureOf(downloadTo(startAgent(), request(server, { maxBytes: 9 })))).code).toBe('too_large');
    }
  });

  it('refuses by Content-Length before any of the body comes', async () => {
    const server = await startHttps((_request, response) =>
      response.writeHead(200, { 'content-length': 2_000_000 }).flushHeaders(),
    );
    expect((await cleanFailureOf(downloadTo(startAgent(), request(server)))).code).toBe('too_large');
  });

  it('stops an endless body at the limit and closes the connection', async () => {
    let response: ServerResponse | undefined;
    const server = await startHttps((_request, answered) => {
      response = answered.writeHead(200);
      pour(answered);
    });
    expect((await cleanFailureOf(downloadTo(startAgent(), request(server)))).code).toBe('too_large');
    if (response && !response.closed) await new Promise((resolve) => response?.once('close', resolve));
  });

  it('stores a compressed answer as it is: a bomb does not go off', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const server = await startHttps((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    expect((await downloadTo(startAgent(), request(server))).bytes).toBe(bomb.length);
    expect((await readFile(join(folder, 'medium'))).equals(bomb)).toBe(true);
    await rm(join(folder, 'medium'));
  });

  it('stops a silent body at the idle limit and a trickling one at the total limit', async () => {
    const silent = await startHttps((_request, response) => {
      response.writeHead(200).write('a');
    });
    expect((await cleanFailureOf(downloadTo(startAgent(), request(silent, { idleTimeoutMs: 50 })))).code).toBe(
      'timeout',
    );
    const mute = await startHttps(() => undefined);
    expect((await cleanFailureOf(downloadTo(startAgent(), request(mute, { idleTimeoutMs: 50 })))).code).toBe('timeout');
    const dripping = await startHttps((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('a'), 5);
      response.on('close', () => clearInterval(timer));
    });
    expect(
      (await cleanFailureOf(downloadTo(startAgent(), request(dripping, { idleTimeoutMs: 100, totalTimeoutMs: 300 }))))
        .code,
    ).toBe('timeout');
  });

  it.each([
    ['30 s without data', 30_000, {}],
    ['15 minutes altogether', 900_000, { idleTimeoutMs: 3_600_000 }],
  ])('gives up after %s, unless other limits are given', async (_limit, ms, limits) => {
    const asked = Promise.withResolvers<void>();
    const mute = await startHttps(() => asked.resolve());
    await withFakeTime(['setTimeout', 'clearTimeout'], async (pass) => {
      const { totalTimeoutMs: _given, ...usual } = request(mute, limits);
      let isOver = false;
      const download = downloadTo(startAgent(), usual).finally(() => (isOver = true));
      const failure = cleanFailureOf(download);
      await Promise.race([asked.promise, failure]);
      await pass(ms - 1);
      expect(isOver).toBe(false);
      await pass(1);
      expect(isOver).toBe(true);
      expect((await failure).code).toBe('timeout');
    });
  });

  it('stops a trickling body long before the total limit', async () => {
    const dripping = await startHttps((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('0123456789'), 40);
      response.on('close', () => clearInterval(timer));
    });
    expect(
      (await cleanFailureOf(downloadTo(startAgent(), request(dripping, { minThroughput: { bytes: 10_000, ms: 100 } }))))
        .code,
    ).toBe('timeout');
  });

  it.each([
    ['accepts a body at the minimum pace', { minThroughput: { bytes: 10, ms: 1_500 } }, 590],
    [
      'lets a slow but steady body take longer than the idle limit',
      { idleTimeoutMs: 1_500, minThroughput: { bytes: 10, ms: 16_000 } },
      590,
    ],
  ])('%s', async (_what, limits, bytes) => {
    const answered = Promise.withResolvers<ServerResponse>();
    const server = await startHttps((_request, response) => answered.resolve(response.writeHead(200)));
    await withFakeTime(['setTimeout', 'clearTimeout', 'performance'], async (pass) => {
      let come = Promise.withResolvers<void>();
      const onProgress = (): void => come.resolve();
      const download = downloadTo(startAgent(), request(server, { ...limits, onProgress }));
      await Promise.race([answered.promise, download]);
      const response = await answered.promise;
      for (let sent = 0; sent < bytes; sent += 10) {
        come = Promise.withResolvers();
        response.write('0123456789');
        await Promise.race([come.promise, download]);
        await pass(1_000);
      }
      response.end();
      expect((await download).bytes).toBe(bytes);
    });
    await rm(join(folder, 'medium'));
  });

  it('reports a body that breaks off', async () => {
    const server = await startRawTls((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')),
    );
    expect((await cleanFailureOf(downloadTo(startAgent(), request(server)))).code).toBe('connection');
  });

  it.each([204, 206, 304, 404, 410, 500])('reports %i as http_status', async (status) => {
    const server = await startHttps((_request, response) => response.writeHead(status).end());
    expect(await cleanFailureOf(downloadTo(startAgent(), request(server)))).toMatchObject({
      code: 'http_status',
      status,
    });
  });

  it("ends with the caller's reason, and with the disk's error unchanged", async () => {
    const caller = new AbortController();
    const reason = new Error('cancelled');
    const server = await startHttps((_request, response) => {
      response.writeHead(200).write('a');
      caller.abort(reason);
    });
    await expect(downloadTo(startAgent(), request(server, { signal: caller.signal }))).rejects.toBe(reason);
    expect(await readdir(folder)).toEqual([]);
    const fine = await startHttps((_request, response) => response.end('a'));
    await expect(
      downloadTo(startAgent(), request(fine, { path: join(folder, 'missing', 'medium') })),
    ).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('redirects of a medium', () => {
  // proves: decisions-media/target
  it('are followed three times, not four', async () => {
    const server = await startHttps(countdown);
    const from = (start: number) => request(server, { url: `https://receiver.test:${server.port}/${start}` });
    expect(await downloadTo(startAgent(), from(3))).toMatchObject({
      bytes: 4,
      finalUrl: `https://receiver.test:${server.port}/0`,
    });
    await rm(join(folder, 'medium'));
    expect(await cleanFailureOf(downloadTo(startAgent(), from(4)))).toMatchObject({ code: 'redirect', status: 302 });
  });

  // proves: decisions-media/target
  it.each([
    ['a private address', 'https://10.0.0.1/', 'forbidden_address'],
    ['the metadata address in decimal', 'https://2852039166/', 'forbidden_address'],
    ['plain http', 'http://example.com/', 'invalid_url'],
    ['a file', 'file:///etc/passwd', 'invalid_url'],
    ['a user and password', 'https://u:p@example.com/', 'invalid_url'],
    ['nothing readable', 'https://', 'redirect'],
  ])('are refused if they lead to %s', async (_kind, location, code) => {
    const server = await startHttps((_request, response) => response.writeHead(302, { location }).end());
    expect((await cleanFailureOf(downloadTo(startAgent(), request(server)))).code).toBe(code);
  });

  it('are refused after resolution if they lead to a name with an internal address', async () => {
    const inner = await startHttps((_request, response) => response.end('secret'));
    const server = await startHttps((_request, response) =>
      response.writeHead(307, { location: `https://inner.receiver.test:${inner.port}/` }).end(),
    );
    const agent = startAgent({ resolve: answer('127.0.0.1', '192.168.1.1') });
    expect((await cleanFailureOf(downloadTo(agent, request(server)))).code).toBe('forbidden_address');
    expect(inner.connections).toBe(0);
  });

  it('are refused without a target', async () => {
    const server = await startHttps((_request, response) => response.writeHead(301).end());
    expect((await cleanFailureOf(downloadTo(startAgent(), request(server)))).code).toBe('redirect');
  });
});

describe('plain http', () => {
  it('is allowed only for opened addresses in development', async () => {
    const server = await startHttp((_request, response) => response.end('sample'));
    const plain = (host: string) => request(server, { url: `http://${host}:${server.port}/a.mp4` });
    expect((await downloadTo(startAgent({ allowHttp: true }), plain('127.0.0.1'))).bytes).toBe(6);
    await rm(join(folder, 'medium'));
    expect((await cleanFailureOf(downloadTo(startAgent(), plain('127.0.0.1')))).code).toBe('invalid_url');
    expect((await cleanFailureOf(downloadTo(startClosedAgent({ allowHttp: true }), plain('receiver.test')))).code).toBe(
      'forbidden_address',
    );
    expect(server.connections).toBe(1);
  });
});
