import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { storeCollected } from '../../../db/collect/storeCollected.ts';
import { putGoal } from '../../../db/sites/goals.ts';
import { insertConversions } from '../../../db/siteFacts/insertFacts.ts';
import { attributePending } from '../../../db/siteFacts/attributePending.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addToInbox, addVisit, addVisitor, addVisitorWithVisit, DAY, HOUR } from '../../support/people/siteFacts.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { clientOf, startTestApi, type Client, type TestApi } from '../support/testApi.ts';
import { createTestGoal, createTestSite, type TestSite } from '../support/testSite.ts';

let database: TestDatabase;
let api: TestApi;
let site: TestSite;
let call: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
});

beforeEach(async () => {
  site = await createTestSite(database.pool);
  call = clientOf(api.analytics, site.key);
  await createTestGoal(database.pool, site.id, 'lead');
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const ago = (ms: number): Date => new Date(Date.now() - ms);
const iso = (moment: Date): string => moment.toISOString();

async function send(...conversions: object[]): Promise<{ accepted: number; duplicates: number; rejected: object[] }> {
  const { status, body } = await call('POST', '/conversions', { conversions });
  expect(status).toBe(202);
  expect(body.accepted + body.duplicates + body.rejected.length).toBe(conversions.length);
  return body;
}

/** Reads the one conversion that a test has stored. */
async function stored(id = 'c-1') {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `select goal, goal_source, visitor_id, user_id, occurred_at, received_at, value::float8 as value, attribution, visit_id, visit_started_at
       from site_conversions where site_id = $1 and id = $2 and origin = 'api'`,
    [site.id, id],
  );
  return rows[0];
}

describe('POST /conversions', () => {
  // proves: analytics-states/attribution-by-visitor
  it('stores a conversion with the visit it belongs to', async () => {
    const startedAt = ago(HOUR);
    const { visitorId, visitId } = await addVisitorWithVisit(database.pool, site.id, { startedAt, userId: 'u-1' });
    const occurredAt = ago(1000);
    expect(
      await send({ id: 'c-1', goal: 'lead', visitor_id: visitorId, occurred_at: iso(occurredAt), value: 12.5 }),
    ).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    expect(await stored()).toMatchObject({
      goal: 'lead',
      goal_source: 'api',
      visitor_id: visitorId,
      user_id: 'u-1',
      occurred_at: occurredAt,
      value: 12.5,
      attribution: 'visit',
      visit_id: visitId,
      visit_started_at: startedAt,
    });
  });

  // proves: analytics-ids/visitor_id
  it('accepts a visitor id in upper or lower case', async () => {
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id);
    expect(await send({ id: 'c-1', goal: 'lead', visitor_id: visitorId.toUpperCase() })).toMatchObject({ accepted: 1 });
    expect(await stored()).toMatchObject({ visitor_id: visitorId });
  });

  // proves: conversion/person, analytics-states/attribution-by-user
  it("attributes by user_id to the last visit of the user's linked visitors", async () => {
    await addVisitorWithVisit(database.pool, site.id, { startedAt: ago(3 * HOUR), userId: 'u-1' });
    const last = await addVisitorWithVisit(database.pool, site.id, { startedAt: ago(2 * HOUR), userId: 'u-1' });
    await addVisitorWithVisit(database.pool, site.id, { startedAt: ago(HOUR), userId: 'u-2' });
    expect(await send({ id: 'c-1', goal: 'lead', user_id: 'u-1' })).toMatchObject({ accepted: 1 });
    expect(await stored()).toMatchObject({ user_id: 'u-1', visitor_id: last.visitorId, visit_id: last.visitId });
  });

  // proves: conversion/person
  it('prefers visitor_id to user_id', async () => {
    const { visitorId, visitId } = await addVisitorWithVisit(database.pool, site.id, { startedAt: ago(3 * HOUR) });
    await addVisitorWithVisit(database.pool, site.id, { startedAt: ago(HOUR), userId: 'u-1' });
    await send({ id: 'c-1', goal: 'lead', visitor_id: visitorId, user_id: 'u-1' });
    expect(await stored()).toMatchObject({ visitor_id: visitorId, visit_id: visitId, user_id: null });
    expect((await send({ id: 'c-2', goal: 'lead', visitor_id: randomUUID(), user_id: 'u-1' })).rejected).toEqual([
      { index: 0, code: 'unknown_visitor' },
    ]);
  });

  // proves: conversion/occurred_at
  it('uses the time of receipt when no time is sent or it is in the future', async () => {
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id);
    await send(
      { id: 'c-1', goal: 'lead', visitor_id: visitorId },
      { id: 'c-2', goal: 'lead', visitor_id: visitorId, occurred_at: '2999-01-01T00:00:00Z' },
    );
    for (const id of ['c-1', 'c-2']) {
      const row = await stored(id);
      expect(row?.['occurred_at']).toEqual(row?.['received_at']);
    }
  });

  // proves: analytics/7
  it('reads timestamps with Z and with an offset, in seconds and finer', async () => {
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id, {
      startedAt: new Date('2026-11-20T08:00:00Z'),
    });
    const times = ['2026-11-20T09:00:00Z', '2026-11-20T12:00:00+03:00', '2026-11-20T09:00:00.000Z'];
    await send(
      ...times.map((occurred, index) => ({
        id: `c-${index}`,
        goal: 'lead',
        visitor_id: visitorId,
        occurred_at: occurred,
      })),
    );
    for (const index of times.keys())
      expect(await stored(`c-${index}`)).toMatchObject({ occurred_at: new Date('2026-11-20T09:00:00Z') });
  });

  // proves: conversion/value
  it('uses the amount of the goal when none is sent', async () => {
    await createTestGoal(database.pool, site.id, 'paid', 100);
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id);
    await send(
      { id: 'c-1', goal: 'paid', visitor_id: visitorId },
      { id: 'c-2', goal: 'paid', visitor_id: visitorId, value: 0 },
      { id: 'c-3', goal: 'lead', visitor_id: visitorId },
    );
    expect([
      (await stored('c-1'))?.['value'],
      (await stored('c-2'))?.['value'],
      (await stored('c-3'))?.['value'],
    ]).toEqual([100, 0, null]);
  });

  it('accepts an empty batch', async () => {
    expect(await send()).toEqual({ accepted: 0, duplicates: 0, rejected: [] });
  });

  // proves: analytics-endpoints/conversions, analytics-limits/conversions
  it('accepts a thousand conversions in one request', async () => {
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id);
    expect(
      await send(
        ...Array.from({ length: 1000 }, (_, index) => ({ id: `c-${index}`, goal: 'lead', visitor_id: visitorId })),
      ),
    ).toEqual({ accepted: 1000, duplicates: 0, rejected: [] });
  });
});

describe('a repeated conversion', () => {
  // proves: analytics-errors/retry-3, conversion/id, analytics-states/conversion-repeated
  it('is a duplicate and changes nothing, whatever it contains', async () => {
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id);
    await send({ id: 'c-1', goal: 'lead', visitor_id: visitorId, value: 1 });
    expect(await send({ id: 'c-1', goal: 'lead', visitor_id: visitorId, value: 2 })).toEqual({
      accepted: 0,
      duplicates: 1,
      rejected: [],
    });
    expect(await send({ id: 'c-1', goal: 'gone', visitor_id: randomUUID() })).toEqual({
      accepted: 0,
      duplicates: 1,
      rejected: [],
    });
    expect(await stored()).toMatchObject({ value: 1 });
  });

  // proves: batch-response/duplicates
  it('within a batch counts once, with its first version; a rejected one leaves its id free', async () => {
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id);
    const good = { id: 'c-1', goal: 'lead', visitor_id: visitorId };
    expect(
      await send({ ...good, goal: 'gone' }, { ...good, value: 1 }, { ...good, value: 2 }, { ...good, goal: 'gone' }),
    ).toEqual({ accepted: 1, duplicates: 2, rejected: [{ index: 0, code: 'unknown_goal' }] });
    expect(await stored()).toMatchObject({ value: 1 });
  });

  // proves: analytics-errors/retry-3
  it('in two simultaneous requests counts once', async () => {
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id);
    const conversions = Array.from({ length: 200 }, (_, index) => ({
      id: `c-${index}`,
      goal: 'lead',
      visitor_id: visitorId,
    }));
    const outcomes = await Promise.all(
      [conversions, conversions.toReversed(), conversions, conversions.toReversed()].map((batch) => send(...batch)),
    );
    expect(outcomes.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(200);
    expect(outcomes.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(600);
  });

  // proves: analytics-auth/5, conversion/id
  it('from another site or from the tag is a different conversion', async () => {
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id);
    const occurredAt = new Date();
    await insertConversions(database.pool, [
      {
        siteId: site.id,
        origin: 'tag',
        id: 'c-1',
        goal: 'lead',
        goalSource: 'tag',
        visitorId,
        userId: null,
        occurredAt,
        receivedAt: occurredAt,
        value: null,
        weight: 1,
        attribution: { state: 'none' },
      },
    ]);
    expect(await send({ id: 'c-1', goal: 'lead', visitor_id: visitorId })).toMatchObject({ accepted: 1 });
    const other = await createTestSite(database.pool);
    await createTestGoal(database.pool, other.id, 'lead');
    const { visitorId: stranger } = await addVisitorWithVisit(database.pool, other.id);
    const { body } = await clientOf(api.analytics, other.key)('POST', '/conversions', {
      conversions: [{ id: 'c-1', goal: 'lead', visitor_id: stranger }],
    });
    expect(body).toMatchObject({ accepted: 1 });
  });
});

describe('a conversion is rejected', () => {
  // proves: conversion/goal, analytics-rules/1-unknown_goal
  it('unknown_goal: no such code, not of the type js, not enabled, malformed', async () => {
    await putGoal(database.pool, site.id, {
      code: 'bought',
      title: 'Bought',
      type: 'purchase',
      match: null,
      value: null,
      enabled: true,
    });
    await putGoal(database.pool, site.id, {
      code: 'off',
      title: 'Off',
      type: 'js',
      match: null,
      value: null,
      enabled: false,
    });
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id);
    const { rejected } = await send(
      ...['none', 'bought', 'off', 'LEAD', ''].map((goal, index) => ({
        id: `c-${index}`,
        goal,
        visitor_id: visitorId,
      })),
    );
    expect(rejected).toEqual([0, 1, 2, 3, 4].map((index) => ({ index, code: 'unknown_goal' })));
  });

  // proves: analytics-rules/1-unknown_goal
  it('unknown_goal, but no longer once the goal exists', async () => {
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id);
    expect((await send({ id: 'c-1', goal: 'late', visitor_id: visitorId })).rejected).toHaveLength(1);
    await createTestGoal(database.pool, site.id, 'late');
    expect(await send({ id: 'c-1', goal: 'late', visitor_id: visitorId })).toMatchObject({ accepted: 1 });
  });

  // proves: analytics-rules/1-unknown_visitor
  it('unknown_visitor: a visitor or user that the site does not know, even if another site does', async () => {
    const other = await createTestSite(database.pool);
    const { visitorId } = await addVisitorWithVisit(database.pool, other.id, { userId: 'u-9' });
    const { rejected } = await send(
      { id: 'c-1', goal: 'lead', visitor_id: randomUUID() },
      { id: 'c-2', goal: 'lead', visitor_id: visitorId },
      { id: 'c-3', goal: 'lead', user_id: 'u-9' },
    );
    expect(rejected).toEqual([0, 1, 2].map((index) => ({ index, code: 'unknown_visitor' })));
  });

  // proves: analytics-states/conversion-90-days, analytics-rules/1-too_old
  it('too_old: no visit at or up to 90 days before it', async () => {
    const occurredAt = new Date('2026-10-01T12:00:00.500Z');
    const old = await addVisitorWithVisit(database.pool, site.id, {
      startedAt: new Date(occurredAt.getTime() - 90 * DAY - 1),
    });
    const edge = await addVisitorWithVisit(database.pool, site.id, {
      startedAt: new Date(occurredAt.getTime() - 90 * DAY),
    });
    const after = await addVisitorWithVisit(database.pool, site.id, { startedAt: new Date(occurredAt.getTime() + 1) });
    const without = await addVisitor(database.pool, site.id);
    const { accepted, rejected } = await send(
      ...[old.visitorId, edge.visitorId, after.visitorId, without].map((visitorId, index) => ({
        id: `c-${index}`,
        goal: 'lead',
        visitor_id: visitorId,
        occurred_at: iso(occurredAt),
      })),
    );
    expect([accepted, rejected]).toEqual([
      1,
      [
        { index: 0, code: 'too_old' },
        { index: 2, code: 'too_old' },
        { index: 3, code: 'too_old' },
      ],
    ]);
  });

  it('too_old regardless of what waits in the inbox: hits of others, later hits of the visitor, logins of others', async () => {
    const startedAt = ago(300 * DAY);
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id, { startedAt, userId: 'u-1' });
    await addToInbox(database.pool, site.id, await addVisitor(database.pool, site.id), {
      receivedAt: ago(1000),
      userId: 'u-2',
    });
    await addToInbox(database.pool, site.id, visitorId, { receivedAt: ago(1000) });
    const occurred = iso(new Date(startedAt.getTime() - 1));
    const { accepted, rejected } = await send(
      { id: 'c-1', goal: 'lead', user_id: 'u-1', occurred_at: occurred },
      { id: 'c-2', goal: 'lead', visitor_id: visitorId, occurred_at: occurred },
    );
    expect([accepted, rejected]).toEqual([
      0,
      [
        { index: 0, code: 'too_old' },
        { index: 1, code: 'too_old' },
      ],
    ]);
  });

  // proves: analytics-errors/records, batch-response/accepted, batch-response/rejected, analytics-rules/1-202
  it('without stopping the others', async () => {
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id);
    expect(
      await send(
        { id: 'a', goal: 'none', visitor_id: visitorId },
        { id: 'b', goal: 'lead', visitor_id: visitorId },
        { id: 'c', goal: 'lead', visitor_id: randomUUID() },
        { id: 'b', goal: 'lead', visitor_id: visitorId },
      ),
    ).toEqual({
      accepted: 1,
      duplicates: 1,
      rejected: [
        { index: 0, code: 'unknown_goal' },
        { index: 2, code: 'unknown_visitor' },
      ],
    });
  });
});

describe('a conversion of a visitor whose hits are being ingested', () => {
  const ingest = (): Promise<number> =>
    inTransaction(database.pool, async (client) => {
      await client.query('delete from collect_inbox where site_id = $1', [site.id]);
      return attributePending(client, shardOf(site.id), 100);
    });

  // proves: analytics-states/hits-under-way
  it('is accepted, and attributed once they have been ingested', async () => {
    const visitorId = await addVisitor(database.pool, site.id);
    await addToInbox(database.pool, site.id, visitorId);
    expect(await send({ id: 'c-1', goal: 'lead', visitor_id: visitorId })).toMatchObject({ accepted: 1 });
    expect(await stored()).toMatchObject({ attribution: 'pending', visit_id: null });
    const visitId = await addVisit(database.pool, site.id, visitorId, ago(1000));
    expect(await ingest()).toBe(1);
    expect(await stored()).toMatchObject({ attribution: 'visit', visit_id: visitId });
  });

  // proves: analytics-states/hits-under-way
  it('waits even if there is an earlier visit, because the hits may begin another', async () => {
    const { visitorId } = await addVisitorWithVisit(database.pool, site.id, { startedAt: ago(5 * HOUR) });
    await addToInbox(database.pool, site.id, visitorId);
    await send({ id: 'c-1', goal: 'lead', visitor_id: visitorId });
    const visitId = await addVisit(database.pool, site.id, visitorId, ago(1000));
    await ingest();
    expect(await stored()).toMatchObject({ attribution: 'visit', visit_id: visitId });
  });

  // proves: analytics-states/hits-under-way
  it('is accepted by user_id if the visitor has just logged in as that user', async () => {
    const visitorId = await addVisitor(database.pool, site.id);
    await addToInbox(database.pool, site.id, visitorId, { userId: 'u-1' });
    const { accepted, rejected } = await send(
      { id: 'c-1', goal: 'lead', user_id: 'u-1' },
      { id: 'c-2', goal: 'lead', user_id: 'u-2' },
    );
    expect([accepted, rejected]).toEqual([1, [{ index: 1, code: 'unknown_visitor' }]]);
    await database.pool.query(`update site_visitors set user_id = 'u-1' where site_id = $1`, [site.id]);
    const visitId = await addVisit(database.pool, site.id, visitorId, ago(1000));
    await ingest();
    expect(await stored()).toMatchObject({
      attribution: 'visit',
      visit_id: visitId,
      visitor_id: visitorId,
      user_id: 'u-1',
    });
  });

  it('is accepted by the id of every user the visitor has logged in as, however many hits have come since', async () => {
    const visitorId = await addVisitor(database.pool, site.id);
    const user = (id: string) => ({
      key: randomUUID(),
      at: Date.now(),
      type: 'user' as const,
      url: 'https://shop.test/',
      referrer: null,
      title: null,
      name: null,
      target: null,
      depth: null,
      x: null,
      y: null,
      selector: null,
      params: null,
      order: null,
      user: { user_id: id },
    });
    const odd = 'a "quoted\\ {user},';
    await storeCollected(
      database.pool,
      [
        {
          siteId: site.id,
          visitorId,
          receivedAt: new Date(),
          ip: '203.0.113.7',
          userAgent: 'x',
          device: null,
          events: [user('u-1'), user(odd)],
        },
      ],
      24,
    );
    await database.pool.query(
      `insert into collect_inbox (shard, site_id, visitor_id, received_at, ip, user_agent, batch) select $1, $2, $3, now(), '203.0.113.7', 'x', '{}' from generate_series(1, 6000)`,
      [shardOf(site.id), site.id, visitorId],
    );
    expect(
      await send(
        { id: 'c-1', goal: 'lead', user_id: 'u-1' },
        { id: 'c-2', goal: 'lead', user_id: odd },
        { id: 'c-3', goal: 'lead', user_id: 'u-2' },
      ),
    ).toEqual({ accepted: 2, duplicates: 0, rejected: [{ index: 2, code: 'unknown_visitor' }] });
    await database.pool.query('delete from collect_inbox where site_id = $1', [site.id]);
  });

  it('is a duplicate when it is sent again in the meantime', async () => {
    const visitorId = await addVisitor(database.pool, site.id);
    await addToInbox(database.pool, site.id, visitorId);
    const conversion = { id: 'c-1', goal: 'lead', visitor_id: visitorId };
    await send(conversion);
    expect(await send(conversion)).toMatchObject({ duplicates: 1 });
  });
});

describe('a conversion of a visitor who is being deleted', () => {
  it.each(['visitor_id', 'user_id'])(
    'that is sent with a %s waits for the end of the deletion, and is then rejected',
    async (by) => {
      const { visitorId } = await addVisitorWithVisit(database.pool, site.id, { userId: 'u-1' });
      const other = await addVisitorWithVisit(database.pool, site.id, { userId: 'u-2' });
      const deletion = await database.pool.connect();
      await deletion.query('begin');
      await deletion.query('delete from site_visitors where site_id = $1 and visitor_id = $2', [site.id, visitorId]);
      const sending = send(
        { id: 'c-1', goal: 'lead', [by]: by === 'visitor_id' ? visitorId : 'u-1' },
        { id: 'c-2', goal: 'lead', visitor_id: other.visitorId },
      );
      await untilWaiting(database.pool, 1);
      await deletion.query('commit');
      deletion.release();
      expect(await sending).toEqual({ accepted: 1, duplicates: 0, rejected: [{ index: 0, code: 'unknown_visitor' }] });
    },
  );
});
