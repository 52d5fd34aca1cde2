/** CSV of RFC 4180 in UTF-8 with a byte order mark, without which spreadsheets assume another encoding. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Cell, Table } from './table.ts';

/**
 * Places at which a spreadsheet would read a formula (OWASP, "CSV Injection"), including full-width forms, which some
 * spreadsheets normalise. An apostrophe there makes it text. A semicolon begins a cell too where the comma is the
 * decimal separator, as in Russia, and so does a tab where it is chosen as a separator. Quotes around the text do not
 * help there: the comma before them belongs to the same cell, so they are ordinary characters, and a line break within
 * them ends the record.
 */
const FORMULA = /^(?=[\t\r\n])|(?=[=+\-@＝＋－＠])(?<=^|[;\t\r\n]"*)/g;

/**
 * Writes a table to a file that does not exist yet: header, rows, totals, and one line for each remark.
 * @param onRow called with the number of each row written
 */
export async function writeCsv(table: Table, path: string, onRow: (row: number) => void): Promise<void> {
  // By default the library quotes a text only for a complete \r\n, while readers end a record at either character.
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

/** Numbers stay numbers: a minus sign before a number is not a formula. */
function guarded(cell: Cell): Cell {
  return typeof cell === 'string' ? cell.replace(FORMULA, "'") : cell;
}
