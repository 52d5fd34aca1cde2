/** Tables of tenants can be distributed by tenant: the primary key of each begins with the tenant's id. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Tables that name a tenant and have another key, or none, and why. */
const OTHER_KEYS: Record<string, string> = {
  audit_log: 'the log of the installation, which names a project or a site where there is one',
  collect_failed: 'set aside for a person to look at, under the keys of collect_inbox',
  collect_inbox: 'a queue of seconds, in the order of arrival',
  forgotten_lots: 'searched as a whole, and removed after ten minutes',
  lake_failed: 'set aside for a person to look at',
  outbox: 'a queue of seconds, in the order of its priorities',
  projects: 'its key is the id of the tenant; the site is that of its pages',
  recent_states: 'read and removed by time, within an hour',
};

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

// proves: decisions-storage/tenant-keys
it('the primary key of each table with a project_id or site_id begins with it, except for OTHER_KEYS', async () => {
  const { rows } = await database.pool.query<{ name: string; first: string | null }>(
    `select c.relname as name,
            (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
              where i.indrelid = c.oid and i.indisprimary) as first
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname in ('project_id', 'site_id') and not a.attisdropped)
      order by c.relname`,
  );
  expect(rows.length).toBeGreaterThan(60);
  const others = rows.filter(({ first }) => first !== 'project_id' && first !== 'site_id').map(({ name }) => name);
  expect(others).toEqual(Object.keys(OTHER_KEYS));
});
