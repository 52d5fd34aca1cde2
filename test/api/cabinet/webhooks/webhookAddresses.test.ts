/** Every rule for a webhook's address, checked when it is saved and again when it is connected to. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { startReceiver } from '../../../support/servers/receiver.ts';
import {
  addWebhook,
  allSettled,
  deliveriesUntil,
  readDeliveries,
  recordEvent,
  startTestLanes,
} from '../../../support/webhooks/webhooks.ts';
import { answer, cleanUp, startAgent, startClosedAgent } from '../../../platform/outgoing/support/servers.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';

const PUBLIC = '93.184.216.34';
const EVENTS = ['item.processed'];

/** The DNS records of these tests. */
const ZONE: Record<string, string[]> = {
  'hooks.example.com': [PUBLIC],
  'both.example.com': [PUBLIC, '2606:2800:21f::1'],
  'mixed.example.com': [PUBLIC, '10.0.0.1'],
  'six-inside.example.com': [PUBLIC, 'fd00::1'],
  'loop.example.com': ['127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'mapped.example.com': ['::ffff:93.184.216.34'],
  'tunnel.example.com': ['2002:7f00:1::'],
};

const resolve = (name: string): Promise<string[]> => {
  const found = ZONE[name];
  return found
    ? Promise.resolve(found)
    : Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
};

const ofLength = (length: number): string => 'https://hooks.example.com/'.padEnd(length, 'a');

const TAKEN: [rule: string, url: string][] = [
  ['https', 'https://hooks.example.com/attune'],
  ['a scheme in capitals', 'HTTPS://hooks.example.com/'],
  // proves: webhooks/1
  ['2,048 characters', ofLength(2048)],
  // proves: webhooks/1
  ['an internationalised name in its xn-- form', 'https://xn--e1afmkfd.xn--p1ai/'],
  // proves: webhooks/1
  ['another port', 'https://hooks.example.com:8443/'],
  ['the lowest port', 'https://hooks.example.com:1/'],
  ['the highest port', 'https://hooks.example.com:65535/'],
  // proves: webhooks/1
  ['a query', 'https://hooks.example.com/?a=1&b=%20&c=@'],
  ['a query without a path', 'https://hooks.example.com?a=1'],
  ['an underscore in the path', 'https://hooks.example.com/a_b'],
  ['a public IPv4 address', 'https://93.184.216.34/'],
  ['a public IPv6 address', 'https://[2606:2800:21f::1]/'],
  ['a name with public addresses of both kinds', 'https://both.example.com/'],
  // proves: decisions-webhooks/unresolvable
  ['a name that does not resolve yet', 'https://later.example.com/'],
];

const REFUSED: [rule: string, url: string, code: string][] = [
  // proves: webhooks/1
  ['http', 'http://hooks.example.com/', 'invalid_url'],
  ['another scheme', 'ftp://hooks.example.com/', 'invalid_url'],
  ['no scheme', 'hooks.example.com/', 'invalid_url'],
  // proves: webhooks/1
  ['no host', 'https:///attune', 'invalid_url'],
  ['only a port', 'https://:443/', 'invalid_url'],
  // proves: webhooks/1
  ['2,049 characters', ofLength(2049), 'too_long'],
  // proves: webhooks/1
  ['a name that is not in latin form', 'https://пример.рф/', 'invalid_url'],
  ['full-width letters', 'https://ｈooks.example.com/', 'invalid_url'],
  // proves: webhooks/1
  ['user and password', 'https://me:pw@hooks.example.com/', 'invalid_url'],
  ['a user', 'https://me@hooks.example.com/', 'invalid_url'],
  ['an empty user', 'https://@hooks.example.com/', 'invalid_url'],
  // proves: webhooks/1
  ['a fragment', 'https://hooks.example.com/#a', 'invalid_url'],
  ['an empty fragment', 'https://hooks.example.com/#', 'invalid_url'],
  // proves: webhooks/1
  ['an underscore in the name', 'https://my_hooks.example.com/', 'invalid_url'],
  ['a space', 'https://hooks.example.com/a b', 'invalid_url'],
  ['a line end', 'https://hooks.example.com/\r\nX-Core-Event: a', 'invalid_url'],
  ['a backslash', 'https://hooks.example.com\\@127.0.0.1/', 'invalid_url'],
  ['an invalid port', 'https://hooks.example.com:65536/', 'invalid_url'],
  // proves: webhooks/1
  ['localhost', 'https://localhost/', 'forbidden_address'],
  ['localhost with the dot of the root', 'https://LOCALHOST./', 'forbidden_address'],
  ['a name under localhost', 'https://a.localhost/', 'forbidden_address'],
  ['loopback', 'https://127.0.0.1/', 'forbidden_address'],
  ['loopback as one number', 'https://2130706433/', 'forbidden_address'],
  ['loopback in octal', 'https://0177.0.0.1/', 'forbidden_address'],
  ['loopback in hex', 'https://0x7f000001/', 'forbidden_address'],
  ['loopback in short form', 'https://127.1/', 'forbidden_address'],
  ['this network', 'https://0.0.0.0/', 'forbidden_address'],
  ['a private network', 'https://192.168.1.1/', 'forbidden_address'],
  ['the metadata of a cloud', 'https://169.254.169.254/latest/meta-data/', 'forbidden_address'],
  ['loopback in IPv6', 'https://[::1]/', 'forbidden_address'],
  ['IPv4 mapped into IPv6', 'https://[::ffff:127.0.0.1]/', 'forbidden_address'],
  ['IPv4 in NAT64', 'https://[64:ff9b::7f00:1]/', 'forbidden_address'],
  ['a unique local address', 'https://[fd00::1]/', 'forbidden_address'],
  // proves: webhooks/1
  ['the service itself', 'https://attune.test/', 'forbidden_address'],
  ['a name that leads to loopback', 'https://loop.example.com/', 'forbidden_address'],
  ['a name that leads to the metadata of a cloud', 'https://metadata.example.com/', 'forbidden_address'],
  // proves: webhooks/1
  ['a name with a public and a private address', 'https://mixed.example.com/', 'forbidden_address'],
  ['a name whose IPv6 address is private', 'https://six-inside.example.com/', 'forbidden_address'],
  ['a name with a mapped address', 'https://mapped.example.com/', 'forbidden_address'],
  ['a name with a tunnel to loopback', 'https://tunnel.example.com/', 'forbidden_address'],
];

let database: TestDatabase;
let api: TestApi;
let call: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, resolve });
  call = clientOf(api.cabinet, await createTestToken(database.pool));
});
afterEach(async () => {
  await cleanUp();
  await database.pool.query('delete from webhooks');
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

async function projectPath(): Promise<{ id: string; path: string }> {
  const { id } = await createTestProject(database.pool);
  return { id, path: `/projects/${id}/webhooks` };
}

describe('an address that is saved', () => {
  it.each(TAKEN)('is accepted as typed: %s', async (_rule, url) => {
    const { path } = await projectPath();
    const created = await call('POST', path, { url, events: EVENTS });
    expect(created).toMatchObject({ status: 201, body: { url } });
    expect(await call('PATCH', `${path}/${created.body.id}`, { url })).toMatchObject({ status: 200, body: { url } });
  });

  // proves: decisions-webhooks/invalid_url, decisions-webhooks/forbidden_address
  it.each(REFUSED)('is refused: %s', async (_rule, url, code) => {
    const { path } = await projectPath();
    const refusal = { status: 422, body: { error: { code: 'validation_failed', details: [{ field: 'url', code }] } } };
    const created = await call('POST', path, { url, events: EVENTS });
    expect(created).toMatchObject(refusal);
    const { id } = (await call('POST', path, { url: 'https://hooks.example.com/', events: EVENTS })).body;
    const changed = await call('PATCH', `${path}/${id}`, { url });
    expect(changed).toMatchObject(refusal);
    expect((await call('GET', path)).body.items).toMatchObject([{ url: 'https://hooks.example.com/' }]);
    // Error texts contain no address, neither the webhook's nor one that it resolves to.
    for (const { body } of [created, changed])
      expect(JSON.stringify(body)).not.toMatch(/10\.0\.0\.1|127\.0|169\.254|fd00|example\.com/);
  });
});

describe('an address that is contacted', () => {
  // proves: webhooks/1, webhook-retries/forbidden_address, decisions-journal/internal
  it('is refused by the same rules, however it got into the table, with one code and one phrase for all', async () => {
    const own = { addresses: [], ports: [], hosts: ['attune.test'] };
    const reachable = REFUSED.filter(([, url]) => url.length <= 2048); // the column holds no more
    const lanes = startTestLanes(database, { agent: startClosedAgent({ resolve, own }) });
    try {
      const outcomes = await Promise.all(
        reachable.map(async ([rule, url]) => {
          const { id } = await projectPath();
          const webhook = await addWebhook(database.pool, id, url);
          await recordEvent(database.pool, id, 'item-1');
          const [row] = await deliveriesUntil(database.pool, webhook, ([each]) => each?.attempt === 1);
          return [rule, row?.error_code, row?.error, row?.response_status];
        }),
      );
      expect(outcomes).toEqual(reachable.map(([rule]) => [rule, 'forbidden_address', 'адрес запрещён', null]));
    } finally {
      await lanes.close();
    }
  });

  // proves: webhooks/1, decisions-journal/internal
  it('gets no connection if it was public when saved and is internal now, and the journal does not reveal it', async () => {
    const receiver = await startReceiver();
    const port = new URL(receiver.url).port;
    const { id, path } = await projectPath();
    const created = await call('POST', path, { url: `https://hooks.example.com:${port}/hook`, events: EVENTS });
    expect(created.status).toBe(201);
    const webhook = { projectId: id, webhookId: String(created.body.id), secret: '' };
    const lanes = startTestLanes(database, {
      secretKey: api.config.secretKey,
      agent: startClosedAgent({ resolve: answer('127.0.0.1') }),
    });
    try {
      await recordEvent(database.pool, id, 'item-1');
      await deliveriesUntil(database.pool, webhook, ([row]) => row?.attempt === 1);
      const {
        items: [entry],
      } = (await call('GET', `${path}/${webhook.webhookId}/deliveries`)).body;
      expect(entry).toMatchObject({
        status: 'pending',
        error_code: 'forbidden_address',
        error: 'адрес запрещён',
        response_status: null,
      });
      const { body } = await call('GET', `${path}/${webhook.webhookId}/deliveries/${entry.delivery_id}`);
      expect(body.attempts).toMatchObject([
        { error_code: 'forbidden_address', error: 'адрес запрещён', response_status: null },
      ]);
      expect(JSON.stringify(body)).not.toContain('127.0.0.1');
      expect(receiver.requests).toEqual([]);
    } finally {
      await lanes.close();
    }
  });

  it('is judged anew each time the test button is pressed, since its name may resolve to another address', async () => {
    const receiver = await startReceiver((response) => void response.setHeader('connection', 'close').end());
    const { id, path } = await projectPath();
    const created = await call('POST', path, {
      url: `https://hooks.example.com:${new URL(receiver.url).port}/hook`,
      events: EVENTS,
    });
    await database.pool.query('update webhooks set url = $2 where id = $1', [
      created.body.id,
      `https://receiver.test:${new URL(receiver.url).port}/hook`,
    ]);
    const agent = startAgent({ resolve: answer('127.0.0.1', '10.0.0.1', ['127.0.0.1', '10.0.0.1'], '127.0.0.1') });
    const lanes = startTestLanes(database, { secretKey: api.config.secretKey, agent });
    try {
      const codes: unknown[] = [];
      for (let test = 0; test < 4; test++)
        codes.push((await call('POST', `${path}/${created.body.id}/test`)).body.code);
      expect(codes).toEqual([null, 'forbidden_address', 'forbidden_address', null]);
      expect(receiver.requests).toHaveLength(2);
      const rows = await readDeliveries(database.pool, { projectId: id, webhookId: created.body.id, secret: '' });
      expect(allSettled(rows)).toBe(true);
    } finally {
      await lanes.close();
    }
  });
});
