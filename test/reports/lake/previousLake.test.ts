/** An upgrade gives a lake that the previous release created everything that a new lake has. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openLake } from '../../../reports/lake/index.ts';
import type { LakeSettings } from '../../../reports/lake/lakeSettings.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { unpackPreviousRelease, type PreviousRelease } from '../../support/previousRelease.ts';

/** The part of the previous release that this test uses. */
interface PreviousLake {
  openLake(settings: LakeSettings): Promise<{ close(): Promise<void> }>;
}

let previous: PreviousRelease;
let databases: TestDatabase[];
let fresh: TestLake;
let dir: string;

beforeAll(async () => {
  [previous, databases, dir] = await Promise.all([
    unpackPreviousRelease(),
    Promise.all([createTestDatabase(), createTestDatabase()]),
    mkdtemp(join(tmpdir(), 'attune-previous-lake-')),
  ]);
  fresh = await openTestLake(databases[0]?.url ?? '');
});

afterAll(async () => {
  await fresh?.close();
  await Promise.all((databases ?? []).map((database) => database.drop()));
  await previous?.remove();
  await rm(dir, { recursive: true, force: true });
});

/** Returns the columns of all tables in their order, by table. */
async function columnsOf(lake: TestLake['lake']): Promise<Record<string, string[]>> {
  const rows = await lake.query<{ table_name: string; columns: string[] }>(
    `select table_name, array_agg(column_name || ' ' || data_type order by column_index) as columns
       from duckdb_columns() where database_name = 'lake' and schema_name = 'main' group by table_name`,
  );
  return Object.fromEntries(rows.map(({ table_name: table, columns }) => [table, columns]));
}

it('a lake of the previous release has the tables and columns of a new one after the upgrade (ADDITIONS in reports/lake/lakeSchema.ts)', async () => {
  const { openLake: openPrevious } = (await import(
    pathToFileURL(join(previous.root, 'reports/lake/index.ts')).href
  )) as PreviousLake;
  const settings: LakeSettings = {
    ...fresh.settings,
    databaseUrl: databases[1]?.url ?? '',
    data: { kind: 'local', dir: join(dir, 'lake') },
  };
  await (await openPrevious(settings)).close();
  const upgraded = await openLake(settings);
  try {
    const columns = await columnsOf(upgraded);
    expect(Object.keys(columns)).toContain('visits');
    expect(columns).toEqual(await columnsOf(fresh.lake));
  } finally {
    await upgraded.close();
  }
});
