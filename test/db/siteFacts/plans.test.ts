/** Queries of the inbox for a few facts read only their rows, whatever the backlog, with or without statistics. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createPool, inTransaction } from '../../../db/pool.ts';
import { giveFactsToUsers } from '../../../db/siteFacts/giveFactsToUsers.ts';
import { insertConversions } from '../../../db/siteFacts/insertFacts.ts';
import { attributePending } from '../../../db/siteFacts/attributePending.ts';
import { resolveOwners } from '../../../db/siteFacts/resolveOwners.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { createTestSite } from '../../api/support/testSite.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const MANY = 20_000;
/** Maximum number of rows read for a hundred facts with a few rows each, read a few times. */
const FEW = 3_000;

let database: TestDatabase;
/** A pool configured as in the API and the ingest. */
let pool: pg.Pool;
let site: string;

/**
 * The backlog of a busy site: 20,000 visitors with a user, a visit, an old conversion and a waiting batch; every
 * tenth batch names a user.
 */
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, size: 1, applicationName: 'attune-test-plans', looksUpByIndex: true });
  site = (await createTestSite(database.pool)).id;
  const fill = (sql: string) => database.pool.query(sql, [site, MANY, shardOf(site)]);
  const rows = 'from generate_series(1, $2) n where $3::smallint >= 0';
  await fill(
    `insert into site_visitors (site_id, visitor_id, user_id) select $1, md5(n::text)::uuid, 'u-' || n ${rows}`,
  );
  await fill(
    `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, state) select $1, md5(n::text)::uuid, md5('v' || n)::uuid, $3::smallint, now() - interval '1 hour', now(), '{}' ${rows}`,
  );
  await fill(
    `insert into site_conversions (site_id, origin, id, goal, goal_source, visitor_id, occurred_at, attribution, shard, lake_batch) select $1, 'api', n::text, 'g', 'api', md5(n::text)::uuid, now(), 'none', $3::smallint, 1 ${rows}`,
  );
  await fill(`insert into collect_inbox (shard, site_id, visitor_id, received_at, ip, user_agent, batch, user_ids, first_at)
              select $3::smallint, $1, md5(n::text)::uuid, now(), '192.0.2.1', 'x', '{"device": null, "events": []}', case when n % 10 = 0 then array['u-' || n] end, now() ${rows}`);
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

/** @param tables a regular expression for the beginning of their names */
async function rowsRead(client: pg.PoolClient, tables = 'site_|collect_inbox'): Promise<number> {
  const { rows } = await client.query<{ read: string }>(
    `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as read from pg_stat_xact_user_tables where relname ~ $1`,
    [`^(${tables})`],
  );
  return Number(rows[0]?.read);
}

const HUNDRED = Array.from({ length: 100 }, (_, index) => `u-${index + 1}`);
const HOUR_AGO = new Date(Date.now() - 3_600_000);

/** Stores pending facts of users, sent before the waiting batches were received. */
const pendingOfUsers = async (client: pg.PoolClient): Promise<void> => {
  await insertConversions(
    client,
    HUNDRED.map((userId) => ({
      siteId: site,
      origin: 'api',
      id: randomUUID(),
      goal: 'g',
      goalSource: 'api',
      visitorId: null,
      userId,
      occurredAt: new Date(),
      receivedAt: HOUR_AGO,
      value: null,
      weight: 1,
      attribution: { state: 'pending' },
    })),
  );
};

const WORK: [string, (client: pg.PoolClient) => Promise<void>, (client: pg.PoolClient) => Promise<unknown>][] = [
  [
    'attributes facts of users while everybody has newer hits in the inbox',
    pendingOfUsers,
    async (client) => expect(await attributePending(client, shardOf(site), 2_000)).toBe(100),
  ],
  [
    'leaves facts of users that wait',
    async (client) => {
      await pendingOfUsers(client);
      await client.query(`update site_conversions set received_at = now() where attribution = 'pending'`);
    },
    async (client) => expect(await attributePending(client, shardOf(site), 2_000)).toBe(0),
  ],
  [
    'resolves users',
    async () => {},
    async (client) => {
      const found = await resolveOwners(
        client,
        site,
        HUNDRED.map((userId) => ({ visitorId: null, userId, occurredAt: new Date() })),
      );
      expect(found.map((fact) => fact?.attribution.state)).toEqual(HUNDRED.map(() => 'pending'));
    },
  ],
  [
    'looks up unknown users',
    async () => {},
    async (client) =>
      expect(
        await resolveOwners(
          client,
          site,
          HUNDRED.map((userId) => ({ visitorId: null, userId: `${userId}-none`, occurredAt: new Date() })),
        ),
      ).toEqual(HUNDRED.map(() => null)),
  ],
  [
    'gives facts to a user',
    async () => {},
    async (client) => {
      const { rows } = await client.query<{ visitorId: string }>(
        `select md5(n::text)::uuid as "visitorId" from generate_series(1, 100) n`,
      );
      await giveFactsToUsers(
        client,
        site,
        rows.map(({ visitorId }) => ({ visitorId, userId: 'u' })),
      );
      expect((await client.query(`select from site_conversions where user_id = 'u'`)).rowCount).toBe(100);
    },
  ],
];

describe.each([
  ['without statistics', ''],
  ['with statistics', 'analyze'],
])('PostgreSQL %s', (_name, sql) => {
  beforeAll(async () => {
    await database.pool.query(sql);
  });

  it.each(WORK)('reads few rows when it %s', async (_work, prepare, work) => {
    const undone = inTransaction(pool, async (client) => {
      await prepare(client);
      const before = await rowsRead(client);
      await work(client);
      const read = (await rowsRead(client)) - before;
      expect(read).toBeLessThan(FEW);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
  });

  it('reads the row of a visitor once to find the user of a fact', async () => {
    const undone = inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ visitorId: string }>(
        `insert into site_visitor_users (site_id, visitor_id, user_id, linked_at)
         select $1, md5(n::text)::uuid, 'u-' || n, now() - interval '1 hour' from generate_series(1, 100) n
         returning visitor_id as "visitorId"`,
        [site],
      );
      const before = await rowsRead(client, 'site_visitors$');
      await insertConversions(
        client,
        rows.map(({ visitorId }) => ({
          siteId: site,
          origin: 'tag',
          id: randomUUID(),
          goal: 'g',
          goalSource: 'tag',
          visitorId,
          userId: null,
          occurredAt: new Date(),
          receivedAt: new Date(),
          value: null,
          weight: 1,
          attribution: { state: 'none' },
        })),
      );
      expect((await rowsRead(client, 'site_visitors$')) - before).toBe(100);
      const { rowCount } = await client.query(
        `select from site_conversions where origin = 'tag' and user_id like 'u-%'`,
      );
      expect(rowCount).toBe(100);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
  });
});
