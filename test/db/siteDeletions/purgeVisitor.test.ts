/** A visitor's removal from PostgreSQL: what it reads, and its concurrency with writers. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { purgeVisitor } from '../../../db/siteDeletions/purgeVisitor.ts';
import { lockVisitors } from '../../../db/visits/visitors.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { countLockWaits, untilWaiting } from '../../support/lockWaits.ts';
import { addToInbox, addVisitorWithVisit } from '../../support/people/siteFacts.ts';
import { addSite } from '../../support/people/sitePeople.ts';

let db: TestDatabase;
let siteId: string;
let visitorId: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await db.drop();
});
beforeEach(async () => {
  siteId = await addSite(db.pool);
  ({ visitorId } = await addVisitorWithVisit(db.pool, siteId));
  await db.pool.query(
    `insert into site_conversions (site_id, origin, id, goal, goal_source, visitor_id, occurred_at, attribution, shard) values ($1, 'api', $2, 'lead', 'api', $3, now(), 'none', $4)`,
    [siteId, randomUUID(), visitorId, shardOf(siteId)],
  );
  await db.pool.query(
    'insert into site_recounts (site_id, visitor_id, visit_id, shard) values ($1, $2, gen_random_uuid(), $3)',
    [siteId, visitorId, shardOf(siteId)],
  );
});

const VISIT = 'select from site_visits where site_id = $1 and visitor_id = $2 for no key update';
const FACT = 'select from site_conversions where site_id = $1 and visitor_id = $2 for no key update';
const TABLES = [
  'collect_inbox',
  'site_visitors',
  'site_visits',
  'site_conversions',
  'site_recounts',
  'site_visitor_users',
  'site_people',
];

async function countRows(): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>(
    `select (${TABLES.map((table) => `(select count(*) from ${table} where site_id = $1)`).join(' + ')})::int as count`,
    [siteId],
  );
  return rows[0]?.count ?? 0;
}

/** Takes one lock first, and the others when the purge waits for that one or has backed off once. */
async function whilePurging(
  first: (client: pg.PoolClient) => Promise<unknown>,
  second: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  let begun = 0;
  const pool: pg.Pool = Object.assign(Object.create(db.pool) as pg.Pool, {
    connect: () => {
      begun += 1;
      return db.pool.connect();
    },
  });
  const purged: { done: Promise<unknown> | null } = { done: null };
  await inTransaction(db.pool, async (client) => {
    await first(client);
    purged.done = purgeVisitor(pool, { siteId, visitorId });
    purged.done.catch(() => undefined);
    await eventually(async () => begun > 1 || (await countLockWaits(db.pool)) > 0, 'a purge that met the lock');
    await second(client);
  });
  await purged.done;
}

describe('purgeVisitor', () => {
  it('waits for an ingest that has locked the visitor, and removes what it wrote', async () => {
    await whilePurging(
      (client) => lockVisitors(client, [{ siteId, visitorId }]),
      async (client) => {
        await client.query(VISIT, [siteId, visitorId]);
        await client.query(FACT, [siteId, visitorId]);
        await applyUserData(client, siteId, [
          { visitorId, userId: 'new', fingerprint: null, data: { gender: 'male' }, source: 'user', at: new Date() },
        ]);
      },
    );
    expect(await countRows()).toBe(0);
  });

  it.each([
    ['facts', FACT, VISIT],
    ['visits', VISIT, FACT],
  ])('never blocks work that locks the visitor’s %s first', async (_name, first, second) => {
    const lock = (sql: string) => (client: pg.PoolClient) => client.query(sql, [siteId, visitorId]);
    await whilePurging(lock(first), lock(second));
    expect(await countRows()).toBe(0);
  });

  it('does not deadlock with an ingest of a visitor who was unknown when it began', async () => {
    await db.pool.query('delete from site_visitors where site_id = $1', [siteId]);
    await db.pool.query(
      `insert into collect_failed (id, shard, site_id, visitor_id, received_at, ip, user_agent, batch, error)
       values (-1, 0, $1, $2, now(), '', '', '{}', 'x')`,
      [siteId, visitorId],
    );
    const held = await db.pool.connect();
    await held.query('begin');
    await held.query('select from collect_failed where site_id = $1 for update', [siteId]);
    const purged = purgeVisitor(db.pool, { siteId, visitorId });
    purged.catch(() => undefined);
    await untilWaiting(db.pool, 1);
    await db.pool.query('insert into site_visitors (site_id, visitor_id) values ($1, $2)', [siteId, visitorId]);
    await inTransaction(db.pool, async (client) => {
      await lockVisitors(client, [{ siteId, visitorId }]);
      await held.query('commit');
      held.release();
      await eventually(
        async () =>
          (
            await db.pool.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%site_visitors%'`,
            )
          ).rowCount === 1,
        'a purge that waits for the visitor',
      );
      await applyUserData(client, siteId, [
        { visitorId, userId: 'new', fingerprint: null, data: { gender: 'male' }, source: 'user', at: new Date() },
      ]);
    });
    await purged;
    expect(await countRows()).toBe(0);
  });

  it('leaves requests in the inbox to the ingest that is handling them, which finds nobody any more', async () => {
    const [taken, left] = [await addToInbox(db.pool, siteId, visitorId), await addToInbox(db.pool, siteId, visitorId)];
    await inTransaction(db.pool, async (client) => {
      await client.query('delete from collect_inbox where id = $1', [taken]);
      await purgeVisitor(db.pool, { siteId, visitorId });
      expect(await lockVisitors(client, [{ siteId, visitorId }])).toEqual([]);
    });
    await eventually(async () => (await countRows()) === 0, `request ${left} gone as well`);
  });

  it('finds a visitor’s set-aside requests through an index', async () => {
    await db.pool.query(
      `insert into collect_failed (id, shard, site_id, visitor_id, received_at, ip, user_agent, batch, error)
       select -n, 0, $1, gen_random_uuid(), now(), '', '', '{}', 'x' from generate_series(1, 5000) n`,
      [siteId],
    );
    await db.pool.query('analyze collect_failed');
    const { rows } = await db.pool.query<{ 'QUERY PLAN': string }>(
      `explain delete from collect_failed where site_id = $1 and visitor_id = $2`,
      [siteId, visitorId],
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('collect_failed_visitor');
  });
});
