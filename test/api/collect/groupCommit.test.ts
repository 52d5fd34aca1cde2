/**
 * Group commit from the inside: which requests share a commit, which are refused, and which request a fault belongs
 * to.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { createCollectWriter, type CollectWriter } from '../../../api/collect/groupCommit.ts';
import type { CollectedRequest } from '../../../db/collect/storeCollected.ts';
import type { CollectedEvent } from '../../../domain/collect/collected.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { collectedKey } from '../../../domain/collect/collectedKey.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { untilWaiting } from '../../support/lockWaits.ts';

let database: TestDatabase;
let registry: Registry;
let writer: CollectWriter;
let holder: pg.PoolClient | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  registry = new Registry();
  writer = createCollectWriter({ pool: database.pool, registry, rememberHours: 24 });
});
afterEach(async () => {
  await release();
  await database.pool.query('truncate collect_inbox, collected_events, site_visitors');
});
afterAll(async () => {
  await database?.drop();
});

function collectedEvent(visitorId: string, id: string): CollectedEvent {
  return {
    key: collectedKey(visitorId, id),
    at: 0,
    type: 'pageview',
    url: 'https://a.test/',
    referrer: null,
    title: 'ж"\\\n,{}',
    name: null,
    target: null,
    depth: null,
    x: null,
    y: null,
    selector: null,
    params: null,
    order: null,
    user: null,
  };
}

function request(change: Partial<CollectedRequest> = {}): CollectedRequest {
  const visitorId = change.visitorId ?? randomUUID();
  return {
    siteId: 'aaaaaaaaaaaa',
    visitorId,
    receivedAt: new Date(),
    ip: '203.0.113.1',
    userAgent: 'A "quoted"\tagent\\',
    device: null,
    events: [collectedEvent(visitorId, '1')],
    ...change,
  };
}

/** Blocks every transaction until {@link release}. */
async function hold(): Promise<void> {
  holder = await database.pool.connect();
  await holder.query('begin; lock table collected_events in exclusive mode');
}

async function release(): Promise<void> {
  await holder?.query('rollback');
  holder?.release();
  holder = undefined;
}

async function metric(name: string): Promise<number> {
  const found = (await registry.getMetricsAsJSON()).find((each) => each.name === name);
  const values = (found?.values ?? []) as { value: number; metricName?: string }[];
  return values.find(({ metricName }) => metricName === undefined || metricName === `${name}_count`)?.value ?? 0;
}

const inbox = async (): Promise<string[]> =>
  (await database.pool.query<{ visitor_id: string }>('select visitor_id from collect_inbox order by id')).rows.map(
    (row) => row.visitor_id,
  );

describe('requests', () => {
  it('are stored together, in their order, by the next transaction if they arrive while one runs', async () => {
    await hold();
    const first = writer.write(request(), 1);
    await untilWaiting(database.pool, 1);
    const requests = Array.from({ length: 100 }, () => request());
    const later = requests.map((each) => writer.write(each, 1));
    expect(await metric('attune_collect_waiting')).toBe(101);
    await release();
    for (const repeats of await Promise.all([first, ...later])) expect(repeats.size).toBe(0);
    expect(await metric('attune_collect_group_requests')).toBe(2);
    expect((await inbox()).slice(1)).toEqual(requests.map(({ visitorId }) => visitorId));
    expect(await metric('attune_collect_waiting')).toBe(0);
  });

  it('may contain the same event while they wait: the first of them stores it', async () => {
    await hold();
    const blocked = writer.write(request(), 1);
    await untilWaiting(database.pool, 1);
    const visitorId = randomUUID();
    const events = ['1', '2', '1'].map((id) => collectedEvent(visitorId, id));
    const later = [
      writer.write(request({ visitorId, events }), 1),
      writer.write(request({ visitorId, events: events.slice(0, 2).toReversed() }), 1),
    ];
    await release();
    await blocked;
    expect((await Promise.all(later)).map((repeats) => [...repeats])).toEqual([[2], [0, 1]]);
    const { rows } = await database.pool.query('select batch from collect_inbox where visitor_id = $1', [visitorId]);
    expect(rows.map(({ batch }) => batch.events.length)).toEqual([2]);
  });

  it('are stored unchanged', async () => {
    const sent = request();
    await writer.write(sent, 1);
    const { rows } = await database.pool.query('select batch, user_agent, ip, received_at from collect_inbox');
    expect(rows).toEqual([
      {
        batch: { device: null, events: sent.events },
        user_agent: sent.userAgent,
        ip: sent.ip,
        received_at: sent.receivedAt,
      },
    ]);
  });
});

describe('a request that PostgreSQL refuses', () => {
  // proves: collect/visitor
  it('fails alone: the others are stored, and it leaves no visitor and nothing that makes a later one a duplicate', async () => {
    const bad = randomUUID();
    await database.pool.query(`create function refuse() returns trigger language plpgsql as $$ begin
      if new.visitor_id = '${bad}' then raise exception 'refused' using errcode = '22000'; end if; return new; end $$;
      create trigger refuse before insert on collect_inbox for each row execute function refuse()`);
    await hold();
    const blocked = writer.write(request(), 1);
    await untilWaiting(database.pool, 1);
    const requests = Array.from({ length: 21 }, (_request, index) => request(index === 13 ? { visitorId: bad } : {}));
    const later = Promise.allSettled(requests.map((each) => writer.write(each, 1)));
    await release();
    await blocked;
    const outcomes = await later;
    expect(outcomes.map(({ status }) => status)).toEqual(
      requests.map(({ visitorId }) => (visitorId === bad ? 'rejected' : 'fulfilled')),
    );
    expect((await inbox()).slice(1)).toEqual(requests.map(({ visitorId }) => visitorId).filter((id) => id !== bad));
    expect((await database.pool.query('select from site_visitors where visitor_id = $1', [bad])).rowCount).toBe(0);
    await database.pool.query('drop trigger refuse on collect_inbox; drop function refuse()');
    expect((await writer.write(requests[13] ?? request(), 1)).size).toBe(0);
  });
});

describe('a group that loses against another transaction', () => {
  it('is stored again in halves', async () => {
    await database.pool
      .query(`create sequence statements; create function lose() returns trigger language plpgsql as $$ begin
      if nextval('statements') = 2 then raise exception 'lost' using errcode = '40P01'; end if; return null; end $$;
      create trigger lose before insert on collect_inbox for each statement execute function lose()`);
    await hold();
    const blocked = writer.write(request(), 1);
    await untilWaiting(database.pool, 1);
    const requests = Array.from({ length: 21 }, () => request());
    const later = requests.map((each) => writer.write(each, 1));
    await release();
    for (const repeats of await Promise.all([blocked, ...later])) expect(repeats.size).toBe(0);
    expect((await inbox()).slice(1)).toEqual(requests.map(({ visitorId }) => visitorId));
    await database.pool.query('drop trigger lose on collect_inbox; drop function lose(); drop sequence statements');
  });
});

/** Returns a request with a new site and address. */
const strange = (): CollectedRequest => request({ siteId: newTenantId(), ip: newIp() });
let addresses = 0;
const newIp = (): string => `10.0.${(addresses >> 8) & 255}.${addresses++ & 255}`;
const refused = { status: 503, retryAfter: expect.any(Number) };

/** Writes until one is refused, and returns the accepted writes. */
async function fill(narrow: CollectWriter, next: () => CollectedRequest): Promise<Promise<unknown>[]> {
  for (const taken: Promise<unknown>[] = []; ;) {
    const write = narrow.write(next(), 1);
    const isRefused = await Promise.race([write.catch((error: { status?: number }) => error.status === 503), soon()]);
    if (isRefused === true) return taken;
    taken.push(write);
  }
}
const soon = (): Promise<false> => new Promise((resolve) => setImmediate(resolve, false));
const narrowWriter = (requests: number, bytes = 1_000_000): CollectWriter =>
  createCollectWriter({
    pool: database.pool,
    registry: new Registry(),
    rememberHours: 24,
    limits: { requests, bytes },
  });

describe('waiting requests are limited', () => {
  it.each([
    ['number', { requests: 4, bytes: 1_000 }, 1],
    ['size', { requests: 100, bytes: 399 }, 99],
  ])('in %s: more of them get 503, and afterwards everything works again', async (_what, limits, bytes) => {
    const narrow = narrowWriter(limits.requests, limits.bytes);
    await hold();
    const taken = [1, 2, 3].map(() => narrow.write(strange(), bytes));
    await expect(narrow.write(strange(), bytes)).rejects.toMatchObject(refused);
    await release();
    await Promise.all(taken);
    expect((await narrow.write(strange(), bytes)).size).toBe(0);
    expect(await inbox()).toHaveLength(4);
  });

  // proves: collect/floods
  it('per site: a flood of one site leaves room for others', async () => {
    const narrow = narrowWriter(100);
    await hold();
    const flood = await fill(narrow, () => request({ ip: newIp() }));
    expect(flood).toHaveLength(50);
    const others = Array.from({ length: 10 }, () => narrow.write(strange(), 1));
    await expect(narrow.write(request({ ip: newIp() }), 1)).rejects.toMatchObject(refused);
    await release();
    await Promise.all([...flood, ...others]);
    expect(await inbox()).toHaveLength(60);
  });

  // proves: collect/floods
  it('per address: a flood from one address leaves room for other visitors of the site, and for that address at other sites', async () => {
    const narrow = narrowWriter(99);
    await hold();
    const flood = await fill(narrow, () => request());
    expect(flood).toHaveLength(33);
    const others = [narrow.write(request({ ip: newIp() }), 1), narrow.write(request({ siteId: newTenantId() }), 1)];
    await release();
    await Promise.all([...flood, ...others]);
  });

  it('but never starve: the few of one site are stored with the next group, however many of another site wait', async () => {
    await hold();
    const blocked = writer.write(request(), 1);
    await untilWaiting(database.pool, 1);
    const flood = Array.from({ length: 600 }, () => writer.write(request(), 1));
    const other = newTenantId();
    const late = writer.write(request({ siteId: other }), 1);
    await release();
    await Promise.all([blocked, late, ...flood]);
    const { rows } = await database.pool.query<{ siteId: string }>(
      'select site_id as "siteId" from collect_inbox order by id',
    );
    expect(rows.findIndex(({ siteId }) => siteId === other)).toBeLessThanOrEqual(2);
  });
});

describe('while PostgreSQL is unavailable', () => {
  it('waiting requests share the answer of the first, and later ones ask again', async () => {
    let connections = 0;
    let isUnavailable = true;
    let goOn: () => void = () => {};
    const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const pool = {
      async connect() {
        connections += 1;
        if (!isUnavailable) return database.pool.connect();
        await new Promise<void>((resolve) => (goOn = resolve));
        throw lost;
      },
    } as unknown as pg.Pool;
    const away = createCollectWriter({ pool, registry: new Registry(), rememberHours: 24 });
    const first = away.write(request(), 1).catch((error: unknown) => error);
    await eventually(() => connections === 1, 'the first attempt');
    const waiting = Array.from({ length: 600 }, () => away.write(request(), 1).catch((error: unknown) => error));
    goOn();
    expect(await first).toBe(lost);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([lost]));
    expect(connections).toBe(1);
    isUnavailable = false;
    expect((await away.write(request(), 1)) instanceof Set).toBe(true);
    expect(await inbox()).toHaveLength(1);
  });
});
