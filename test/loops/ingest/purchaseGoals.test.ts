/** A purchase reaches its goals once, whether the tag, the site's server or both report it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { inTransaction } from '../../../db/pool.ts';
import { insertConversions, insertOrders, type OrderInsert } from '../../../db/siteFacts/insertFacts.ts';
import { purchaseConversions } from '../../../db/siteFacts/purchaseGoals.ts';
import { takeOrders, type SentOrder } from '../../../db/siteFacts/takeServerFacts.ts';
import { putGoal } from '../../../db/sites/goals.ts';
import type { CollectedEvent } from '../../../domain/collect/collected.ts';
import { emptyOutcome, type Outcome } from '../../../domain/visits/addRequestToVisits.ts';
import { purchaseConversionId } from '../../../domain/visits/goalConversions.ts';
import { EMPTY_ROW, NEW_VISIT_MEMO, type Visit } from '../../../domain/visits/visitState.ts';
import { writeFacts } from '../../../loops/ingest/writeFacts.ts';
import type { RunningProcess } from '../../../platform/process/lifecycle.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestIngest } from '../../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { addSite, collect, event, HOUR, isInLake, request } from './support/inbox.ts';

const registry = new Registry();
let database: TestDatabase;
let testLake: TestLake;
let running: RunningProcess;
let siteId: string;
/** A visitor with one visit, which began three hours ago. */
let visitorId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  testLake = await openTestLake(database.url);
  running = await startTestIngest(database.url, testLake.settings, { loops: 2, registry });
});
beforeEach(async () => {
  siteId = await addSite(database.pool);
  visitorId = randomUUID();
  // The goal precedes the first hit, because the ingest caches a site's goals for a few seconds.
  await putGoal(database.pool, siteId, {
    code: 'bought',
    title: 'Bought',
    type: 'purchase',
    match: null,
    value: null,
    enabled: true,
  });
  await collect(database.pool, [request(siteId, [event()], { visitorId })]);
  await inLake();
});
afterAll(async () => {
  await running?.close();
  await testLake?.close();
  await database?.drop();
});

const inLake = () => eventually(() => isInLake(database.pool), 'everything in the lake');

const fromServer = (...transactionIds: string[]) =>
  takeOrders(
    database.pool,
    { siteId, receivedAt: new Date() },
    transactionIds.map((transactionId) => ({
      transactionId,
      status: 'purchased',
      currency: null,
      revenue: 100,
      products: null,
      visitorId,
      userId: null,
      occurredAt: new Date(),
    })),
  );

const fromTag = (...transactionIds: string[]) =>
  collect(database.pool, [
    request(
      siteId,
      transactionIds.map((id, index) =>
        event({
          at: Date.now() - 2_000 + index,
          type: 'purchase',
          order: { transaction_id: id, revenue: 7, currency: null, products: null, promo_code: null },
        }),
      ),
      { visitorId },
    ),
  ]);

const conversions = () =>
  testLake.lake.query(
    `select conversion_id as id, origin, goal_source, cast("value" as double) as "value" from lake.conversions where site_id = '${siteId}' order by id`,
  );

describe('a purchase reaches a goal once when', () => {
  it('the server reports it: in the visit of its order, which is then no bounce', async () => {
    await fromServer('A-1');
    await inLake();
    expect(await conversions()).toEqual([{ id: 'order:A-1:bought', origin: 'tag', goal_source: 'api', value: 100 }]);
    expect(
      await testLake.lake.query(
        `select v.goals, v.is_bounce from lake.visits v join lake.conversions c on c.visit_id = v.visit_id join lake.orders o on o.visit_id = v.visit_id where v.site_id = '${siteId}'`,
      ),
    ).toEqual([{ goals: 1, is_bounce: false }]);
  });

  it('the server and then the tag report it', async () => {
    await fromServer('A-1');
    await fromTag('A-1');
    await inLake();
    expect(await conversions()).toMatchObject([{ goal_source: 'api', value: 100 }]);
  });

  it('the tag and then the server report it', async () => {
    await fromTag('A-1');
    await inLake();
    expect(await fromServer('A-1')).toMatchObject({ duplicates: 1 });
    await inLake();
    expect(await conversions()).toMatchObject([{ goal_source: 'event', value: 100 }]);
    expect(
      await testLake.lake.query(
        `select origin, revenue::double as revenue from lake.orders where site_id = '${siteId}'`,
      ),
    ).toEqual([{ origin: 'api', revenue: 100 }]);
  });

  it('both report it at once: conversions match the order, and no report waits forever', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `A-${String(index).padStart(3, '0')}`);
    const batch = (from: number) => ids.slice(from, from + 30);
    const starts = ids.flatMap((_, index) => (index % 30 === 0 ? [index] : []));
    await Promise.all([
      ...starts.toReversed().map((from) => fromTag(...batch(from).toReversed())),
      ...starts.map((from) => fromServer(...batch(from))),
      ...starts.map((from) => fromServer(...batch(from).toReversed())),
    ]);
    await inLake();
    const { rows } = await database.pool.query(
      `select count(*)::int as pairs, count(*) filter (where c.value = o.revenue and c.value = 100 and o.origin = 'api')::int as alike
         from site_orders o join site_conversions c on c.site_id = o.site_id and c.id like 'order:' || o.transaction_id || ':%' where o.site_id = $1`,
      [siteId],
    );
    expect(rows).toEqual([{ pairs: 300, alike: 300 }]);
    expect(await conversions()).toHaveLength(300);
    const failures = await registry.getSingleMetric('attune_ingest_failures_total')?.get();
    expect(failures?.values.filter(({ value }) => value > 0)).toEqual([]);
  });
});

describe('a purchase that a stranger claims with the tag’s public key before the server reports it', () => {
  const stranger = randomUUID();
  const CLAIMED = Date.now() - 2.5 * HOUR;
  const TOLD = Date.now() - HOUR;

  /** Sends the claim after a page view, in a visit of the stranger that has ended. */
  const claim = (given: Partial<CollectedEvent> = {}) =>
    collect(database.pool, [
      request(
        siteId,
        [
          event({ at: CLAIMED - 2_000 }),
          event({ at: CLAIMED - 1_000, type: 'user', user: { user_id: 'stranger' } }),
          event({
            at: CLAIMED,
            type: 'purchase',
            order: {
              transaction_id: 'A-1',
              revenue: 7,
              currency: null,
              products: [{ id: 'p', name: null, category: null, brand: null, variant: null, price: 7, qty: 1 }],
              promo_code: null,
            },
            ...given,
          }),
        ],
        { visitorId: stranger, receivedAt: new Date(CLAIMED + 1_000) },
      ),
    ]);
  const told = (change: Partial<SentOrder> = {}) =>
    takeOrders(database.pool, { siteId, receivedAt: new Date() }, [
      {
        transactionId: 'A-1',
        status: 'purchased',
        currency: null,
        revenue: 100,
        products: null,
        visitorId,
        userId: null,
        occurredAt: new Date(TOLD),
        ...change,
      },
    ]);
  const stored = async (sql: string) => (await database.pool.query(sql, [siteId])).rows;
  const lake = (sql: string) => testLake.lake.query(sql.replace('$1', `'${siteId}'`));
  const OWNER = `visitor_id::varchar as visitor_id, user_id, visit_id::varchar as visit_id`;
  const AT = `epoch_ms("at")::double as "at"`;

  it('belongs to the server’s visitor alone: order, conversion and visits, at the server’s time, in PostgreSQL and in the lake', async () => {
    await claim();
    await inLake();
    expect(await lake(`select user_id, ${AT} from lake.orders where site_id = $1`)).toEqual([
      { user_id: 'stranger', at: CLAIMED },
    ]);
    expect(await told()).toMatchObject({ duplicates: 1 });
    await inLake();
    const [visit] = await stored(`select visit_id from site_visits where site_id = $1 and visitor_id <> '${stranger}'`);
    const owner = { visitor_id: visitorId, user_id: null, visit_id: visit?.['visit_id'] };
    for (const table of ['site_orders', 'site_conversions'])
      expect(await stored(`select ${OWNER} from ${table} where site_id = $1`)).toEqual([owner]);
    for (const table of ['orders', 'order_lines', 'conversions'])
      expect(await lake(`select ${OWNER}, ${AT} from lake.${table} where site_id = $1`)).toEqual([
        { ...owner, at: TOLD },
      ]);
    const goals = [
      { visitor_id: visitorId, goals: 1 },
      { visitor_id: stranger, goals: 0 },
    ].sort((a, b) => (a.visitor_id < b.visitor_id ? -1 : 1));
    expect(await stored('select visitor_id, goals from site_visits where site_id = $1 order by 1')).toEqual(goals);
    expect(
      await lake(`select visitor_id::varchar as visitor_id, goals from lake.visits where site_id = $1 order by 1`),
    ).toEqual(goals);
  });

  it('has its conversion moved to the server’s visitor even if the goal no longer exists', async () => {
    await claim();
    await inLake();
    await database.pool.query('delete from site_goals where site_id = $1', [siteId]);
    await told();
    await inLake();
    expect(await stored(`select ${OWNER} from site_conversions where site_id = $1`)).toMatchObject([
      { visitor_id: visitorId, user_id: null },
    ]);
  });

  it('is at the server’s time if the server names nobody whom the site knows', async () => {
    await claim();
    await inLake();
    await told({ visitorId: null, userId: 'nobody' });
    await inLake();
    for (const table of ['orders', 'conversions'])
      expect(
        await lake(`select visitor_id::varchar as visitor_id, ${AT} from lake.${table} where site_id = $1`),
      ).toEqual([{ visitor_id: stranger, at: TOLD }]);
  });

  it('stays at the tag’s time if only the tag’s visit is known and began later than the server says', async () => {
    await claim();
    await inLake();
    await told({ visitorId: null, userId: 'nobody', occurredAt: new Date(CLAIMED - HOUR) });
    await inLake();
    expect(await lake(`select ${AT} from lake.orders where site_id = $1`)).toEqual([{ at: CLAIMED }]);
  });

  it('counts as refunded from the time when the server’s request arrived', async () => {
    await told();
    await claim({ type: 'refund' });
    await inLake();
    const asked = Date.now();
    await told({ status: 'refunded' });
    await inLake();
    const rows = await lake(`select ${AT} from lake.orders where site_id = $1 and status = 'refunded'`);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.['at']).toBeGreaterThanOrEqual(asked);
  });
});

describe('the ingest of purchases', () => {
  const visit = (): Visit => ({
    row: { ...EMPTY_ROW, site_id: siteId, visitor_id: visitorId, visit_id: randomUUID(), started_at: Date.now() },
    memo: { ...NEW_VISIT_MEMO, params_at: [] },
    isChanged: false,
  });
  const outcomeOf = (...transactionIds: string[]): Outcome => {
    const common = { at: Date.now(), receivedAt: Date.now(), visit: visit(), userId: null };
    return {
      ...emptyOutcome(),
      orders: transactionIds.map((id) => ({
        ...common,
        status: 'purchased',
        order: { transaction_id: id, revenue: 7, currency: null, products: null, promo_code: null },
      })),
      conversions: transactionIds.map((id) => ({
        ...common,
        id: purchaseConversionId(id, 'new'),
        transactionId: id,
        goal: 'new',
        goalSource: 'event',
        value: 7,
        weight: 1,
      })),
    };
  };
  const goalsReached = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from site_conversions where site_id = $1 order by id',
      [siteId],
    );
    return rows.map(({ id }) => id);
  };

  it('reaches no goal through a repeated purchase, even if the goal is newer than the purchase', async () => {
    await inTransaction(database.pool, (client) => writeFacts(client, { ...outcomeOf('A-1'), conversions: [] }));
    await inTransaction(database.pool, (client) => writeFacts(client, outcomeOf('A-1', 'A-2', 'A-2')));
    expect(await goalsReached()).toEqual(['order:A-2:new']);
  });

  it('waits for a purchase that another transaction writes, without locking a goal of it', async () => {
    const now = new Date();
    const order: OrderInsert = {
      siteId,
      transactionId: 'A-1',
      status: 'purchased',
      origin: 'api',
      visitorId,
      userId: null,
      occurredAt: now,
      receivedAt: now,
      currency: null,
      revenue: 100,
      products: null,
      promoCode: null,
      weight: 1,
      attribution: { state: 'none' },
    };
    const other = await database.pool.connect();
    try {
      await other.query('begin');
      await insertOrders(other, [order]);
      const writing = inTransaction(database.pool, (client) => writeFacts(client, outcomeOf('A-1')));
      await eventually(
        async () =>
          (
            await database.pool.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%site_orders%'`,
            )
          ).rowCount === 1,
        'the ingest waits',
      );
      await insertConversions(
        other,
        purchaseConversions([order], [{ code: 'new', value: null, money: { currency: 'RUB', rates: {} } }]),
      );
      await other.query('commit');
      await writing;
    } finally {
      other.release(true);
    }
    const { rows } = await database.pool.query('select goal_source from site_conversions where site_id = $1', [siteId]);
    expect(rows).toEqual([{ goal_source: 'api' }]);
  });
});
