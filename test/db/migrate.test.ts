import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const readApplied = async () => (await database.pool.query('select * from migrations order by name')).rows;

/** Applies `change`, looks at the database, and undoes the change. */
async function whileChanged(change: string, undo: string, look: () => Promise<void>): Promise<void> {
  await database.pool.query(change);
  await look();
  await database.pool.query(undo);
}

describe('migrate', () => {
  it('applies nothing twice, even if two run at once', async () => {
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

  it('keeps what a newer release has added, and names it', () =>
    whileChanged(
      `insert into migrations (name, hash) values ('9999_b.sql', 'x'), ('9998_a.sql', 'x')`,
      `delete from migrations where name like '999%'`,
      async () => {
        const before = await readApplied();
        expect(await migrate(database.url)).toEqual(['9998_a.sql', '9999_b.sql']);
        expect(await readApplied()).toEqual(before);
      },
    ));

  it('refuses a database to which a newer release did more than add, before changing anything', () =>
    whileChanged(
      `with gone as (delete from migrations where name = '0001_tenancy.sql')
       insert into migrations (name, hash, additive) values ('9998_a.sql', 'x', true), ('9999_b.sql', 'x', false)`,
      `delete from migrations where name like '999%'`,
      () =>
        expect(migrate(database.url)).rejects.toThrow(
          'migrations/9999_b.sql were applied to this database and are not',
        ),
    ));
});

describe('the first line of a migration', () => {
  let dir: string;
  let own: TestDatabase;

  beforeAll(async () => {
    own = await createTestDatabase();
    await own.pool.query('drop schema public cascade; create schema public');
    dir = await mkdtemp(join(tmpdir(), 'attune-migrations-'));
    await writeFile(join(dir, '0001_a.sql'), 'create table a (id int primary key, n int)');
  });
  afterAll(async () => {
    await own.drop();
    await rm(dir, { recursive: true });
  });

  const add = (name: string, sql: string): Promise<void> => writeFile(join(dir, name), sql);
  const marks = async () => (await own.pool.query('select name, additive from migrations order by name')).rows;
  const indexes = async () =>
    (
      await own.pool.query(`select indexrelid::regclass::text as name, indisvalid as valid from pg_index
                            where indrelid = 'a'::regclass and not indisprimary`)
    ).rows;

  it('can allow a large index to be built while others write, even if two migrate at once', async () => {
    await add('0002_b.sql', '-- no transaction\ncreate index concurrently if not exists a_n on a (n)');
    await Promise.all([migrate(own.url, dir), migrate(own.url, dir)]);
    expect(await indexes()).toEqual([{ name: 'a_n', valid: true }]);
  });

  it('lets a repeated run rebuild an index whose build failed', async () => {
    await own.pool.query('insert into a select n, n % 2 from generate_series(1, 10) n');
    const unique = 'create unique index concurrently if not exists a_unique on a (n)';
    await add('0003_c.sql', `-- no transaction\n${unique}`);
    await expect(migrate(own.url, dir)).rejects.toThrow('migrations/0003_c.sql failed');
    expect(await indexes()).toContainEqual({ name: 'a_unique', valid: false });
    await own.pool.query('update a set n = id');
    await migrate(own.url, dir);
    expect(await indexes()).toContainEqual({ name: 'a_unique', valid: true });
  });

  it('can say that an older release does not work with the result; that release then refuses the database', async () => {
    await add('0004_d.sql', '-- not additive: nothing reads it any more\nalter table a drop column n');
    await migrate(own.url, dir);
    expect(await marks()).toContainEqual({ name: '0004_d.sql', additive: false });
    await rm(join(dir, '0004_d.sql'));
    await expect(migrate(own.url, dir)).rejects.toThrow('migrations/0004_d.sql were applied to this database');
  });
});
