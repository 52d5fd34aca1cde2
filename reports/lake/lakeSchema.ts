/** Creates and upgrades the tables of the lake (tables.ts), one process at a time. */
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { withLakeVersion } from '../../db/lake/versions.ts';
import type { LakeTable } from '../../domain/reports/lakeRows.ts';
import { connectionOf, inLakeTransaction } from './connection.ts';
import { CATALOGUE_SCHEMA } from './database.ts';
import { createFormerRobots } from './formerRobots.ts';
import { createLayouts } from './layouts.ts';
import type { LakeSettings } from './lakeSettings.ts';
import { definitions, SORT_ORDER, TABLE_NAMES, TIME_COLUMN } from './tables.ts';

/** Maximum size of a merged Parquet file. */
const TARGET_FILE_SIZE = '256MB';

/**
 * The statements of each version; a step may run again after an interruption. Steps are only ever appended, and each
 * prevents a rollback: the previous release refuses a newer version. As it writes by position, an added column is a
 * step too. Columns that can be in a separate table belong to ADDITIONS.
 */
const STEPS: readonly (readonly string[])[] = [
  [
    ...TABLE_NAMES.flatMap(createTable),
    `call lake.set_option('parquet_compression', 'zstd')`,
    `call lake.set_option('target_file_size', '${TARGET_FILE_SIZE}')`,
  ],
  [
    // A quarter more bytes than zstd, but reports read it in up to a quarter less time (docs/performance.md). Files are
    // converted when they are merged.
    `call lake.set_option('parquet_compression', 'lz4_raw')`,
    setSorted('visits'),
  ],
];

/**
 * Later statements that change nothing that the steps created, so that the previous release can still read and write
 * the lake. Each may run again. They are only ever appended.
 */
const ADDITIONS: readonly (readonly string[])[] = [
  createLayouts(),
  createFormerRobots(),
  // Changes nothing in the lake: its catalogue gets the trigger forget_extremes (db/lake/versions.ts).
  [],
];

function createTable(table: LakeTable): string[] {
  const time = TIME_COLUMN[table];
  return [
    `create table if not exists lake.${table} (${definitions(table, { strict: false })})`,
    `alter table lake.${table} set partitioned by (year(${time}), month(${time}))`,
    setSorted(table),
  ];
}

function setSorted(table: LakeTable): string {
  return `alter table lake.${table} set sorted by (${SORT_ORDER[table]})`;
}

/**
 * Brings the schema up to date.
 * @param open attaches the lake, which creates its catalogue the first time
 */
export async function ensureSchema(
  settings: LakeSettings,
  open: () => Promise<DuckDBInstance>,
): Promise<DuckDBInstance> {
  return withLakeVersion(
    settings.databaseUrl,
    {
      newest: { version: STEPS.length, additions: ADDITIONS.length },
      schema: CATALOGUE_SCHEMA,
      readOnly: settings.readOnly === true,
    },
    open,
    async (instance, { version, additions }) => {
      const connection = await instance.connect();
      try {
        await runSteps(connection, [...STEPS.slice(version), ...ADDITIONS.slice(additions)]);
      } finally {
        connection.closeSync();
      }
    },
  );
}

async function runSteps(connection: DuckDBConnection, steps: readonly (readonly string[])[]): Promise<void> {
  await inLakeTransaction(connectionOf(connection), async () => {
    for (const statement of steps.flat()) await connection.run(statement);
  });
}
