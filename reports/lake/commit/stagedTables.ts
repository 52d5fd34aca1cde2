/** Reads staged JSON into temporary tables of typed rows; DuckDB reads it from a temporary file. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StagedRows } from '../../../db/lake/batches.ts';
import { LAKE_KEYS, type LakeTable } from '../../../domain/reports/lakeRows.ts';
import { quotedText } from '../../sql/quotedText.ts';
import type { LakeConnection } from '../connection.ts';
import { isBadRow, LakeError } from '../lakeFaults.ts';
import { definitions, fromJson, jsonType, TABLE_NAMES } from '../tables.ts';

/** Returns the name of the connection's temporary table of rows staged for `lake.<table>`. */
export function stagedName(table: LakeTable): string {
  return `staged_${table}`;
}

/**
 * Fills `staged_<table>` for every table that has rows, keeping the last staged row of each key, and of an order only
 * the lines that were staged with that row.
 * @returns the tables that have rows
 * @throws if a row does not fit the table
 */
export async function loadStaged(
  connection: LakeConnection,
  tempDir: string,
  staged: readonly StagedRows[],
): Promise<LakeTable[]> {
  const tables = TABLE_NAMES.filter((table) => staged.some((rows) => rows.table === table));
  for (const table of tables) {
    await loadTable(
      connection,
      tempDir,
      table,
      staged.filter((rows) => rows.table === table),
    );
    if (table !== 'hits') await keepLast(connection, table);
  }
  if (tables.includes('orders') && tables.includes('order_lines')) await dropEarlierLines(connection);
  return tables;
}

/** Upper bound for the text around the rows of a batch. */
const WRAPPING = 1_024;

type Batch = Pick<StagedRows, 'batchId' | 'rows'>;

/**
 * Loads batches into a temporary table, whose rowids follow their order. All are written to one file, because DuckDB
 * keeps half a megabyte of each file that it reads until the last one is read (1.5.5): a thousand small batches would
 * exceed the usual memory of a lake.
 */
export async function loadTable(
  connection: LakeConnection,
  tempDir: string,
  table: LakeTable,
  batches: readonly Batch[],
): Promise<void> {
  const name = stagedName(table);
  const longest = batches.reduce((most, { rows }) => Math.max(most, Buffer.byteLength(rows)), 0);
  await connection.query(
    `create or replace temp table ${name} (${definitions(table, { strict: true })}, batch BIGINT NOT NULL)`,
  );
  await withFile(tempDir, batches, async (path) => {
    const read = connection.query(
      `insert into ${name} select ${fromJson(table)}, batch from (
         select batch, unnest("rows", max_depth := 2)
           from read_json(${quotedText(path)}, format = 'array', maximum_object_size = ${longest + WRAPPING}, columns = {batch: 'BIGINT', "rows": ${quotedText(`${jsonType(table)}[]`)}}))`,
    );
    await read.catch((error: unknown) => {
      throw isBadRow(error) ? new LakeError(`${(error as LakeError).message} (rows of ${table})`) : error;
    });
  });
}

/** Writes each batch, a JSON array, as `{batch, rows}`. */
async function withFile(dir: string, batches: readonly Batch[], work: (path: string) => Promise<void>): Promise<void> {
  const path = join(dir, `staged-${randomUUID()}.json`);
  try {
    await writeFile(path, pieces(batches));
    await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

function* pieces(batches: readonly Batch[]): Generator<string> {
  for (const [index, { batchId, rows }] of batches.entries())
    yield `${index === 0 ? '[' : ','}{"batch":${batchId},"rows":${rows}}`;
  yield batches.length === 0 ? '[]' : ']';
}

/** Keeps the last row of each key; the lines of an order are replaced together. */
async function keepLast(connection: LakeConnection, table: Exclude<LakeTable, 'hits'>): Promise<void> {
  const keys = LAKE_KEYS[table].join(', ');
  const isLast =
    table === 'order_lines'
      ? `batch = max(batch) over (partition by ${keys}) and row_number() over (partition by ${keys}, line order by rowid desc) = 1`
      : `row_number() over (partition by ${keys} order by rowid desc) = 1`;
  const name = stagedName(table);
  await connection.query(`delete from ${name} where rowid not in (select rowid from ${name} qualify ${isLast})`);
}

/** An order that was staged again without lines has none. */
async function dropEarlierLines(connection: LakeConnection): Promise<void> {
  const isOfOrder = LAKE_KEYS.order_lines.map((key) => `l.${key} = o.${key}`).join(' and ');
  await connection.query(
    `delete from ${stagedName('order_lines')} as l using ${stagedName('orders')} as o where ${isOfOrder} and l.batch < o.batch`,
  );
}
