import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteOldRecentStates } from '../../../../db/events/latest.ts';
import { deleteOldRejections } from '../../../../db/events/rejections.ts';
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
let count = 0;

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

const event = (change: object = {}): Record<string, unknown> => ({
  id: `e-${++count}`,
  type: 'open',
  item: 'a',
  user: { user_id: 'u' },
  ...change,
});
const send = async (...events: unknown[]): Promise<void> => {
  expect((await call('POST', '/events', { events })).status).toBe(202);
};
const read = (query: Record<string, string>, of = project.id): Promise<Answer> =>
  cabinet('GET', `/projects/${of}/events?${new URLSearchParams(query).toString()}`);
const told = ({ body }: Answer): string[] =>
  body.items.map(({ type, item }: { type: string; item: string }) => `${type} ${item}`);
const at = (minutesAgo: number): { occurred_at: string } => ({
  occurred_at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
});

describe('GET /projects/{id}/events', () => {
  it("shows what a user did, as it was sent, newest first, with the user's orders", async () => {
    const full = event({
      type: 'purchase',
      value: 300,
      recommendation_id: 'r-1',
      surface: 'next',
      position: 7,
      order_id: 'o-1',
      quantity: 2,
      price: 150,
      ...at(1),
    });
    await send(full, event({ type: 'view', value: 60, item: 'b', ...at(3) }), event({ ...at(2) }));
    await send(event({ user: { user_id: 'other' } }));
    await call('POST', '/orders', { order_id: 'o-2', user: { user_id: 'u' }, items: [{ item: 'a', price: 5 }] });
    const answer = await read({ user_id: 'u' });
    expect(answer.status).toBe(200);
    expect(told(answer)).toEqual(['purchase a', 'open a', 'view b']);
    expect(answer.body.items[0]).toMatchObject({
      ...full,
      user: { user_id: 'u', anonymous_id: null, fingerprint_uuid: null },
    });
    expect(answer.body.items[2]).toMatchObject({ id: null, value: 60, order_id: null });
    expect(answer.body.orders).toMatchObject([
      { order_id: 'o-2', status: 'created', items: [{ item: 'a', quantity: 1, price: 5 }] },
    ]);
    expect([answer.body.rejected, answer.body.impressions]).toEqual([[], []]);
  });

  it('filters by item, which adds its impressions, and by item and user together', async () => {
    await send(
      event({ item: 'статья/7', ...at(1) }),
      event({ item: 'статья/7', user: { anonymous_id: 'd' }, ...at(2) }),
      event({ ...at(3) }),
      event({ item: 'статья/7', type: 'impression', surface: 'feed', position: 7 }),
      event({ item: 'статья/7', type: 'impression', surface: 'feed', position: 9 }),
      event({ item: 'статья/7', type: 'impression' }),
    );
    const { body } = await read({ item: 'статья/7' });
    expect(body.items.map(({ user }: { user: object }) => user)).toEqual([
      { user_id: 'u', anonymous_id: null, fingerprint_uuid: null },
      { user_id: null, anonymous_id: 'd', fingerprint_uuid: null },
    ]);
    const day = new Date().toISOString().slice(0, 10);
    expect(body.impressions).toEqual([
      { day, surface: null, position: null, count: 1 },
      { day, surface: 'feed', position: 5, count: 2 },
    ]);
    expect(told(await read({ item: 'статья/7', user_id: 'u' }))).toEqual(['open статья/7']);
    expect((await read({ item: 'b' })).body.impressions).toEqual([]);
  });

  it('adds up the smallest of more than a thousand counters of impressions, and loses none', async () => {
    await database.pool.query(
      `insert into impression_counts (project_id, day, item_id, surface, position_bucket, count)
       select $1, (now() at time zone 'UTC')::date - day, 'a', surface, 0, case when day = 30 then 1 else 2 end
         from generate_series(0, 30) as day, unnest(array_cat(array[''], array(select 's-' || n from generate_series(1, 39) n))) as surface`,
      [project.id],
    );
    const { impressions } = (await read({ item: 'a' })).body;
    const byDay = Map.groupBy(impressions as { day: string; count: number }[], ({ day }) => day);
    const sums = [...byDay.values()].map((counters) => counters.reduce((sum, { count }) => sum + count, 0));
    expect(sums).toEqual([...Array.from({ length: 30 }, () => 80), 40]);
    expect(impressions.length).toBeLessThanOrEqual(1_031);
    expect(impressions.at(-1)).toMatchObject({ surface: null, position: null, count: 40 });
  });

  it('pages through events without missing or repeating any, including events of the same moment', async () => {
    const moment = at(5);
    const types = ['open', 'share', 'like', 'cart', 'comment'];
    await send(
      ...types.flatMap((type) => [event({ type, ...moment }), event({ type, item: 'b', ...moment })]),
      event({ ...at(1) }),
    );
    const whole = told(await read({ user_id: 'u' }));
    expect(whole).toHaveLength(11);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Answer = await read({ user_id: 'u', limit: '2', ...(cursor !== '' && { cursor }) });
      seen.push(...told(page));
      cursor = page.body.next_cursor;
    }
    expect(seen).toEqual(whole);
  });

  // proves: decisions-people/link-readers
  it('immediately shows the history of a linked device as that of its user', async () => {
    const user = { anonymous_id: 'd' };
    await send(event({ user, ...at(1) }), event({ user, type: 'like', ...at(2) }));
    await call('POST', '/orders', { order_id: 'o-1', user, items: [{ item: 'a' }] });
    await call('POST', '/users/link', { user_id: 'u', anonymous_id: 'd' });
    for (const query of [{ user_id: 'u' }, { anonymous_id: 'd' }]) {
      const { items, orders } = (await read(query)).body;
      const owner = { user_id: 'u', anonymous_id: null };
      expect(items).toMatchObject([
        { type: 'open', user: owner },
        { type: 'like', user: owner },
      ]);
      expect(orders).toMatchObject([{ order_id: 'o-1' }]);
    }
  });

  it('shows the rejections of the last day, by user or by item, without unreadable parts', async () => {
    await send(
      event({ id: 'r-1', item: 'nothing' }),
      event({ id: 'r-2', type: 'nothing', item: 'b' }),
      event({ id: 'x'.repeat(65), item: 'b', type: 't'.repeat(65) }),
      event({ user: { user_id: 'u\0' } }),
    );
    const user = { user_id: 'u', anonymous_id: null, fingerprint_uuid: null };
    const { body } = await read({ user_id: 'u' });
    expect(body.rejected).toMatchObject([
      { code: 'unknown_type', id: null, type: null, item: 'b', user },
      { code: 'unknown_type', id: 'r-2', type: 'nothing', item: 'b', user },
      { code: 'unknown_item', id: 'r-1', type: 'open', item: 'nothing', user },
    ]);
    expect((await read({ item: 'b' })).body.rejected).toHaveLength(2);
    expect((await read({ item: 'a' })).body.rejected).toMatchObject([
      { code: 'invalid_user', user: { user_id: null, anonymous_id: null, fingerprint_uuid: null } },
    ]);
    await database.pool.query(
      `update event_rejections set received_at = now() - interval '25 hours' where project_id = $1`,
      [project.id],
    );
    expect((await read({ user_id: 'u' })).body.rejected).toEqual([]);
    await deleteOldRejections(database.pool, 100);
    expect((await kept()).length).toBe(0);
  });

  const kept = async (): Promise<unknown[]> =>
    (await database.pool.query('select from event_rejections where project_id = $1', [project.id])).rows;

  it('keeps at most 10,000 rejections per project', async () => {
    await database.pool.query(
      `insert into event_rejections (project_id, code) select $1, 'too_old' from generate_series(1, 9999)`,
      [project.id],
    );
    await send(event({ type: 'nothing' }), event({ type: 'nothing' }));
    await send(event({ type: 'nothing' }));
    expect((await kept()).length).toBe(10_000);
  });

  // proves: decisions-people/delete-unreadable
  it('shows nothing of a deleted user, known or not, whose rejected events are deleted too', async () => {
    const bad = { type: 'nothing' };
    await send(event(), event(bad), event({ ...bad, user: { anonymous_id: 'd' } }));
    await send(event({ ...bad, user: { user_id: 'never-known' } }), event({ ...bad, user: { user_id: 'stays' } }));
    await call('POST', '/users/link', { user_id: 'u', anonymous_id: 'd' });
    expect((await call('POST', '/users/delete', { user: { user_id: 'u' } })).body.deleted).toBe(true);
    expect((await call('POST', '/users/delete', { user: { user_id: 'never-known' } })).body.deleted).toBe(false);
    for (const query of [{ user_id: 'u' }, { anonymous_id: 'd' }, { user_id: 'never-known' }])
      expect((await read(query)).body).toEqual({
        items: [],
        next_cursor: null,
        rejected: [],
        impressions: [],
        orders: [],
      });
    expect(await kept()).toHaveLength(1);
    // The row waits for its purge and belongs to nobody.
    expect(told(await read({ item: 'a' }))).toEqual([]);
  });

  it('keeps projects apart', async () => {
    await send(event(), event({ type: 'nothing' }), event({ type: 'impression' }));
    const other = await createTestProject(database.pool);
    const { body } = await read({ user_id: 'u', item: 'a' }, other.id);
    expect(body).toEqual({ items: [], next_cursor: null, rejected: [], impressions: [], orders: [] });
    expect((await read({ user_id: 'u' }, 'aaaaaaaaaaaa')).status).toBe(404);
  });

  it.each([
    ['a query for neither a user nor an item', {}],
    ['an empty user_id', { user_id: '' }],
    ['a malformed fingerprint', { fingerprint_uuid: 'x' }],
    ['a long item', { item: 'x'.repeat(192) }],
    ['a foreign cursor', { item: 'a', cursor: 'x' }],
    ['a cursor of month 13', { item: 'a', cursor: cursorOf('2026-13-01T00:00:00.000000Z') }],
  ])('refuses %s with 400', async (_what, query) => {
    expect((await read(query)).status).toBe(400);
  });
});

function cursorOf(moment: string): string {
  return Buffer.from(`${moment}/00000000-0000-0000-0000-000000000000`).toString('base64url');
}

describe('GET /projects/{id}/events?type', () => {
  it('shows the events of one type and its rejections', async () => {
    await send(event(), event({ type: 'view', value: 60 }), event({ item: 'b' }), event({ item: 'nothing' }));
    await send(event({ type: 'view', value: 1, item: 'nothing' }));
    const answer = await read({ user_id: 'u', type: 'open' });
    expect(told(answer).toSorted()).toEqual(['open a', 'open b']);
    expect(answer.body.rejected).toMatchObject([{ code: 'unknown_item', type: 'open' }]);
    expect(told(await read({ item: 'a', type: 'view' }))).toEqual(['view a']);
    const first = await read({ user_id: 'u', type: 'open', limit: '1' });
    const second = await read({ user_id: 'u', type: 'open', limit: '1', cursor: first.body.next_cursor });
    expect([...told(first), ...told(second)].toSorted()).toEqual(['open a', 'open b']);
  });
});

describe('GET /projects/{id}/events/latest', () => {
  const latest = (query = ''): Promise<Answer> => cabinet('GET', `/projects/${project.id}/events/latest${query}`);

  it('shows what was received last, whenever it happened, including rejections', async () => {
    await send(event({ id: 'first', ...at(1) }));
    await send(event({ id: 'second', item: 'b', user: { anonymous_id: 'd' }, ...at(600) }));
    await send(event({ id: 'third', item: 'nothing' }));
    const { status, body } = await latest();
    expect([status, body.items.map(({ id }: { id: string }) => id)]).toEqual([200, ['second', 'first']]);
    expect(body.items[0].user).toEqual({ user_id: null, anonymous_id: 'd', fingerprint_uuid: null });
    expect(body.rejected).toMatchObject([{ id: 'third', code: 'unknown_item' }]);
  });

  it('shows states and largest values that count, each once, for an hour', async () => {
    await send(event({ type: 'view', value: 60 }), event({ id: 'fact' }));
    await send(event({ type: 'view', value: 30 }));
    await send(event({ type: 'view', value: 90 }), event({ type: 'like', item: 'b', value: 1 }));
    const answer = await latest();
    expect(told(answer).toSorted()).toEqual(['like b', 'open a', 'view a']);
    expect(answer.body.items.find(({ type }: { type: string }) => type === 'view')).toMatchObject({
      id: null,
      value: 90,
    });
    expect(told(await latest('?type=like'))).toEqual(['like b']);
    await database.pool.query(`update recent_states set received_at = received_at - interval '2 hours'`);
    expect(told(await latest())).toEqual(['open a']);
    expect(await deleteOldRecentStates(database.pool, 100)).toBeGreaterThanOrEqual(2);
  });

  // proves: decisions-people/delete-unreadable
  it('can be limited to a type and to a number of events, and shows nothing of deleted people', async () => {
    await send(
      event({ id: '1' }),
      event({ id: '2', item: 'b' }),
      event({ id: '3', type: 'open', user: { user_id: 'gone' } }),
    );
    await call('POST', '/users/delete', { user: { user_id: 'gone' } });
    expect((await latest('?type=open')).body.items).toHaveLength(2);
    expect((await latest('?type=nothing')).body.items).toEqual([]);
    expect((await latest('?limit=1')).body.items).toHaveLength(1);
    expect((await latest('?limit=0')).status).toBe(400);
  });

  it('has a valid index by time of receipt', async () => {
    const { rows } = await database.pool.query<{ valid: boolean }>(
      `select indisvalid as valid from pg_index where indexrelid = 'events_received'::regclass`,
    );
    expect(rows).toEqual([{ valid: true }]);
  });
});
