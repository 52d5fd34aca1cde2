import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { grantReports, REPORT_COLUMNS, REPORT_TABLES } from '../../../db/reports/enginePrivileges.ts';
import { openLake } from '../../../reports/lake/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { createReportRole, type ReportRole } from '../../support/lake/reportRole.ts';

let database: TestDatabase;
let role: ReportRole;
let client: pg.Client;
let lake: TestLake;

beforeAll(async () => {
  database = await createTestDatabase();
  role = await createReportRole(database);
  client = new pg.Client({ connectionString: role.url });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await lake?.close();
  await role?.drop();
  await database?.drop();
});

describe('the database role of the report engines', () => {
  it('reads a lake that another role has created since', async () => {
    const { rows } = await database.pool.query(`select 1 from pg_tables where schemaname = 'lake'`);
    expect(rows).toEqual([]);
    lake = await openTestLake(database.url);
    const reader = await openLake({ ...lake.settings, databaseUrl: role.url, readOnly: true });
    expect(await reader.query('select count(*) as n from lake.hits')).toEqual([{ n: 0n }]);
    await expect(reader.query('delete from lake.hits')).rejects.toThrow(/read-only/);
    await reader.close();
  });

  it('reads the tables that reports use, and no others', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p', 'm') and has_table_privilege(oid, 'select') order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([...REPORT_TABLES]);
    const { rows: columns } = await client.query<{ name: string }>(
      `select attrelid::regclass || '.' || attname as name from pg_attribute where attnum > 0 and not attisdropped
          and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p', 'm'))
          and has_column_privilege(attrelid, attnum, 'select') and not has_table_privilege(attrelid, 'select') order by attnum`,
    );
    expect(columns.map(({ name }) => name)).toEqual(REPORT_COLUMNS.sites.map((column) => `sites.${column}`));
    for (const secret of ['webhooks', 'project_keys', 'identities', 'profiles', 'items'])
      await expect(client.query(`select * from ${secret}`)).rejects.toThrow('permission denied');
  });

  it('reads no secret of a site, not even after a release that allowed it to read the whole table', async () => {
    await database.pool.query(`grant select on sites to ${client.user}`);
    await client.query('select identity_secret from sites');
    await grantReports(database.url, role.url);
    await expect(client.query('select identity_secret from sites')).rejects.toThrow('permission denied');
    await client.query('select id, asks_for_proof from sites');
    await client.query('select * from network_sites');
  });

  it('writes nothing, not even if it overrides the default of its sessions', async () => {
    await expect(client.query('delete from sites')).rejects.toThrow(/permission denied|read-only/);
    await client.query('set default_transaction_read_only = off');
    for (const statement of [
      'delete from sites',
      'insert into lake_versions values (99)',
      'create table t (n int)',
      'delete from lake.ducklake_snapshot',
    ])
      await expect(client.query(statement)).rejects.toThrow('permission denied');
  });

  it('is named in the error if it is missing; the owner of the database needs no separate role', async () => {
    const missing = new URL(database.url);
    missing.username = 'nobody_here';
    await expect(grantReports(database.url, missing.href)).rejects.toThrow(
      'there is no account nobody_here. As the superuser: create role',
    );
    expect(await grantReports(database.url, database.url)).toBe(false);
  });
});
