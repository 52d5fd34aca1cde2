/** Writes rows into a table by COPY from files that the server reads. */
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchDatabase } from '../../intake/database.ts';

export type Field = string | number | boolean | bigint | Date | Buffer | object | null;

const FLUSH_BYTES = 4 << 20;
/** Maximum rows per file: a single file for a million items would take 10 GB in addition to the table. */
const ROWS_OF_FILE = 50_000;

/** @param columns in the form `table (a, b)` */
export async function copyRows(
  database: BenchDatabase,
  columns: string,
  rows: Iterable<readonly Field[]>,
): Promise<number> {
  const path = join(database.folder, 'rows.copy');
  const source = rows[Symbol.iterator]();
  let copied = 0;
  for (;;) {
    const file = await open(path, 'w', 0o644);
    const written = await writeFile(file, source).finally(() => file.close());
    if (written > 0) await database.query(`copy ${columns} from '${path}'`);
    copied += written;
    if (written < ROWS_OF_FILE) break;
  }
  await rm(path);
  return copied;
}

async function writeFile(file: FileHandle, source: Iterator<readonly Field[]>): Promise<number> {
  let lines: string[] = [];
  let bytes = 0;
  let count = 0;
  const flush = async (): Promise<void> => {
    await file.write(lines.join(''));
    lines = [];
    bytes = 0;
  };
  while (count < ROWS_OF_FILE) {
    const next = source.next();
    if (next.done === true) break;
    const line = `${next.value.map(fieldText).join('\t')}\n`;
    lines.push(line);
    bytes += line.length;
    count += 1;
    if (bytes > FLUSH_BYTES) await flush();
  }
  await flush();
  return count;
}

/** Formats a field in the text format of COPY. */
function fieldText(field: Field): string {
  if (field === null) return '\\N';
  if (Buffer.isBuffer(field)) return `\\\\x${field.toString('hex')}`;
  if (field instanceof Date) return field.toISOString();
  if (Array.isArray(field)) return escaped(`{${field.map((one) => JSON.stringify(one)).join(',')}}`);
  return escaped(typeof field === 'object' ? JSON.stringify(field) : String(field));
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
