import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { NOTHING_ALLOWED, parseAllowNetworks } from '../../../platform/outgoing/forbiddenAddresses.ts';
import { isSuccess } from '../../../loops/delivery/attempt.ts';
import { postOnce } from '../../../platform/outgoing/post.ts';
import { createSystemResolver, parseHosts } from '../../../platform/outgoing/resolve.ts';
import { cleanUp, failureOf, startAgent, startHttps } from './support/servers.ts';
import { startNameServer, type Zone } from './support/nameServer.ts';

const V6 = '2606:4700:4700:0:0:0:0:1111';
const ZONE: Zone = {
  'both.test': { addresses: ['93.184.215.14', '93.184.215.15', V6] },
  'four.test': { addresses: ['93.184.215.14'], aaaa: 'refuse' },
  'slow.test': { addresses: ['93.184.215.14'], aaaa: 'silent' },
  'six.test': { addresses: [V6] },
  'empty.test': { addresses: [] },
  'mixed.test': { addresses: ['93.184.215.14', '10.0.0.1'] },
  'receiver.test': { addresses: ['127.0.0.1'] },
};

let folder = '';
let hostsFile = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'resolve-'));
  hostsFile = join(folder, 'hosts');
});
afterEach(cleanUp);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Uses a long timeout for busy machines: a query that is sent twice would be visible. */
async function startResolver(patience = 5_000) {
  const nameServer = await startNameServer(ZONE);
  return {
    nameServer,
    resolve: createSystemResolver({ servers: [nameServer.address], hostsFile, timeoutMs: patience }),
  };
}

describe('createSystemResolver', () => {
  it('returns every address of both families', async () => {
    const { resolve } = await startResolver();
    expect((await resolve('both.test')).sort()).toEqual(['2606:4700:4700::1111', '93.184.215.14', '93.184.215.15']);
    expect(await resolve('six.test')).toEqual(['2606:4700:4700::1111']);
  });

  it("accepts one family's answer if the other's fails or never comes", async () => {
    const { resolve } = await startResolver(1_000);
    expect(await resolve('four.test')).toEqual(['93.184.215.14']);
    expect(await resolve('slow.test')).toEqual(['93.184.215.14']);
  });

  it.each(['unknown.test', 'empty.test'])('reports %s as dns', async (name) => {
    const { resolve } = await startResolver();
    expect(await failureOf(resolve(name))).toMatchObject({ code: 'dns', message: 'host name does not resolve' });
  });

  it('resolves a name with a trailing dot, or in capitals, all the same', async () => {
    const { resolve, nameServer } = await startResolver();
    await resolve('Both.TEST.');
    expect(nameServer.questions.sort()).toEqual(['both.test A', 'both.test AAAA']);
  });

  it('uses the hosts file first, and notices its changes', async () => {
    const { resolve, nameServer } = await startResolver();
    await writeFile(hostsFile, '192.0.2.7 both.test\n');
    expect(await resolve('both.test')).toEqual(['192.0.2.7']);
    expect(nameServer.questions).toEqual([]);
    await writeFile(hostsFile, '# nothing any more\n');
    expect(await resolve('both.test')).toHaveLength(3);
    await rm(hostsFile);
    expect(await resolve('both.test')).toHaveLength(3);
  });

  it('serves an agent: a name from the name server is reached, a mixed one refused', async () => {
    const server = await startHttps((_request, response) => response.end());
    const { resolve } = await startResolver();
    const post = (agent: ReturnType<typeof startAgent>, name: string) =>
      postOnce(agent, { url: `https://${name}:${server.port}/`, headers: {}, body: '', isSuccess, deadlineMs: 10_000 });
    expect((await post(startAgent({ resolve }), 'receiver.test')).status).toBe(200);
    expect((await failureOf(post(startAgent({ resolve, allow: NOTHING_ALLOWED }), 'receiver.test'))).code).toBe(
      'forbidden_address',
    );
    const denying = startAgent({ resolve, deny: parseAllowNetworks('127.0.0.0/8') });
    expect((await failureOf(post(denying, 'receiver.test'))).code).toBe('forbidden_address');
    expect((await failureOf(post(startAgent({ resolve }), 'mixed.test'))).code).toBe('forbidden_address');
    expect((await failureOf(post(startAgent({ resolve }), 'unknown.test'))).code).toBe('dns');
  });
});

describe('a name server whose answers flip', () => {
  const INSIDE = '127.0.0.1';
  const OUTSIDE = '127.0.0.2'; // simulates a public address: the only one that is allowed
  const open = parseAllowNetworks(`${OUTSIDE}/32`);

  /**
   * Starts servers at two addresses with one port: the one that receives a connection shows which answer was used.
   */
  async function startBoth() {
    const inside = await startHttps((_request, response) => response.end());
    const outside = await startHttps(
      (_request, response) => response.setHeader('connection', 'close').end(),
      'good.pem',
      { host: OUTSIDE, port: inside.port },
    );
    return { inside, outside, url: `https://flip.receiver.test:${inside.port}/` };
  }

  async function startFlipping(...turns: string[][]) {
    const nameServer = await startNameServer({ 'flip.receiver.test': { addresses: [], turns } });
    const resolve = createSystemResolver({ servers: [nameServer.address], hostsFile });
    return { nameServer, agent: startAgent({ resolve, allow: open }) };
  }

  const post = (agent: ReturnType<typeof startAgent>, url: string) =>
    postOnce(agent, { url, headers: {}, body: '', isSuccess, deadlineMs: 10_000 });

  // proves: webhooks/1
  it('is queried once for a connection, so that the vetted address is the one dialled', async () => {
    const { inside, outside, url } = await startBoth();
    const { nameServer, agent } = await startFlipping([OUTSIDE], [INSIDE]);
    expect((await post(agent, url)).status).toBe(200);
    expect([outside.connections, inside.connections]).toEqual([1, 0]);
    expect(nameServer.questions.filter((question) => question.endsWith(' A'))).toHaveLength(1);
  });

  it('is queried again for each attempt, and never leads to an internal address', async () => {
    const { inside, outside, url } = await startBoth();
    const { agent } = await startFlipping([OUTSIDE], [INSIDE], [OUTSIDE, INSIDE], [OUTSIDE]);
    expect((await post(agent, url)).status).toBe(200);
    expect((await failureOf(post(agent, url))).code).toBe('forbidden_address');
    expect((await failureOf(post(agent, url))).code).toBe('forbidden_address');
    expect((await post(agent, url)).status).toBe(200);
    expect([outside.connections, inside.connections]).toEqual([2, 0]);
  });
});

describe('parseHosts', () => {
  it('reads addresses, aliases, comments and repeated names', () => {
    const hosts = parseHosts(
      '# comment\n127.0.0.1\tlocalhost Local\n::1 localhost # both\n\n  10.0.0.1   db.internal\r\n192.0.2.1\n',
    );
    expect(Object.fromEntries(hosts)).toEqual({
      localhost: ['127.0.0.1', '::1'],
      local: ['127.0.0.1'],
      'db.internal': ['10.0.0.1'],
    });
  });
});
