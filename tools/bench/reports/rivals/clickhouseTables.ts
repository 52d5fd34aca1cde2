/** The rows of the lake in MergeTree tables, sorted as reports read them. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LakeTable } from '../../../../domain/reports/lakeRows.ts';
import type { Lake } from '../../../../reports/lake/index.ts';
import { TIME_COLUMN } from '../../../../reports/lake/tables.ts';
import { flatColumns, flatSelect, TABLE_NAMES } from './columns.ts';
import type { ClickHouse } from './clickhouse.ts';

const TYPES: Readonly<Record<string, string>> = {
  UUID: 'UUID',
  TIMESTAMP: `DateTime64(3, 'UTC')`,
  SMALLINT: 'Int16',
  INTEGER: 'Int32',
  DOUBLE: 'Float64',
  BOOLEAN: 'Bool',
  'DECIMAL(24,6)': 'Decimal(24, 6)',
};

/**
 * Strings that differ in nearly every row; all others have few values, for which ClickHouse's users choose
 * LowCardinality.
 */
const MANY_VALUES = new Set([
  'page_url',
  'user_id',
  'conversion_id',
  'transaction_id',
  'entry_url',
  'exit_url',
  'params',
  'selector',
  'page_title',
  'referrer',
  'target',
]);
const isOne = (name: string): boolean =>
  MANY_VALUES.has(name) || name.endsWith('click_id') || name.endsWith('referrer_url') || name.endsWith('search_phrase');

const ORDER: Readonly<Record<LakeTable, string>> = {
  hits: 'site_id, visit_started_at, visitor_id, at',
  visits: 'site_id, started_at, visitor_id',
  conversions: 'site_id, at',
  orders: 'site_id, at',
  order_lines: 'site_id, at, transaction_id, line',
};

/** @param audience a file of exportAudience.ts */
export async function loadClickHouse(
  clickhouse: ClickHouse,
  lake: Lake,
  folder: string,
  audience: string,
): Promise<void> {
  await clickhouse.execute('drop database if exists lake');
  await clickhouse.execute('create database lake');
  for (const table of TABLE_NAMES) {
    await clickhouse.execute(createTable(table));
    await copyRows(clickhouse, lake, table, folder);
    await clickhouse.execute(`optimize table lake.${table} final`);
  }
  await clickhouse.execute(
    'create table lake.audience (site_id LowCardinality(String), visitor_id UUID, gender LowCardinality(Nullable(String)), age_group LowCardinality(Nullable(String))) engine = MergeTree order by (site_id, visitor_id)',
  );
  await clickhouse.execute(`insert into lake.audience select * from file('${audience}', Parquet)`);
}

function createTable(table: LakeTable): string {
  const columns = flatColumns(table).map(({ name, type, required }) => {
    const known = TYPES[type];
    if (known !== undefined) return `${name} ${required ? known : `Nullable(${known})`}`;
    const text = required ? 'String' : 'Nullable(String)';
    return `${name} ${isOne(name) ? text : `LowCardinality(${text})`}`;
  });
  const time = TIME_COLUMN[table].replaceAll('"', '');
  return `create table lake.${table} (${columns.join(', ')}) engine = MergeTree partition by toYYYYMM(${time}) order by (${ORDER[table]})`;
}

/** Copies through Parquet files of one month each, which both engines read and write best. */
async function copyRows(clickhouse: ClickHouse, lake: Lake, table: LakeTable, folder: string): Promise<void> {
  const time = TIME_COLUMN[table];
  const months = await lake.query<{ month: string }>(
    `select distinct strftime(${time}, '%Y-%m-01') as month from lake.${table} order by month`,
  );
  const file = join(folder, 'month.parquet');
  for (const { month } of months) {
    await lake.query(
      `copy (select ${flatSelect(table)} from lake.${table} where ${time} >= TIMESTAMP '${month}' and ${time} < TIMESTAMP '${month}' + interval 1 month) to '${file}' (format parquet, compression snappy)`,
    );
    await clickhouse.execute(
      `insert into lake.${table} select * from file('${file}', Parquet) settings max_insert_threads = 2`,
    );
  }
  await rm(file, { force: true });
}
