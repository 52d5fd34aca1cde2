/** Makes the tables of the lake and brings them up to date, one process at a time. */
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { withLakeVersion } from '../../db/lakeVersions.ts';
import type { LakeTable } from '../../domain/lakeRows.ts';
import { connectionOf, inLakeTransaction } from './connection.ts';
import { CATALOGUE_SCHEMA } from './database.ts';
import type { LakeSettings } from './settings.ts';
import { definitions, SORT_ORDER, TABLE_NAMES, TIME_COLUMN } from './tables.ts';

/** A Parquet file does not grow beyond it by merging. */
const TARGET_FILE_SIZE = '256MB';

/**
 * What each version adds; a step may be run again after it was cut off. Steps are only ever added: a change
 * of tables.ts needs one (`alter table … add column if not exists`).
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
  // For maps of clicks and scrolls.
  [
    ...['element_x', 'element_y'].map((name) => addToHits(name, 'DOUBLE')),
    ...['viewport_width', 'viewport_height', 'document_width', 'document_height'].map((name) =>
      addToHits(name, 'INTEGER'),
    ),
  ],
];

function addToHits(column: string, type: string): string {
  return `alter table lake.hits add column if not exists ${column} ${type}`;
}

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
    { newest: STEPS.length, schema: CATALOGUE_SCHEMA, readOnly: settings.readOnly === true },
    open,
    async (instance, version) => {
      const connection = await instance.connect();
      try {
        await runSteps(connection, STEPS.slice(version));
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
