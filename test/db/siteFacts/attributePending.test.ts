import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { insertConversions, insertOrders } from '../../../db/siteFacts/insertFacts.ts';
import { attributePending } from '../../../db/siteFacts/attributePending.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { addToInbox, addVisit, addVisitor, addVisitorWithVisit, DAY, HOUR } from '../../support/people/siteFacts.ts';
import { before, createFactsWorld, NOW } from './support/world.ts';

const world = createFactsWorld({ state: 'pending' });
const { conversion, order, stage } = world;

const attribute = (limit = 1000): Promise<number> =>
  inTransaction(world.database.pool, (client) => attributePending(client, shardOf(world.site.id), limit));

async function attributionOf(id: string): Promise<object | undefined> {
  const { rows } = await world.database.pool.query<object>(
    `select attribution, visit_id, visitor_id, user_id from site_conversions where site_id = $1 and id = $2
     union all select attribution, visit_id, visitor_id, user_id from site_orders where site_id = $1 and transaction_id = $2`,
    [world.site.id, id],
  );
  return rows[0];
}

describe('a pending fact', () => {
  it('stays pending while hits that were received earlier wait, and is not staged', async () => {
    const { visitorId } = await addVisitorWithVisit(world.database.pool, world.site.id, {
      startedAt: before(2 * HOUR),
    });
    const inbox = await addToInbox(world.database.pool, world.site.id, visitorId, { receivedAt: before(1000) });
    await insertConversions(world.database.pool, [conversion({ id: 'a', visitorId })]);
    expect(await attribute()).toBe(0);
    expect((await stage()).staged).toBe(0);
    const visitId = await addVisit(world.database.pool, world.site.id, visitorId, before(HOUR));
    await world.database.pool.query('delete from collect_inbox where id = $1', [inbox]);
    expect(await attribute()).toBe(1);
    expect(await attributionOf('a')).toEqual({
      attribution: 'visit',
      visit_id: visitId,
      visitor_id: visitorId,
      user_id: null,
    });
    expect((await stage()).staged).toBe(1);
  });

  it('does not wait for hits that came after it', async () => {
    const { visitorId, visitId } = await addVisitorWithVisit(world.database.pool, world.site.id, {
      startedAt: before(HOUR),
    });
    await addToInbox(world.database.pool, world.site.id, visitorId, { receivedAt: new Date(NOW.getTime() + 5000) });
    await insertOrders(world.database.pool, [order({ transactionId: 'a', visitorId })]);
    expect(await attribute()).toBe(1);
    expect(await attributionOf('a')).toMatchObject({ attribution: 'visit', visit_id: visitId });
  });

  it('counts without a visit if there is none in the end', async () => {
    const visitorId = await addVisitor(world.database.pool, world.site.id);
    await insertConversions(world.database.pool, [conversion({ id: 'a', visitorId })]);
    expect(await attribute()).toBe(1);
    expect(await attributionOf('a')).toMatchObject({ attribution: 'none', visit_id: null });
    expect((await stage()).staged).toBe(1);
  });

  it('does not wait for hits that came later than it happened', async () => {
    const { visitorId, visitId } = await addVisitorWithVisit(world.database.pool, world.site.id, {
      startedAt: before(3 * HOUR),
    });
    await addToInbox(world.database.pool, world.site.id, visitorId, { receivedAt: before(1000) });
    await insertOrders(world.database.pool, [order({ transactionId: 'a', visitorId, occurredAt: before(2 * HOUR) })]);
    expect(await attribute()).toBe(1);
    expect(await attributionOf('a')).toMatchObject({ attribution: 'visit', visit_id: visitId });
  });

  it('waits for a batch that was received later than it happened, and began earlier', async () => {
    const visitorId = await addVisitor(world.database.pool, world.site.id);
    await addToInbox(world.database.pool, world.site.id, visitorId, { receivedAt: before(1000), at: before(2 * HOUR) });
    await insertOrders(world.database.pool, [order({ transactionId: 'a', visitorId, occurredAt: before(HOUR) })]);
    expect(await attribute()).toBe(0);
  });

  it("of a user waits for hits of the user's visitors, and for nobody else's", async () => {
    const { visitorId } = await addVisitorWithVisit(world.database.pool, world.site.id, {
      startedAt: before(2 * HOUR),
      userId: 'u-1',
    });
    await addToInbox(world.database.pool, world.site.id, await addVisitor(world.database.pool, world.site.id), {
      receivedAt: before(1000),
      userId: 'u-2',
    });
    const inbox = await addToInbox(world.database.pool, world.site.id, visitorId, { receivedAt: before(1000) });
    await insertOrders(world.database.pool, [order({ transactionId: 'a', userId: 'u-1' })]);
    expect(await attribute()).toBe(0);
    await world.database.pool.query('delete from collect_inbox where id = $1', [inbox]);
    expect(await attribute()).toBe(1);
  });

  it('is checked in order of arrival, so that every fact is reached in the end', async () => {
    const [waits, other] = [
      await addVisitor(world.database.pool, world.site.id),
      await addVisitor(world.database.pool, world.site.id),
    ];
    const inbox = await addToInbox(world.database.pool, world.site.id, waits, { receivedAt: before(3000) });
    await insertConversions(world.database.pool, [
      conversion({ id: 'later', visitorId: other, receivedAt: before(1000) }),
      conversion({ id: 'first', visitorId: waits, receivedAt: before(2000) }),
    ]);
    expect(await attribute(1)).toBe(0);
    await world.database.pool.query('delete from collect_inbox where id = $1', [inbox]);
    expect([await attribute(1), await attribute(1)]).toEqual([1, 1]);
  });

  it('is left for the next time while its visitor is being deleted', async () => {
    const { visitorId } = await addVisitorWithVisit(world.database.pool, world.site.id, {
      startedAt: before(HOUR),
      userId: 'u-1',
    });
    await insertConversions(world.database.pool, [conversion({ id: 'a', userId: 'u-1' })]);
    await inTransaction(world.database.pool, async (client) => {
      await client.query('select from site_visitors where site_id = $1 and visitor_id = $2 for update', [
        world.site.id,
        visitorId,
      ]);
      expect(await attribute()).toBe(0);
    });
    expect(await attribute()).toBe(1);
  });

  // proves: analytics-states/attribution-by-user
  it('of a user waits for a login that names the user, because it links a visitor with its visits', async () => {
    const visitorId = await addVisitor(world.database.pool, world.site.id);
    const inbox = await addToInbox(world.database.pool, world.site.id, visitorId, {
      receivedAt: before(1000),
      userId: 'u-1',
    });
    await insertOrders(world.database.pool, [order({ transactionId: 'a', userId: 'u-1' })]);
    expect(await attribute()).toBe(0);
    await world.database.pool.query('update site_visitors set user_id = $2 where site_id = $1', [world.site.id, 'u-1']);
    const visitId = await addVisit(world.database.pool, world.site.id, visitorId, before(HOUR));
    await world.database.pool.query('delete from collect_inbox where id = $1', [inbox]);
    expect(await attribute()).toBe(1);
    expect(await attributionOf('a')).toEqual({
      attribution: 'visit',
      visit_id: visitId,
      visitor_id: visitorId,
      user_id: 'u-1',
    });
  });

  it('gets the user to whom its visitor is linked when it is attributed', async () => {
    const { visitorId } = await addVisitorWithVisit(world.database.pool, world.site.id, {
      startedAt: before(HOUR),
      userId: 'u-2',
    });
    await insertConversions(world.database.pool, [conversion({ id: 'a', visitorId })]);
    await attribute();
    expect(await attributionOf('a')).toMatchObject({ user_id: 'u-2' });
  });

  it('is not staged along with an earlier purchase of its visitor, but only once it has its visit', async () => {
    const { visitorId, visitId } = await addVisitorWithVisit(world.database.pool, world.site.id, {
      startedAt: before(3 * HOUR),
    });
    const later = { transactionId: 'a', visitorId };
    await insertOrders(world.database.pool, [order({ ...later, origin: 'tag', attribution: { state: 'none' } })]);
    await stage();
    await insertOrders(world.database.pool, [order(later)]);
    const earlier = { transactionId: 'b', visitorId, occurredAt: before(HOUR) };
    await insertOrders(world.database.pool, [order({ ...earlier, attribution: { state: 'none' } })]);
    expect((await stage()).staged).toBe(1);
    expect(await attribute()).toBe(1);
    expect(await attributionOf('a')).toMatchObject({ attribution: 'visit', visit_id: visitId });
    expect((await stage()).staged).toBe(1);
  });

  it('is staged once it is attributed, even if it was marked as staged while it was pending', async () => {
    const { visitorId } = await addVisitorWithVisit(world.database.pool, world.site.id, { startedAt: before(HOUR) });
    await insertConversions(world.database.pool, [conversion({ id: 'a', visitorId })]);
    await insertOrders(world.database.pool, [order({ transactionId: 'b', visitorId })]);
    await world.database.pool.query('update site_conversions set lake_batch = 1');
    await world.database.pool.query('update site_orders set lake_batch = 1');
    expect(await attribute()).toBe(2);
    expect((await stage()).staged).toBe(2);
  });

  it('is attributed only within the limit of a call, and only in its own shard', async () => {
    const visitorId = await addVisitor(world.database.pool, world.site.id);
    await insertConversions(
      world.database.pool,
      [1, 2, 3].map((id) => conversion({ id: String(id), visitorId })),
    );
    const elsewhere = (shardOf(world.site.id) + 1) % 16;
    expect(await inTransaction(world.database.pool, (client) => attributePending(client, elsewhere, 1000))).toBe(0);
    expect(await attribute(2)).toBe(2);
    expect(await attribute(2)).toBe(1);
  });
});

describe('the visit of a fact', () => {
  async function visitFor(starts: readonly Date[], occurredAt: Date): Promise<number | null> {
    const visitorId = await addVisitor(world.database.pool, world.site.id);
    const visits: string[] = [];
    for (const start of starts) visits.push(await addVisit(world.database.pool, world.site.id, visitorId, start));
    const id = randomUUID();
    await insertConversions(world.database.pool, [conversion({ id, visitorId, occurredAt })]);
    await attribute();
    const { visit_id: visitId } = (await attributionOf(id)) as { visit_id: string | null };
    return visitId === null ? null : visits.indexOf(visitId);
  }

  // proves: analytics-states/attribution-by-visitor
  // proves: decisions-analytics/fact-visit
  it('is the last one that started at or before the fact', async () => {
    expect(await visitFor([before(3 * HOUR), before(2 * HOUR), before(HOUR)], before(2 * HOUR))).toBe(1);
    expect(await visitFor([before(2 * HOUR - 1)], before(2 * HOUR))).toBeNull();
  });

  // proves: analytics-states/attribution-by-visitor
  // proves: decisions-analytics/fact-visit
  it('began at most 90 days earlier', async () => {
    expect(await visitFor([before(90 * DAY)], NOW)).toBe(0);
    expect(await visitFor([before(90 * DAY + 1)], NOW)).toBeNull();
  });

  it('may have begun within the same second if the time of the fact has no fraction', async () => {
    expect(await visitFor([new Date('2026-11-20T08:00:00.999Z')], new Date('2026-11-20T08:00:00Z'))).toBe(0);
    expect(await visitFor([new Date('2026-11-20T08:00:01.000Z')], new Date('2026-11-20T08:00:00Z'))).toBeNull();
    expect(await visitFor([new Date('2026-11-20T08:00:00.002Z')], new Date('2026-11-20T08:00:00.001Z'))).toBeNull();
  });
});
