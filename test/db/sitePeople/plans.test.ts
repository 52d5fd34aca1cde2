/** Work for a few people reads only their rows, whatever the size of the site, with or without statistics. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { deleteVisitorData } from '../../../db/sitePeople/deleteSitePerson.ts';
import { findUsers, readAudience } from '../../../db/sitePeople/readAudience.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSite } from '../../support/people/sitePeople.ts';

const PEOPLE = 20_000;
/**
 * Maximum number of rows read for ten people with two values and two interests each, which are read and written a
 * few times, and as many people of another site.
 */
const FEW = 1_000;

let db: TestDatabase;
let sites: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  sites = [await addSite(db.pool, { network: true }), await addSite(db.pool, { network: true })];
  for (const site of sites) {
    const add = (sql: string) => db.pool.query(sql, [site, PEOPLE]);
    await add(
      `insert into site_people (site_id, kind, person_id, email_hash) select $1, 'user', 'u-' || n, sha256(n::text::bytea) from generate_series(1, $2) n`,
    );
    await add(
      `insert into site_person_values (site_id, kind, person_id, source, attribute, field, value, at) select $1, 'user', 'u-' || n, 'user', a, a, 'x', now() - interval '1 day' from generate_series(1, $2) n, unnest('{gender,industry}'::text[]) a`,
    );
    await add(
      `insert into site_person_interests select $1, 'user', 'u-' || n, 'user', true, t, 1, false, now() from generate_series(1, $2) n, unnest('{music,cinema}'::text[]) t`,
    );
    await add(
      `insert into site_visitors (site_id, visitor_id, user_id) select $1, md5(n::text)::uuid, 'u-' || n from generate_series(1, $2) n`,
    );
    await add(
      `insert into site_visitor_users (site_id, visitor_id, user_id) select $1, md5(n::text)::uuid, 'u-' || n from generate_series(1, $2) n`,
    );
  }
});

afterAll(async () => {
  await db?.drop();
});

const TEN = Array.from({ length: 10 }, (_, index) => `u-${index * 100 + 1}`);
const visitorOf = async (client: pg.PoolClient, userId: string): Promise<string> =>
  (await client.query<{ id: string }>('select md5($1)::uuid as id', [userId.slice(2)])).rows[0]?.id ?? '';

/** Counts the rows of the people tables that a transaction has read so far. */
async function rowsRead(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ read: string }>(
    `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as read from pg_stat_xact_user_tables where relname ~ '^site_(person|people|visitor)'`,
  );
  return Number(rows[0]?.read);
}

const WORK: [string, (client: pg.PoolClient, site: string) => Promise<unknown>][] = [
  [
    'storing values of ten users',
    (client, site) =>
      applyUserData(
        client,
        site,
        TEN.map((userId) => ({
          visitorId: null,
          userId,
          fingerprint: null,
          data: { gender: 'male', interests: ['music'], email_hash: Buffer.alloc(32, userId).toString('base64url') },
          source: 'user',
          at: new Date(),
        })),
      ),
  ],
  [
    'a login',
    async (client, site) =>
      applyUserData(client, site, [
        {
          visitorId: await visitorOf(client, 'u-7'),
          userId: 'u-8',
          fingerprint: null,
          data: { gender: 'female' },
          source: 'user',
          at: new Date(),
        },
      ]),
  ],
  [
    'reading ten users',
    async (client, site) =>
      expect(
        (
          await readAudience(
            client,
            site,
            TEN.map((id) => ({ kind: 'user', id })),
          )
        ).size,
      ).toBe(10),
  ],
  ['looking up ten users', async (client, site) => expect((await findUsers(client, site, TEN)).size).toBe(10)],
  ['a deletion', async (client, site) => deleteVisitorData(client, site, await visitorOf(client, 'u-9'))],
];

describe.each([
  ['without statistics', ''],
  ['with statistics', 'analyze'],
])('%s', (_name, sql) => {
  beforeAll(async () => {
    await db.pool.query(sql);
  });

  it.each(WORK)('%s reads few rows', async (_work, work) => {
    const undone = inTransaction(db.pool, async (client) => {
      await work(client, sites[0] ?? '');
      const read = await rowsRead(client);
      expect(read).toBeLessThan(FEW);
      expect(read).toBeGreaterThan(0);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
  });
});
