import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { addItems, changeType, readFacts, readImpressions, readStates } from '../../../support/people/events.ts';
import { clientOf, createTestProject, startTestApi } from '../../support/testApi.ts';
import { ago, DAY_MS, event, stageEvents } from './eventsStage.ts';

const stage = stageEvents();

describe('POST /events', () => {
  // proves: service/3, events/recommendation_id, events/surface, events/order_id
  it('accepts an event with all its details', async () => {
    const at = ago(3 * DAY_MS);
    const full = event({
      type: 'purchase',
      value: 300,
      occurred_at: at,
      recommendation_id: 'r-1',
      surface: 'next',
      position: 65_535,
      order_id: 'o-1',
      quantity: 2,
      price: 150,
    });
    expect(await stage.post(full)).toMatchObject({ status: 202, body: { accepted: 1, duplicates: 0, rejected: [] } });
    expect(await readFacts(stage.database.pool, stage.project.id)).toMatchObject([
      {
        item_id: 'a',
        type: 'purchase',
        value: 300,
        occurred_at: new Date(at),
        recommendation_id: 'r-1',
        surface: 'next',
        position: 65_535,
        order_id: 'o-1',
        quantity: 2,
        price: 150,
      },
    ]);
  });

  // proves: events/id, events/item, events/surface, events/order_id, limits/order_id, limits/anonymous_id
  it('accepts ids, a surface and an identifier of the maximum length', async () => {
    const item = '😀'.repeat(191);
    await addItems(stage.database.pool, stage.project.id, [item]);
    const long = event({
      id: '~'.repeat(64),
      item,
      user: { anonymous_id: ' '.repeat(191) },
      surface: '😀'.repeat(16),
      order_id: '~'.repeat(64),
    });
    expect((await stage.post(long)).body).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
  });

  // proves: events/value, events/occurred_at, events/recommendation_id, events/surface, events/position
  // proves: events/order_id, events/quantity, events/price
  it('accepts null for every field that may be left out', async () => {
    const names = ['value', 'occurred_at', 'recommendation_id', 'surface', 'position', 'order_id', 'quantity', 'price'];
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    const { status, body } = await stage.post(event(nulls), event({ type: 'impression', ...nulls }));
    expect([status, body]).toEqual([202, { accepted: 2, duplicates: 0, rejected: [] }]);
    expect(await readFacts(stage.database.pool, stage.project.id)).toMatchObject([
      { ...nulls, occurred_at: expect.any(Date) },
    ]);
  });

  // proves: intake/events, limits/events
  it('accepts zero and a thousand events, and answers 413 to one more', async () => {
    expect(await stage.post()).toMatchObject({ status: 202, body: { accepted: 0, duplicates: 0, rejected: [] } });
    expect((await stage.post(...Array.from({ length: 1_000 }, () => event()))).body.accepted).toBe(1_000);
    expect((await stage.post(...Array.from({ length: 1_001 }, () => event()))).status).toBe(413);
  });

  // proves: events/EventRejection, events/EventsResponse, intake/rule-4, errors/rejected-events
  it('names rejected events by their position, and accepts the rest', async () => {
    const { body } = await stage.post(
      event(),
      event({ id: 'bad', item: 'nothing' }),
      event({ type: 'like' }),
      event({ id: 'worse', type: 'nothing' }),
    );
    expect(body).toEqual({
      accepted: 2,
      duplicates: 0,
      rejected: [
        { index: 1, id: 'bad', code: 'unknown_item' },
        { index: 3, id: 'worse', code: 'unknown_type' },
      ],
    });
  });

  // proves: decisions-events/every-event, decisions-events/first-of-two
  it('counts every event once: as accepted, as a duplicate or as rejected', async () => {
    await changeType(stage.database.pool, stage.project.id, 'share', { dedup_window_sec: 60 });
    const known = ['open', 'like', 'view', 'impression'].map((type) => event({ type, value: 1 }));
    await stage.post(...known);
    const [first] = known;
    const { body } = await stage.post(
      event({ id: 'twice', item: 'nothing' }),
      event({ id: 'twice', item: 'b' }),
      event({ id: 'twice' }),
      ...known,
      { ...first, type: 'nothing' },
      event({ type: 'share' }),
      event({ type: 'share' }),
      event({ type: 'like', item: 'b' }),
      event({ id: 'shown', type: 'impression' }),
      event({ id: 'shown', type: 'impression' }),
      event({ id: 'nobody', user: {} }),
    );
    expect(body).toEqual({
      accepted: 4,
      duplicates: 1 + known.length + 1 + 1,
      rejected: [
        { index: 0, id: 'twice', code: 'unknown_item' },
        { index: 7, id: first?.['id'], code: 'unknown_type' },
        { index: 13, id: 'nobody', code: 'no_user' },
      ],
    });
    const facts = await readFacts(stage.database.pool, stage.project.id);
    expect(facts.filter(({ id }) => id === 'twice')).toMatchObject([{ item_id: 'b' }]);
  });

  // proves: service/7, intake/rule-3
  it('accepts events of deleted and unavailable items', async () => {
    await addItems(stage.database.pool, stage.project.id, ['gone'], true);
    expect(await stage.rejection({ item: 'gone' })).toBe(null);
  });
});
describe('the time of an event', () => {
  // proves: events/occurred_at
  it('is the time of receipt if it is absent or more than 5 minutes ahead', async () => {
    const before = Date.now();
    const near = new Date(before + 4 * 60_000);
    await stage.post(
      event({ id: '1' }),
      event({ id: '2', occurred_at: new Date(before + 6 * 60_000).toISOString() }),
      event({ id: '3', occurred_at: near.toISOString() }),
    );
    const byId = new Map(
      (await readFacts(stage.database.pool, stage.project.id)).map((row) => [row.id, row.occurred_at.getTime()]),
    );
    expect(byId.get('3')).toBe(near.getTime());
    for (const id of ['1', '2']) {
      expect(byId.get(id)).toBeGreaterThanOrEqual(before);
      expect(byId.get(id)).toBeLessThanOrEqual(Date.now());
    }
  });
});

describe('the value of an event', () => {
  // proves: events/value
  it('is stored as its type says: 1 by default for a state, and nothing for a type without values', async () => {
    await stage.post(
      event({ type: 'open', value: 5 }),
      event({ type: 'purchase', value: -5.5 }),
      event({ type: 'view', value: 99.5 }),
      event({ type: 'watch', value: 1e9 }),
      event({ type: 'like' }),
      event({ type: 'favourite', value: null }),
      event({ type: 'dislike', value: 0 }),
    );
    const { id } = stage.project;
    const stored = [...(await readFacts(stage.database.pool, id)), ...(await readStates(stage.database.pool, id))];
    expect(Object.fromEntries(stored.map(({ type, value }) => [type, value]))).toEqual({
      open: null,
      purchase: -5.5,
      view: 99.5,
      watch: 1e9,
      like: 1,
      favourite: 1,
      dislike: 0,
    });
  });
});

describe('a repeat', () => {
  // proves: events/id, intake/rule-1, decisions-events/fact, decisions-events/first-of-two
  it('of an id is a duplicate, within a request and across requests, whatever else it contains', async () => {
    expect((await stage.post(event({ id: 'x' }), event({ id: 'x', item: 'b' }), event({ id: 'y' }))).body).toEqual({
      accepted: 2,
      duplicates: 1,
      rejected: [],
    });
    expect((await stage.post(event({ id: 'x', user: { user_id: 'other' } }), event({ id: 'z' }))).body).toEqual({
      accepted: 1,
      duplicates: 1,
      rejected: [],
    });
    expect(
      (await readFacts(stage.database.pool, stage.project.id)).map(({ id, item_id: item }) => [id, item]).sort(),
    ).toEqual([
      ['x', 'a'],
      ['y', 'a'],
      ['z', 'a'],
    ]);
  });

  it('of an id is a duplicate across modes', async () => {
    const types = ['open', 'like', 'view', 'impression'];
    for (const first of types) {
      for (const second of types) {
        const id = `${first}-${second}`;
        expect((await stage.post(event({ id, type: first, value: 1 }))).body.accepted).toBe(1);
        expect([id, (await stage.post(event({ id, type: second, value: 1, item: 'b' }))).body.duplicates]).toEqual([
          id,
          1,
        ]);
      }
    }
    const left = [
      ...(await readFacts(stage.database.pool, stage.project.id)),
      ...(await readStates(stage.database.pool, stage.project.id)),
      ...(await readImpressions(stage.database.pool, stage.project.id)),
    ];
    expect(left.filter(({ item_id: item }) => item === 'b')).toEqual([]);
  });

  it('of an id in another project is not a duplicate', async () => {
    const other = await createTestProject(stage.database.pool);
    await addItems(stage.database.pool, other.id, ['a']);
    const one = { events: [event({ type: 'like' }), event()] };
    expect((await stage.call('POST', '/events', one)).body.accepted).toBe(2);
    expect((await clientOf(stage.api.content, other.key)('POST', '/events', one)).body.accepted).toBe(2);
  });
});

describe('impressions', () => {
  // proves: decisions-events/impression-ids
  it('are recognised by the hash of their id for 30 days, or as many as IMPRESSION_ID_DAYS says', async () => {
    const { pool, url } = stage.database;
    const remembered = async (): Promise<unknown> =>
      (
        await pool.query(
          `delete from seen_event_ids where project_id = $1
           returning replace(id_hash::text, '-', '') as hash, expires_on - (now() at time zone 'UTC')::date as days`,
          [stage.project.id],
        )
      ).rows;
    const shown = event({ id: 'shown', type: 'impression' });
    await stage.post(shown);
    const hash = createHash('sha256').update('shown').digest('hex').slice(0, 32);
    expect(await remembered()).toEqual([{ hash, days: 30 }]);
    const api = await startTestApi({ databaseUrl: url, env: { IMPRESSION_ID_DAYS: '7' } });
    try {
      await clientOf(api.content, stage.project.key)('POST', '/events', { events: [shown] });
    } finally {
      await api.close();
    }
    expect(await remembered()).toEqual([{ hash, days: 7 }]);
  });

  // proves: intake/rule-2, decisions-events/impression-counters
  it('are counted by day, item, surface and position bucket, without any person', async () => {
    const day = ago(3 * DAY_MS).slice(0, 10);
    const shown = (change: object) =>
      event({ type: 'impression', occurred_at: `${day}T23:59:59.999Z`, surface: 'feed', position: 0, ...change });
    const answer = await stage.post(
      shown({}),
      shown({ user: { user_id: 'other' } }),
      shown({ position: 7 }),
      shown({ position: 9 }),
      shown({ position: 65_535 }),
      shown({ surface: null }),
      shown({ position: null }),
      shown({ item: 'b', occurred_at: `${day}T23:59:59.999-02:00` }),
      shown({ id: 'same' }),
      shown({ id: 'same' }),
    );
    expect(answer.body).toEqual({ accepted: 9, duplicates: 1, rejected: [] });
    await stage.post(shown({}), shown({ id: 'same' }));
    const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
    expect(await readImpressions(stage.database.pool, stage.project.id)).toEqual([
      { day, item_id: 'a', surface: '', position_bucket: 0, count: 1 },
      { day, item_id: 'a', surface: 'feed', position_bucket: -1, count: 1 },
      { day, item_id: 'a', surface: 'feed', position_bucket: 0, count: 4 },
      { day, item_id: 'a', surface: 'feed', position_bucket: 5, count: 2 },
      { day, item_id: 'a', surface: 'feed', position_bucket: 100, count: 1 },
      { day: next, item_id: 'b', surface: 'feed', position_bucket: 0, count: 1 },
    ]);
    expect(
      (await stage.database.pool.query('select from identities where project_id = $1', [stage.project.id])).rows,
    ).toHaveLength(0);
  });
});
