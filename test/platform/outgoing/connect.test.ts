import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { NOTHING_ALLOWED, parseAllowNetworks } from '../../../platform/outgoing/forbiddenAddresses.ts';
import { assertVettedPeer, type GuardedAgent } from '../../../platform/outgoing/connect.ts';
import { OutgoingError } from '../../../platform/outgoing/errors.ts';
import { isSuccess } from '../../../loops/delivery/attempt.ts';
import { postOnce } from '../../../platform/outgoing/post.ts';
import { withFakeTime } from '../../support/jest/fakeTime.ts';
import {
  answer,
  atEnd,
  cleanUp,
  closedPort,
  failureOf,
  LOOPBACK,
  startAgent,
  startClosedAgent,
  startHttp,
  startHttps,
  startTcp,
} from './support/servers.ts';

const post = (agent: GuardedAgent, url: string, deadlineMs = 30_000) =>
  postOnce(agent, { url, headers: {}, body: '{}', isSuccess, deadlineMs });
const ok = (_request: unknown, response: { end(): void }) => response.end();

afterEach(cleanUp);

describe('vetting at connection', () => {
  it('lets a name be reached if all its addresses are allowed', async () => {
    const server = await startHttps(ok);
    expect((await post(startAgent(), `https://receiver.test:${server.port}/`)).status).toBe(200);
  });

  // proves: decisions-guard/names
  // proves: decisions-media/target
  it.each([
    ['a private address', ['10.0.0.1']],
    ['a public address and a private one', ['93.184.215.14', '192.168.0.1']],
    ['a good A and a bad AAAA', ['93.184.215.14', '::1']],
    ['a bad A and a good AAAA', ['169.254.169.254', '2606:4700::1111']],
    ['a mapped address', ['::ffff:93.184.215.14']],
    ['something that is not an address', ['metadata']],
  ])('refuses a name with %s', async (_kind, addresses) => {
    expect(
      await failureOf(post(startClosedAgent({ resolve: answer(addresses) }), 'https://receiver.test/')),
    ).toMatchObject({ code: 'forbidden_address' });
  });

  it('refuses a name that was public when it was saved and is private now, without a packet to it', async () => {
    const server = await startHttps(ok);
    const resolve = answer('93.184.215.14', '127.0.0.1');
    expect(await resolve('receiver.test')).toEqual(['93.184.215.14']);
    const failure = await failureOf(post(startClosedAgent({ resolve }), `https://receiver.test:${server.port}/`));
    expect(failure).toMatchObject({ code: 'forbidden_address', message: 'the address is not allowed' });
    expect(server.connections).toBe(0);
  });

  it('checks each new connection of a name that flips between attempts', async () => {
    const server = await startHttps((_request, response) => response.setHeader('connection', 'close').end());
    const agent = startAgent({ resolve: answer('127.0.0.1', '10.0.0.1', '127.0.0.1') });
    const url = `https://receiver.test:${server.port}/`;
    expect((await post(agent, url)).status).toBe(200);
    expect((await failureOf(post(agent, url))).code).toBe('forbidden_address');
    expect((await post(agent, url)).status).toBe(200);
    expect(server.connections).toBe(2);
  });

  // proves: decisions-guard/once
  // proves: decisions-media/target
  it('resolves once per connection: the vetted address is the one dialled', async () => {
    const server = await startHttps(ok);
    await post(startAgent({ resolve: answer('127.0.0.1', '10.0.0.1') }), `https://receiver.test:${server.port}/`);
    expect(server.connections).toBe(1);
  });

  // proves: decisions-guard/literals
  it('checks IP literals, which are never looked up', async () => {
    const server = await startHttps(ok);
    const lookedUp: string[] = [];
    const resolve = async (name: string) => [lookedUp.push(name), '93.184.215.14'].slice(1) as string[];
    const closed = startClosedAgent({ resolve });
    // Bypasses the URL rules and calls the dispatcher directly: the connector must check addresses itself.
    for (const origin of [
      `https://127.0.0.1:${server.port}`,
      `https://[::1]:${server.port}`,
      `https://localhost:${server.port}`,
    ]) {
      expect(await failureOf(closed.dispatcher.request({ origin, path: '/', method: 'GET' }))).toMatchObject({
        code: 'forbidden_address',
      });
    }
    expect((await post(startAgent({ resolve }), `https://127.0.0.1:${server.port}/`)).status).toBe(200);
    expect(lookedUp).toEqual([]);
  });

  it('uses the opened loopback address for localhost', async () => {
    const server = await startHttps(ok);
    const agent = startAgent({ allow: parseAllowNetworks('127.0.0.0/8') });
    expect((await post(agent, `https://localhost:${server.port}/`)).status).toBe(200);
  });

  it('keeps the ports of the service closed in an opened network', async () => {
    const server = await startHttps(ok);
    const agent = startAgent({ own: { addresses: [], ports: [server.port], hosts: [] } });
    expect((await failureOf(post(agent, `https://receiver.test:${server.port}/`))).code).toBe('forbidden_address');
    expect(server.connections).toBe(0);
  });

  it('refuses a public name of the service, because its proxy would lead back to it', async () => {
    const server = await startHttps(ok);
    const own = { addresses: [], ports: [], hosts: ['receiver.test'] };
    const url = `https://receiver.test:${server.port}/`;
    const lookedUp: string[] = [];
    const closed = startClosedAgent({
      own,
      resolve: async (name) => [lookedUp.push(name), '93.184.215.14'].slice(1) as string[],
    });
    expect((await failureOf(post(closed, url))).code).toBe('forbidden_address');
    expect(await failureOf(closed.dispatcher.request({ origin: url, path: '/', method: 'GET' }))).toMatchObject({
      code: 'forbidden_address',
    });
    expect(lookedUp).toEqual([]);
    expect((await failureOf(post(startAgent({ own: { ...own, ports: [server.port] } }), url))).code).toBe(
      'forbidden_address',
    );
    expect(server.connections).toBe(0);
    expect((await post(startAgent({ own }), url)).status).toBe(200);
  });

  it('uses plain http only on request, and only to opened addresses', async () => {
    const server = await startHttp(ok);
    const get = (agent: GuardedAgent) =>
      agent.dispatcher.request({ origin: `http://receiver.test:${server.port}`, path: '/', method: 'GET' });
    expect((await failureOf(get(startAgent()))).code).toBe('forbidden_address');
    expect((await failureOf(get(startAgent({ allowHttp: true, resolve: answer('93.184.215.14') })))).code).toBe(
      'forbidden_address',
    );
    const response = await get(startAgent({ allowHttp: true }));
    await response.body.dump();
    expect(response.statusCode).toBe(200);
  });

  it('refuses a connected socket whose peer was not vetted', async () => {
    const server = await startTcp(() => undefined);
    const socket = connect(server.port, '127.0.0.1');
    atEnd(async () => socket.destroy());
    await new Promise((resolve) => socket.once('connect', resolve));
    const rules = { allow: LOOPBACK, own: { addresses: [], ports: [], hosts: [] } };
    expect(() => assertVettedPeer(socket, ['127.0.0.1'], rules)).not.toThrow();
    expect(() => assertVettedPeer(socket, ['127.0.0.1'], { ...rules, allow: NOTHING_ALLOWED })).toThrow(OutgoingError);
    expect(socket.destroyed).toBe(true);
    expect(() => assertVettedPeer(socket, ['93.184.215.14'], rules)).toThrow(OutgoingError);
  });

  it('checks the rules again once the socket is connected', async () => {
    const server = await startHttps(ok);
    let asked = 0;
    const own = {
      addresses: [],
      hosts: [],
      /** Has the port from the second time on, as if the rules had changed during the connection. */
      get ports() {
        asked += 1;
        return asked > 1 ? [server.port] : [];
      },
    };
    const failure = await failureOf(post(startAgent({ own }), `https://receiver.test:${server.port}/`));
    expect(failure.code).toBe('forbidden_address');
    expect(server.connections).toBe(1);
  });
});

describe('connecting', () => {
  it('falls back to the next vetted address when the first refuses', async () => {
    const server = await startHttps(ok);
    const agent = startAgent({ resolve: answer(['127.0.0.2', '::1', '127.0.0.1']) });
    expect((await post(agent, `https://receiver.test:${server.port}/`)).status).toBe(200);
  });

  it('reports a refused connection without the address', async () => {
    const failure = await failureOf(post(startAgent(), `https://receiver.test:${await closedPort()}/`));
    expect(failure).toMatchObject({
      code: 'connection',
      message: 'could not connect, or the connection broke: ECONNREFUSED',
    });
    expect(failure.cause).toBeUndefined();
  });

  it('reports a name that does not resolve, and one without addresses', async () => {
    const unknown = async () =>
      Promise.reject(Object.assign(new Error('queryA ENOTFOUND receiver.test'), { code: 'ENOTFOUND' }));
    expect((await failureOf(post(startAgent({ resolve: unknown }), 'https://receiver.test/'))).code).toBe('dns');
    expect((await failureOf(post(startAgent({ resolve: answer([]) }), 'https://receiver.test/'))).code).toBe('dns');
  });

  it('abandons a resolver or a handshake that takes too long', async () => {
    const silent = await startTcp(() => undefined); // accepts the connection, never answers the handshake
    const slow = startAgent({ connectTimeoutMs: 50 });
    expect((await failureOf(post(slow, `https://receiver.test:${silent.port}/`))).code).toBe('timeout');
    const stuck = startAgent({ connectTimeoutMs: 50, resolve: () => new Promise(() => undefined) });
    expect((await failureOf(post(stuck, 'https://receiver.test/'))).code).toBe('timeout');
  });

  it('abandons a connection after 10 s, unless another limit is given', async () => {
    const asked = Promise.withResolvers<void>();
    const resolve = () => {
      asked.resolve();
      return new Promise<string[]>(() => undefined);
    };
    await withFakeTime(['setTimeout', 'clearTimeout'], async (pass) => {
      let isOver = false;
      const request = post(startAgent({ resolve }), 'https://receiver.test/', 60_000);
      const failure = failureOf(request).finally(() => (isOver = true));
      await Promise.race([asked.promise, failure]);
      await pass(9_999);
      expect(isOver).toBe(false);
      await pass(1);
      expect(isOver).toBe(true);
      expect((await failure).code).toBe('timeout');
    });
  });

  it('ends at the deadline of the request even if the connection may take longer', async () => {
    const stuck = startAgent({ resolve: () => new Promise(() => undefined) });
    expect((await failureOf(post(stuck, 'https://receiver.test/', 50))).code).toBe('timeout');
  });

  // proves: decisions-guard/age
  it('reuses a young connection and retires an old one', async () => {
    const server = await startHttps(ok);
    const url = `https://receiver.test:${server.port}/`;
    const young = startAgent({ resolve: answer('127.0.0.1', '10.0.0.1') });
    await post(young, url);
    await setImmediate(); // undici lets one turn of the event loop pass before it reuses a connection
    expect((await post(young, url)).status).toBe(200);
    expect(server.connections).toBe(1);
    const old = startAgent({ resolve: answer('127.0.0.1', '10.0.0.1'), maxConnectionAgeMs: 1 });
    await post(old, url);
    await setTimeout(5); // lets the connection grow older than a millisecond
    expect((await failureOf(post(old, url))).code).toBe('forbidden_address');
  });

  it('reuses a connection for 30 s, unless another age is given', async () => {
    const server = await startHttps(ok);
    const url = `https://receiver.test:${server.port}/`;
    const agent = startAgent();
    await withFakeTime(['Date'], async (pass) => {
      await post(agent, url);
      await pass(30_000);
      await post(agent, url);
      expect(server.connections).toBe(1);
      await pass(1);
      await post(agent, url);
      expect(server.connections).toBe(2);
    });
  });
});

describe('TLS', () => {
  // proves: webhook-retries/tls
  it.each([
    ['an expired certificate', 'expired.pem', 'receiver.test', 'expired'],
    ['a self-signed certificate', 'self-signed.pem', 'receiver.test', 'self-signed'],
    ["another name's certificate", 'good.pem', 'other.test', 'another host name'],
  ])('refuses %s', async (_kind, certificate, host, detail) => {
    let requests = 0;
    const server = await startHttps((_request, response) => response.end(String((requests += 1))), certificate);
    const failure = await failureOf(post(startAgent(), `https://${host}:${server.port}/`));
    expect(failure.code).toBe('tls');
    expect(failure.message).toContain(detail);
    expect(requests).toBe(0);
  });

  it('refuses an unknown authority', async () => {
    const server = await startHttps(ok);
    expect((await failureOf(post(startAgent({ extraCa: [] }), `https://receiver.test:${server.port}/`))).code).toBe(
      'tls',
    );
  });

  it('accepts a subdomain that the certificate covers, and reports an address where nothing listens as `connection`', async () => {
    const server = await startHttps(ok);
    // The server listens on 127.0.0.1 only.
    expect((await failureOf(post(startAgent(), `https://127.0.0.2:${server.port}/`))).code).toBe('connection');
    const elsewhere = startAgent({ resolve: answer('127.0.0.1') });
    expect((await post(elsewhere, `https://a.receiver.test:${server.port}/`)).status).toBe(200);
  });

  it('accepts a name with a trailing dot', async () => {
    const names: unknown[] = [];
    const server = await startHttps(({ socket }, response) => {
      names.push('servername' in socket && socket.servername);
      response.end();
    });
    expect((await post(startAgent(), `https://receiver.test.:${server.port}/`)).status).toBe(200);
    expect(names).toEqual(['receiver.test']);
  });

  it.each([
    ['speaks no TLS', (socket: import('node:net').Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['closes during the handshake', (socket: import('node:net').Socket) => socket.destroy()],
  ])('reports a server that %s', async (_kind, onConnection) => {
    const server = await startTcp(onConnection);
    expect((await failureOf(post(startAgent(), `https://receiver.test:${server.port}/`))).code).toBe('tls');
  });
});

describe('the environment', () => {
  // proves: decisions-guard/proxy
  it('contributes NODE_EXTRA_CA_CERTS and no proxy', async () => {
    const server = await startHttps(ok);
    const proxy = await startTcp((socket) => socket.end());
    const local = `http://127.0.0.1:${proxy.port}`;
    const script = fileURLToPath(new URL('support/postOnce.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, `https://localhost:${server.port}/`], {
      env: {
        NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('fixtures/ca.pem', import.meta.url)),
        NODE_USE_ENV_PROXY: '1',
        HTTPS_PROXY: local,
        https_proxy: local,
        ALL_PROXY: local,
        HTTP_PROXY: local,
      },
    });
    expect(stdout).toBe('200\n');
    expect(proxy.connections).toBe(0);
  });
});
