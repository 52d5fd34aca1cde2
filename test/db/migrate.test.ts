import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const readApplied = async () => (await database.pool.query('select * from migrations order by name')).rows;

/** The database as it is while `change` holds. */
async function whileChanged(change: string, undo: string, look: () => Promise<void>): Promise<void> {
  await database.pool.query(change);
  await look();
  await database.pool.query(undo);
}

describe('migrate', () => {
  it('does nothing twice, also when two do it at once', async () => {
    const before = await readApplied();
    await Promise.all([migrate(database.url), migrate(database.url)]);
    expect(before.length).toBeGreaterThan(5);
    expect(await readApplied()).toEqual(before);
  });

  it('refuses a file that was changed after it was applied', () =>
    whileChanged(
      `update migrations set hash = 'x' || hash where name = '0001_tenancy.sql'`,
      `update migrations set hash = substr(hash, 2) where name = '0001_tenancy.sql'`,
      () =>
        expect(migrate(database.url)).rejects.toThrow('migrations/0001_tenancy.sql was changed after it was applied'),
    ));

  it('refuses a database of a newer version, before it changes anything', () =>
    whileChanged(
      `with gone as (delete from migrations where name = '0001_tenancy.sql') insert into migrations (name, hash) values ('9998_a.sql', 'x'), ('9999_b.sql', 'x')`,
      `delete from migrations where name like '999%'`,
      () =>
        expect(migrate(database.url)).rejects.toThrow(
          'migrations/9998_a.sql, migrations/9999_b.sql were applied to this database and are missing here',
        ),
    ));
});
