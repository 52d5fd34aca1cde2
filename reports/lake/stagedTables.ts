/** Staged JSON becomes temporary tables of typed rows; DuckDB reads it, from files of the moment. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StagedRows } from '../../db/lakeBatches.ts';
import { LAKE_KEYS, type LakeTable } from '../../domain/lakeRows.ts';
import { literal } from './database.ts';
import type { LakeConnection } from './connection.ts';
import { isBadRow, LakeError } from './faults.ts';
import { definitions, fromJson, jsonTypes, TABLE_NAMES } from './tables.ts';

/** The temporary table of a connection with what is staged for `lake.<table>`. */
export function stagedName(table: LakeTable): string {
  return `staged_${table}`;
}

/**
 * Fills `staged_<table>` of every table that has rows, of each key only what was staged last.
 * @returns the tables that have rows
 * @throws when a row is not what the table holds
 */
export async function loadStaged(connection: LakeConnection, tempDir: string, staged: readonly StagedRows[]): Promise<LakeTable[]> {
  const tables = TABLE_NAMES.filter((table) => staged.some((rows) => rows.table === table));
  for (const table of tables) {
    await loadTable(connection, tempDir, table, staged.filter((rows) => rows.table === table).map(({ rows }) => rows));
    if (table !== 'hits') await keepLast(connection, table);
  }
  return tables;
}

/** Rowids of a temporary table follow the order of reading, which is that of the files. */
export async function loadTable(connection: LakeConnection, tempDir: string, table: LakeTable, texts: readonly string[]): Promise<void> {
  const name = stagedName(table);
  await connection.query(`create or replace temp table ${name} (${definitions(table, { strict: true })}, batch INTEGER NOT NULL)`);
  await withFiles(tempDir, texts, async (paths) => {
    const read = connection.query(
      `insert into ${name} select ${fromJson(table)}, regexp_extract(filename, '(\\d+)\\.json$', 1)::INTEGER
       from read_json([${paths.map(literal).join(', ')}], format = 'array', columns = ${jsonTypes(table)}, filename = true)`,
    );
    await read.catch((error: unknown) => {
      throw isBadRow(error) ? new LakeError(`${(error as LakeError).message} (rows of ${table})`) : error;
    });
  });
}

async function withFiles(dir: string, texts: readonly string[], work: (paths: string[]) => Promise<void>): Promise<void> {
  const folder = join(dir, `staged-${randomUUID()}`);
  await mkdir(folder);
  try {
    const paths = texts.map((_text, number) => join(folder, `${String(number).padStart(6, '0')}.json`));
    for (const [number, path] of paths.entries()) await writeFile(path, texts[number] ?? '[]');
    await work(paths);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A row replaces those of its key; the lines of an order are replaced all at once. */
async function keepLast(connection: LakeConnection, table: Exclude<LakeTable, 'hits'>): Promise<void> {
  const keys = LAKE_KEYS[table].join(', ');
  const isLast = table === 'order_lines'
    ? `batch = max(batch) over (partition by ${keys}) and row_number() over (partition by ${keys}, line order by rowid desc) = 1`
    : `row_number() over (partition by ${keys} order by rowid desc) = 1`;
  const name = stagedName(table);
  await connection.query(`delete from ${name} where rowid not in (select rowid from ${name} qualify ${isLast})`);
}
