/** PostgreSQL, the relay and the data worker are killed under a load of events, orders and profiles: nothing accepted is lost or doubled. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createPool } from '../../db/pool.ts';
import { liftLimits } from '../support/whole/client.ts';
import { startStack, type WholeStack } from '../support/whole/stack.ts';
import { until } from '../support/whole/until.ts';

const START_MS = 120_000;
const ITEMS = 20;
const PEOPLE = 50;
const EVENTS = 40;
const ORDERS = 10;
const LINES = 3;

describe('an intake whose servers are killed', () => {
  let stack: WholeStack;
  let pool: pg.Pool;
  /** Statuses other than 2xx, with their Retry-After. */
  const refused: { status: number; retryAfter: string | null }[] = [];
  let acceptedEvents = 0;
  let acceptedOrders = 0;

  beforeAll(async () => {
    stack = await startStack();
    await liftLimits(stack);
    pool = createPool({ databaseUrl: stack.dev.database_url, size: 2, applicationName: 'attune-test' });
    const operations = Array.from({ length: ITEMS }, (_, n) => ({ op: 'put', id: `item-${n}`, data: { type: 'text', title: `Объект ${n}` } }));
    expect((await post('/items/batch', { operations })).status).toBe(200);
  }, START_MS);

  afterAll(async () => {
    await pool?.end();
    await stack?.stop();
  }, START_MS);

  function post(path: string, body: object): Promise<Response> {
    return fetch(stack.dev.content_url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.dev.project.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
  }

  /** Sends the same body again until it is taken, as the API's document tells integrators to. */
  async function deliver(path: string, body: object): Promise<Record<string, unknown>> {
    for (;;) {
      const response = await post(path, body);
      const answer = (await response.json()) as Record<string, unknown>;
      if (response.ok) return answer;
      refused.push({ status: response.status, retryAfter: response.headers.get('retry-after') });
      await delay(100);
    }
  }

  const person = (): object => ({ user_id: `user-${Math.floor(Math.random() * PEOPLE)}` });
  const item = (): string => `item-${Math.floor(Math.random() * ITEMS)}`;

  async function sendEvents(): Promise<void> {
    const events = Array.from({ length: EVENTS }, () => ({ id: randomUUID(), type: 'open', item: item(), user: person() }));
    const answer = await deliver('/events', { events });
    // A try whose answer was lost may have been stored: then its repeat is a duplicate.
    expect(Number(answer['accepted']) + Number(answer['duplicates'])).toBe(EVENTS);
    acceptedEvents += EVENTS;
  }

  async function sendOrders(): Promise<void> {
    const lines = () => Array.from({ length: LINES }, (_, n) => ({ item: `item-${n}`, quantity: 1, price: 10 }));
    const orders = Array.from({ length: ORDERS }, () => ({ order_id: randomUUID(), user: person(), items: lines() }));
    const { results } = (await deliver('/orders/batch', { orders })) as { results: { ok: boolean; accepted: number }[] };
    expect(results.map(({ ok, accepted }) => ({ ok, accepted }))).toEqual(orders.map(() => ({ ok: true, accepted: LINES })));
    acceptedOrders += ORDERS;
  }

  async function sendProfile(): Promise<void> {
    await deliver('/users/profile', { user: person(), interests: [randomUUID()] });
  }

  async function kill(name: string): Promise<void> {
    const pid = (await stack.pids())[name] ?? 0;
    const restarts = (): number => stack.output().split(`${name} works again`).length;
    const before = restarts();
    process.kill(pid, 'SIGKILL');
    await until(`${name} after its kill`, async () => restarts(), (now) => now > before);
  }

  it('answers 2xx, or 503 with Retry-After, and goes on', async () => {
    const over = new AbortController();
    const repeat = async (send: () => Promise<void>): Promise<void> => {
      while (!over.signal.aborted) await send();
    };
    const load = Promise.all([repeat(sendEvents), repeat(sendEvents), repeat(sendOrders), repeat(sendProfile)]);
    for (const victim of ['postgres', 'data', 'relay', 'postgres', 'data']) await kill(victim);
    over.abort();
    await load;
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, retryAfter } of refused) {
      expect(status).toBe(503);
      expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    }
  }, 180_000);

  it('has every event and every line of every order once', async () => {
    await until('the orders', async () => (await pool.query('select from jobs')).rowCount, (left) => left === 0, 150_000);
    const { rows } = await pool.query<{ facts: number; lines: number; orders: number }>(
      `select count(*) filter (where order_id is null)::int as facts, count(order_id)::int as lines,
              count(distinct order_id)::int as orders from events where project_id = $1`,
      [stack.dev.project.id],
    );
    expect(rows[0]).toEqual({ facts: acceptedEvents, lines: acceptedOrders * LINES, orders: acceptedOrders });
  }, 180_000);
});
