/** Staged JSON becomes temporary tables of typed rows; DuckDB reads it, from a file of the moment. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StagedRows } from '../../db/lakeBatches.ts';
import { LAKE_KEYS, type LakeTable } from '../../domain/lakeRows.ts';
import { literal } from './database.ts';
import type { LakeConnection } from './connection.ts';
import { isBadRow, LakeError } from './faults.ts';
import { definitions, fromJson, jsonType, TABLE_NAMES } from './tables.ts';

/** The temporary table of a connection with what is staged for `lake.<table>`. */
export function stagedName(table: LakeTable): string {
  return `staged_${table}`;
}

/**
 * Fills `staged_<table>` of every table that has rows, of each key only what was staged last.
 * @returns the tables that have rows
 * @throws when a row is not what the table holds
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
      staged.filter((rows) => rows.table === table).map(({ rows }) => rows),
    );
    if (table !== 'hits') await keepLast(connection, table);
  }
  return tables;
}

/** More than the words around the rows of a batch. */
const WRAPPING = 1_024;

/**
 * Rowids of a temporary table follow the order of reading, which is that of the texts. All of them are one file, for
 * DuckDB keeps half a megabyte of every file that it reads until the last one is read (1.5.5): a thousand small batches
 * would never go into a lake of ordinary memory.
 */
export async function loadTable(
  connection: LakeConnection,
  tempDir: string,
  table: LakeTable,
  texts: readonly string[],
): Promise<void> {
  const name = stagedName(table);
  const longest = texts.reduce((most, text) => Math.max(most, Buffer.byteLength(text)), 0);
  await connection.query(
    `create or replace temp table ${name} (${definitions(table, { strict: true })}, batch INTEGER NOT NULL)`,
  );
  await withFile(tempDir, texts, async (path) => {
    const read = connection.query(
      `insert into ${name} select ${fromJson(table)}, batch from (
         select batch, unnest("rows", max_depth := 2)
           from read_json(${literal(path)}, format = 'array', maximum_object_size = ${longest + WRAPPING}, columns = {batch: 'INTEGER', "rows": ${literal(`${jsonType(table)}[]`)}}))`,
    );
    await read.catch((error: unknown) => {
      throw isBadRow(error) ? new LakeError(`${(error as LakeError).message} (rows of ${table})`) : error;
    });
  });
}

/** Each text, a JSON array, becomes `{batch, rows}`. */
async function withFile(dir: string, texts: readonly string[], work: (path: string) => Promise<void>): Promise<void> {
  const path = join(dir, `staged-${randomUUID()}.json`);
  try {
    await writeFile(path, pieces(texts));
    await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

function* pieces(texts: readonly string[]): Generator<string> {
  for (const [batch, rows] of texts.entries()) yield `${batch === 0 ? '[' : ','}{"batch":${batch},"rows":${rows}}`;
  yield texts.length === 0 ? '[]' : ']';
}

/** A row replaces those of its key; the lines of an order are replaced all at once. */
async function keepLast(connection: LakeConnection, table: Exclude<LakeTable, 'hits'>): Promise<void> {
  const keys = LAKE_KEYS[table].join(', ');
  const isLast =
    table === 'order_lines'
      ? `batch = max(batch) over (partition by ${keys}) and row_number() over (partition by ${keys}, line order by rowid desc) = 1`
      : `row_number() over (partition by ${keys} order by rowid desc) = 1`;
  const name = stagedName(table);
  await connection.query(`delete from ${name} where rowid not in (select rowid from ${name} qualify ${isLast})`);
}
