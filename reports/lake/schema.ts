/** Makes the tables of the lake and brings them up to date, one process at a time. */
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { withLakeVersion } from '../../db/lakeVersions.ts';
import type { LakeTable } from '../../domain/lakeRows.ts';
import { connectionOf, inLakeTransaction } from './connection.ts';
import { CATALOGUE_SCHEMA } from './database.ts';
import { createFormerRobots } from './formerRobots.ts';
import { createLayouts } from './layouts.ts';
import type { LakeSettings } from './settings.ts';
import { definitions, SORT_ORDER, TABLE_NAMES, TIME_COLUMN } from './tables.ts';

/** A Parquet file does not grow beyond it by merging. */
const TARGET_FILE_SIZE = '256MB';

/**
 * The statements of each version; a step may be run again after it was cut off. Steps are only ever added, and each one closes
 * the way back: the previous release refuses a newer version, and it writes by position, so another column is one too.
 * Columns that can be a table of their own belong to ADDITIONS.
 */
const STEPS: readonly (readonly string[])[] = [
  [
    ...TABLE_NAMES.flatMap(createTable),
    `call lake.set_option('parquet_compression', 'zstd')`,
    `call lake.set_option('target_file_size', '${TARGET_FILE_SIZE}')`,
  ],
  [
    // A quarter more bytes than zstd, which reports read in a quarter less time (docs/performance.md). Files become it as they are merged.
    `call lake.set_option('parquet_compression', 'lz4_raw')`,
    setSorted('visits'),
  ],
];

/**
 * Later statements that change nothing that the steps made, so that the previous release goes on reading and writing
 * the lake. Each may be run again. They are only ever added.
 */
const ADDITIONS: readonly (readonly string[])[] = [
  createLayouts(),
  createFormerRobots(),
  // Nothing in the lake: its catalogue gets the trigger forget_extremes (db/lakeVersions.ts).
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

/** @param open attaches the lake, which makes its catalogue the first time */
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
