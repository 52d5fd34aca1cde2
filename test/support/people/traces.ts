/** Searches for a person's data where no API reaches: in a raw dump, in files of the lake and in blobs. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { connectionOf } from '../../../reports/lake/connection.ts';
import type { Lake } from '../../../reports/lake/index.ts';
import { testPostgresTools } from '../programs/engines.ts';

const run = promisify(execFile);
const MAX_BYTES = 256 * 1024 * 1024;

/** A place that contains one of the texts: the table or the file, and the text. */
export type Trace = [place: string, text: string];

/**
 * Finds the tables whose lines contain one of the texts, in a dump of the whole database including the lake's
 * catalogue.
 */
export async function tracesInDump(databaseUrl: string, texts: readonly string[]): Promise<Trace[]> {
  const tool = join(await testPostgresTools(), 'pg_dump');
  const { stdout } = await run(tool, ['--format', 'plain', databaseUrl], { maxBuffer: MAX_BYTES });
  return tracesInSql(stdout, texts);
}

/** Searches an existing dump, as ops/backup.sh makes it, in the same way. */
export async function tracesInArchive(file: string, texts: readonly string[]): Promise<Trace[]> {
  const tool = join(await testPostgresTools(), 'pg_restore');
  const { stdout } = await run(tool, ['--file', '-', file], { maxBuffer: MAX_BYTES });
  return tracesInSql(stdout, texts);
}

function tracesInSql(sql: string, texts: readonly string[]): Trace[] {
  const traces: Trace[] = [];
  let table = '';
  for (const line of sql.split('\n')) {
    table = /^COPY (\S+)/.exec(line)?.[1] ?? table;
    for (const text of texts) if (line.includes(text)) traces.push([table, text]);
  }
  return withoutRepeats(traces);
}

/**
 * Searches every file of the lake, including those that no snapshot references any more. Parquet is compressed, so
 * DuckDB reads it.
 */
export async function tracesInLakeFiles(
  lake: Pick<Lake, 'query'>,
  folder: string,
  texts: readonly string[],
): Promise<Trace[]> {
  const traces: Trace[] = [];
  for (const name of await filesIn(folder)) {
    const rows = await lake.query<{ row: string }>(
      `select t::varchar as row from read_parquet('${join(folder, name)}', hive_partitioning => false) t`,
    );
    for (const text of texts)
      if (rows.some(({ row }) => row.includes(text))) traces.push([name.split('/').slice(0, 2).join('/'), text]);
  }
  return withoutRepeats(traces);
}

/** Searches the files in the same way without an open lake: any DuckDB can read them. */
export async function tracesInClosedLake(folder: string, texts: readonly string[]): Promise<Trace[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    return await tracesInLakeFiles(connectionOf(connection), folder, texts);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Searches the names and the bytes of every file of a folder; gzip is unpacked first. */
export async function tracesInFiles(folder: string, texts: readonly string[]): Promise<Trace[]> {
  const traces: Trace[] = [];
  for (const name of await filesIn(folder)) {
    const bytes = await readFile(join(folder, name));
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const plain = isPacked ? gunzipSync(bytes) : bytes;
    for (const text of texts) if (plain.includes(text) || name.includes(text)) traces.push([name, text]);
  }
  return traces;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

const withoutRepeats = (traces: Trace[]): Trace[] => [
  ...new Map(traces.map((trace) => [trace.join(' '), trace])).values(),
];
