/** The API's answers during an outage of PostgreSQL, and its recovery without a restart. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, PATIENT_POOL, type TestDatabase } from '../support/database.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
} from './support/testApi.ts';

/** A path to PostgreSQL that can be blocked: connections are refused, cut, or left hanging. */
class Road {
  mode: 'open' | 'refuse' | 'hang' = 'open';
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(target: URL) {
    this.#server = createServer((socket) => {
      this.#keep(socket);
      if (this.mode === 'refuse') socket.destroy();
      if (this.mode !== 'open') return;
      const onward = connect(Number(target.port), target.hostname);
      this.#keep(onward);
      socket.pipe(onward).pipe(socket);
      socket.on('close', () => onward.destroy());
      onward.on('close', () => socket.destroy());
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => {});
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}

let database: TestDatabase;
let road: Road;
let api: TestApi;
let call: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  road = new Road(new URL(database.url));
  url.host = `127.0.0.1:${await road.listen()}`;
  const project = await createTestProject(database.pool);
  api = await startTestApi({ databaseUrl: url.href });
  call = clientOf(api.content, project.key);
});

afterAll(async () => {
  await api?.close();
  road?.close();
  await database?.drop();
});

describe('an unexpected error', () => {
  it('gets 500 without details, and is logged with the id of the request', async () => {
    await database.pool.query('alter table item_summaries rename to item_summaries_away');
    const answer = await call('GET', '/items/any', undefined, { headers: { 'x-request-id': 'broken-1' } });
    await database.pool.query('alter table item_summaries_away rename to item_summaries');
    expect(answer).toMatchObject({ status: 500, body: { error: { code: 'internal' } } });
    expect(Object.keys(answer.body.error)).toEqual(['code', 'message']);
    expect(JSON.stringify(answer.body)).not.toMatch(/item_summaries|relation/);
    const logged = api.log.find((line) => line['level'] === 'error');
    expect(logged).toMatchObject({ requestId: 'broken-1', err: { code: '42P01' } });
    expect((await call('GET', '/items/any')).status).toBe(404);
  });
});

describe('the API without PostgreSQL', () => {
  // proves: endpoints/health
  it('answers 503 with Retry-After, reports that its health is degraded, and recovers', async () => {
    expect((await call('PUT', '/items/down', { type: 'text' })).status).toBe(201);

    road.mode = 'refuse';
    road.cut();
    const known = await call('GET', '/items/down');
    expect(known).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(Number(known.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(JSON.stringify(known.body)).not.toMatch(/ECONN|postgres|127\.0/i);
    const other = await createTestProject(database.pool);
    expect((await clientOf(api.content, other.key)('PUT', '/items/x', { type: 'text' })).status).toBe(503);
    expect(await call('GET', '/health')).toMatchObject({ status: 200, body: { status: 'degraded' } });

    road.mode = 'open';
    expect((await call('GET', '/items/down')).status).toBe(200);
    expect((await clientOf(api.content, other.key)('PUT', '/items/x', { type: 'text' })).status).toBe(201);
  });

  it('still refuses requests that need no database', async () => {
    road.mode = 'refuse';
    road.cut();
    expect((await call('GET', '/nothing')).status).toBe(404);
    expect((await clientOf(api.content, null)('GET', '/items/a')).status).toBe(401);
    road.mode = 'open';
  });

  it('answers the health check quickly even if the database hangs', async () => {
    road.mode = 'hang';
    road.cut();
    const started = performance.now();
    let status = 'ok';
    // The answer of a moment ago may still be cached.
    while (status === 'ok') status = (await call('GET', '/health')).body.status;
    expect(performance.now() - started).toBeLessThan(PATIENT_POOL.connectTimeoutMs);
    road.mode = 'open';
    road.cut();
  });
});

describe('the API under a load of writes while connections break repeatedly', () => {
  const SENDERS = 6;
  const WRITES = 12;
  const EVENTS = 20;
  const refused: Answer[] = [];
  let answered = 0;

  /**
   * Sends until the request is accepted, as the document tells integrators to. Every refusal has to be a 503 with
   * Retry-After.
   */
  async function deliver(path: string, body: object): Promise<Answer> {
    for (;;) {
      const answer = await call('POST', path, body);
      breakNow(++answered);
      if (answer.status === 202) return answer;
      refused.push(answer);
    }
  }

  /** Every seventh answer breaks the connections in flight; sometimes new connections fail for a while as well. */
  function breakNow(count: number): void {
    if (count % 35 === 14) road.mode = 'refuse';
    if (count % 35 === 21) road.mode = 'open';
    if (count % 7 === 0) road.cut();
  }

  it('answers every write with success or 503 and Retry-After; accepted writes are stored once', async () => {
    for (let item = 0; item < 3; item++)
      expect((await call('PUT', `/items/load-${item}`, { type: 'text' })).status).toBe(201);
    const eventIds: string[] = [];
    const orderIds: string[] = [];
    await Promise.all(
      Array.from({ length: SENDERS }, async (_sender, sender) => {
        for (let write = 0; write < WRITES; write++) {
          const ids = Array.from({ length: EVENTS }, (_event, event) => `e-${sender}-${write}-${event}`);
          const events = ids.map((id, event) => ({
            id,
            type: 'share',
            item: `load-${event % 3}`,
            user: { user_id: `user-${id}` },
          }));
          const taken = await deliver('/events', { events });
          expect(taken.body.rejected).toEqual([]);
          expect(taken.body.accepted + taken.body.duplicates).toBe(EVENTS);
          const orderId = `o-${sender}-${write}`;
          expect(
            (
              await deliver('/orders', {
                order_id: orderId,
                user: { user_id: `buyer-${sender}` },
                items: [{ item: 'load-0' }],
              })
            ).body.accepted,
          ).toBe(1);
          eventIds.push(...ids);
          orderIds.push(orderId);
        }
      }),
    );
    road.mode = 'open';

    expect(refused.length).toBeGreaterThan(0);
    for (const { status, body, headers } of refused) {
      expect([status, body.error.code]).toEqual([503, 'unavailable']);
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    const stored = async (text: string): Promise<string[]> =>
      (await database.pool.query<{ id: string }>(text)).rows.map(({ id }) => id);
    expect(await stored(`select id from events where type = 'share' order by id`)).toEqual(eventIds.toSorted());
    expect(await stored('select order_id as id from orders order by order_id')).toEqual(orderIds.toSorted());
  });
});
