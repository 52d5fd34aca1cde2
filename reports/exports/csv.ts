/** CSV of RFC 4180 in UTF-8 with a byte order mark, without which spreadsheets take it for another encoding. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Cell, Table } from './table.ts';

/**
 * Texts that a spreadsheet would take for a formula when it opens the file (OWASP, "CSV Injection"); full-width forms
 * too, which some of them fold. A leading apostrophe makes them text.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Writes a table to a file that does not exist yet: header, rows, totals, and a line for each remark.
 * @param onRow called with the number of every row written
 */
export async function writeCsv(table: Table, path: string, onRow: (row: number) => void): Promise<void> {
  // Of itself the library quotes a text only for the whole \r\n, while readers end a record at either.
  const lines = stringify({ bom: true, record_delimiter: '\r\n', quoted_match: /[\r\n]/, cast: { number: String } });
  await pipeline(Readable.from(recordsOf(table, onRow)), lines, createWriteStream(path, { flags: 'wx' }));
}

function* recordsOf({ header, rows, totals, remarks }: Table, onRow: (row: number) => void): Generator<Cell[]> {
  yield header.map(guarded);
  let count = 0;
  for (const row of rows) {
    yield row.map(guarded);
    onRow((count += 1));
  }
  if (totals) yield totals.map(guarded);
  // Every record has the same number of fields.
  for (const remark of remarks) yield [guarded(remark), ...header.slice(1).map(() => null)];
}

/** Numbers stay numbers: a minus before a sum is no formula. */
function guarded(cell: Cell): Cell {
  return typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell;
}
