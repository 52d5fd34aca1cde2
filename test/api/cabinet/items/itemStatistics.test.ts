import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expandRequest } from '../../../../db/orders/expandOrders.ts';
import { moveHistoryChunk } from '../../../../db/people/moveHistory.ts';
import { purgeChunk } from '../../../../db/people/purge.ts';
import { createLogger } from '../../../../platform/process/logger.ts';
import { countChanges } from '../../../../loops/relay/popularityCounter.ts';
import { removeExpired } from '../../../../loops/relay/removeExpired.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { addItems } from '../../../support/people/events.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let project: TestProject;
let call: Client;
let cabinet: Client;
let ids = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  cabinet = clientOf(api.cabinet, await createTestToken(database.pool));
});
beforeEach(async () => {
  project = await createTestProject(database.pool);
  call = clientOf(api.content, project.key);
  await addItems(database.pool, project.id, ['a', 'b', 'статья/7']);
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const DAY_MS = 86_400_000;
const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const logger = createLogger('relay', 'silent');
const count = async (): Promise<void> => {
  while ((await countChanges({ pool: database.pool, logger })) > 0);
};

interface Sent {
  id?: string;
  who?: string;
  type?: string;
  item?: string;
  value?: number;
  daysAgo?: number;
  [field: string]: unknown;
}

/** Names such as `u-…` are users; all others are devices. */
const eventOf = ({ who = 'u-1', daysAgo = 0, type = 'open', item = 'a', id = `e-${++ids}`, ...rest }: Sent) => ({
  id,
  type,
  item,
  user: who.startsWith('u-') ? { user_id: who } : { anonymous_id: who },
  // The first second of a past day; for today, now.
  occurred_at: daysAgo === 0 ? new Date().toISOString() : `${dayAgo(daysAgo)}T00:00:00Z`,
  ...rest,
});
const send = async (...events: Sent[]): Promise<Answer> => {
  const answer = await call('POST', '/events', { events: events.map(eventOf) });
  expect([answer.status, answer.body.rejected]).toEqual([202, []]);
  return answer;
};
const ask = (item = 'a', query = ''): Promise<Answer> =>
  cabinet('GET', `/projects/${project.id}/items/${encodeURIComponent(item)}/statistics${query}`);

type Told = Record<string, unknown>;

/** Reads the days with any activity, by how many days ago they were: `impressions N` and `TYPE EVENTS/PEOPLE`. */
async function days(item = 'a', query = ''): Promise<Record<number, string[]>> {
  await count();
  const { status, body } = await ask(item, query);
  expect(status).toBe(200);
  const told = (body.days as Told[])
    .toReversed()
    .map(({ impressions, types }) => [
      ...(impressions === 0 ? [] : [`impressions ${String(impressions)}`]),
      ...(types as Told[]).map(({ type, events, people }) => `${String(type)} ${String(events)}/${String(people)}`),
    ]);
  return Object.fromEntries([...told.entries()].filter(([, of]) => of.length > 0));
}

describe('the statistics of an item', () => {
  it('count what people did by day and type, with impressions, averages and revenue', async () => {
    await send(
      { type: 'impression' },
      { type: 'impression', daysAgo: 1 },
      { type: 'impression', daysAgo: 1, surface: 'feed' },
      {},
      {},
      { who: 'u-2' },
      { who: 'u-2', daysAgo: 3 },
      { type: 'view', value: 40 },
      { who: 'u-2', type: 'view', value: 95 },
      { type: 'dislike' },
      { type: 'purchase', value: 30, price: 15, quantity: 2 },
      { item: 'статья/7' },
    );
    expect(await days()).toEqual({
      0: ['impressions 1', 'dislike 1/1', 'open 3/2', 'purchase 1/1', 'view 2/2'],
      1: ['impressions 2'],
      3: ['open 1/1'],
    });
    const { body } = await ask();
    expect([body.from, body.to, body.days.length]).toEqual([dayAgo(27), dayAgo(0), 28]);
    expect(body.days.map(({ day }: { day: string }) => day)).toEqual(
      Array.from({ length: 28 }, (_, at) => dayAgo(27 - at)),
    );
    expect(body.totals).toMatchObject({ impressions: 3, people: 2 });
    expect(body.totals.types).toEqual([
      expect.objectContaining({ type: 'open', is_open: true, events: 4, people: 2, value_average: null, revenue: 0 }),
      expect.objectContaining({ type: 'view', value_kind: 'percent', events: 2, people: 2, value_average: 67.5 }),
      expect.objectContaining({ type: 'dislike', events: 1, people: 1 }),
      expect.objectContaining({ type: 'purchase', is_purchase: true, events: 1, revenue: 30 }),
    ]);
    expect(await days('статья/7')).toEqual({ 0: ['open 1/1'] });
    expect(await days('b')).toEqual({});
  });

  it('accept values of any size, which do not hold up the counts of other items', async () => {
    const most = 1.7e308;
    await send(
      { type: 'purchase', value: most, price: most, quantity: most },
      { type: 'purchase', value: most, price: most },
      { type: 'purchase', value: -most, price: 5e-324, quantity: 0.1 },
      { type: 'view', value: 40, item: 'b' },
    );
    expect(await days()).toEqual({ 0: ['purchase 3/1'] });
    expect(await days('b')).toEqual({ 0: ['view 1/1'] });
    const [purchase] = (await ask()).body.totals.types;
    expect(purchase.revenue).toBeGreaterThan(1e100);
  });

  it('count late events on their own day, and never count repeats', async () => {
    await send({ id: 'first' }, { id: 'shown', type: 'impression' }, { id: 'liked', type: 'like' });
    const before = await days();
    await send({ id: 'first' }, { id: 'shown', type: 'impression' }, { id: 'liked', type: 'like' });
    expect(await days()).toEqual(before);
    await send({ daysAgo: 20 }, { daysAgo: 500 }, { type: 'impression', daysAgo: 20 });
    expect(await days()).toEqual({ ...before, 20: ['impressions 1', 'open 1/1'] });
    expect(await days('a', `?from=${dayAgo(520)}&to=${dayAgo(500)}`)).toEqual({ 0: ['open 1/1'] });
  });

  it('follow a state that changes its day, and one that is withdrawn', async () => {
    await send({ type: 'like', daysAgo: 5 }, { type: 'view', value: 30, daysAgo: 5 });
    expect(await days()).toEqual({ 5: ['like 1/1', 'view 1/1'] });
    await send({ type: 'like', value: 0, daysAgo: 2 }, { type: 'view', value: 60, daysAgo: 1 });
    expect(await days()).toEqual({ 1: ['view 1/1'] });
    expect((await ask()).body.totals).toMatchObject({ people: 1, types: [{ type: 'view', value_average: 60 }] });
  });

  it('follow an order that is changed and cancelled', async () => {
    const order = { order_id: 'o-1', user: { user_id: 'u-1' } };
    const line = (item: string, price: number) => ({ item, price, quantity: 2 });
    const expand = async (): Promise<void> => {
      const { rows } = await database.pool.query<{ id: string }>(
        'select id from order_requests where project_id = $1',
        [project.id],
      );
      for (const { id } of rows) await expandRequest(database.pool, project.id, id, 100);
      await count();
    };
    await call('POST', '/orders', { ...order, items: [line('a', 10), line('b', 5)] });
    await expand();
    expect((await ask()).body.totals.types).toMatchObject([{ type: 'purchase', events: 1, revenue: 20 }]);
    await call('POST', '/orders', { ...order, items: [line('b', 5)] });
    await expand();
    expect([await days(), await days('b')]).toEqual([{}, { 0: ['purchase 1/1'] }]);
  });

  it('are exact while many write and others count', async () => {
    const people = Array.from({ length: 12 }, (_, at) => `u-${at}`);
    const writing = people.map(async (who, at) => {
      for (let round = 0; round < 8; round += 1)
        await send(
          { who, daysAgo: round % 3 },
          { who, type: 'like', value: (at + round) % 2, daysAgo: 3 - (round % 3) },
          { who, type: 'impression' },
        );
    });
    let isOver = false;
    const counting = Array.from({ length: 2 }, async () => {
      while (!isOver) await countChanges({ pool: database.pool, logger });
    });
    await Promise.all(writing);
    isOver = true;
    await Promise.all(counting);
    await count();
    const { rows } = await database.pool.query<{ day: string; type: string; events: number; people: number }>(
      `select (occurred_at at time zone 'UTC')::date::text as day, type, count(*)::int as events, count(distinct identity_id)::int as people
         from (select type, occurred_at, identity_id from events where project_id = $1
               union all select type, occurred_at, identity_id from event_states where project_id = $1 and value <> 0) e
        group by 1, 2 order by 1, 2`,
      [project.id],
    );
    const { body } = await ask();
    expect(
      (body.days as { day: string; types: Told[] }[]).flatMap(({ day, types }) =>
        types.map(({ type, events, people: of }) => ({ day, type, events, people: of })),
      ),
    ).toEqual(rows);
    expect(rows).toHaveLength(4);
    expect(body.totals).toMatchObject({ impressions: 12 * 8, people: 12 });
  });
});

describe('a person', () => {
  const rootOf = async (externalId: string): Promise<string> => {
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from identities where project_id = $1 and external_id = $2',
      [project.id, externalId],
    );
    return rows[0]?.id ?? '';
  };

  it('is removed from the days when deleted, and then counted in a total without days', async () => {
    await send({}, { type: 'like' }, { daysAgo: 9 }, { who: 'u-2' });
    expect(await days()).toEqual({ 0: ['like 1/1', 'open 2/2'], 9: ['open 1/1'] });
    const rootId = await rootOf('u-1');
    expect((await call('POST', '/users/delete', { user: { user_id: 'u-1' } })).body).toEqual({ deleted: true });
    for (let state = 'more'; state === 'more';)
      ({ state } = await purgeChunk(database.pool, { projectId: project.id, rootId, limit: 1, isLastPass: true }));
    expect(await days()).toEqual({ 0: ['open 1/1'] });
    const { body } = await ask();
    expect(body.totals).toMatchObject({ people: 1, types: [{ type: 'open', events: 1 }] });
    expect(body.of_deleted).toEqual([
      { type: 'like', events: 1 },
      { type: 'open', events: 2 },
    ]);
  });

  // proves: decisions-people/link-readers
  it('counts as one from the link on, even if known as two people before', async () => {
    await send({}, { who: 'd-1' }, { who: 'd-1', type: 'like', daysAgo: 1 }, { type: 'like' });
    expect(await days()).toEqual({ 0: ['like 1/1', 'open 2/2'], 1: ['like 1/1'] });
    await call('POST', '/users/link', { user_id: 'u-1', anonymous_id: 'd-1' });
    expect((await ask()).body.totals.people).toBe(1);
    const deviceId = await rootOf('d-1');
    for (let state = 'more'; state === 'more';)
      ({ state } = await moveHistoryChunk(database.pool, {
        projectId: project.id,
        deviceId,
        limit: 5,
        isLastPass: true,
      }));
    expect(await days()).toEqual({ 0: ['like 1/1', 'open 2/1'] });
    expect((await ask()).body.totals.people).toBe(1);
  });
});

describe('a request', () => {
  it('has to name an item that exists or existed, and an allowed number of days', async () => {
    expect((await ask('nothing')).status).toBe(404);
    expect((await cabinet('GET', '/projects/zzzzzzzzzzzz/items/a/statistics')).status).toBe(404);
    const one = `?from=${dayAgo(0)}&to=${dayAgo(0)}`;
    expect((await ask('a', one)).body.days).toEqual([{ day: dayAgo(0), impressions: 0, types: [] }]);
    expect((await ask('a', `?from=${dayAgo(91)}`)).body.days).toHaveLength(92);
    for (const query of [
      `?from=${dayAgo(92)}`,
      '?from=2026-02-30',
      '?to=yesterday',
      `?from=${dayAgo(0)}&to=${dayAgo(1)}`,
    ])
      expect((await ask('a', query)).status).toBe(400);
  });

  it('gets no number of people when there are too many events to count them', async () => {
    await send({}, { type: 'like', daysAgo: 60 });
    await count();
    expect((await ask()).body.totals.people).toBe(1);
    await database.pool.query(`update item_statistics set events = 20001 where project_id = $1 and of_states`, [
      project.id,
    ]);
    expect((await ask()).body.totals).toMatchObject({ people: null, types: [{ type: 'open', people: null }] });
  });

  it('can reach as far back as events may: only older counts are removed', async () => {
    await database.pool.query(
      `insert into item_statistics select $1, 'a', false, $2::integer - ago, 'open', 1, 1, 0, 0, 0 from unnest(array[731, 732]) as d (ago)`,
      [project.id, Math.floor(Date.now() / DAY_MS)],
    );
    const blobs = { removeFolder: () => Promise.resolve() };
    await removeExpired({ pool: database.pool, blobs, rememberCollectedHours: 25, auditDays: 30, logger });
    const { rows } = await database.pool.query<{ ago: number }>(
      'select $2::integer - day as ago from item_statistics where project_id = $1',
      [project.id, Math.floor(Date.now() / DAY_MS)],
    );
    expect(rows).toEqual([{ ago: 731 }]);
  });
});
