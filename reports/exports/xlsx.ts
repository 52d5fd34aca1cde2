/** An Excel workbook, written row by row (docs/decisions/reports-exports.md explains the choice of the library). */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { stream, Worksheet } from 'exceljs';
import type { Cell, Table } from './table.ts';

/** Number of rows between two yields to the event loop: some ten milliseconds. */
const ROWS_AT_A_TIME = 500;
/** Excel's limit on the text of a cell, in UTF-16 units. */
const CELL_CHARACTERS = 32_767;
/**
 * Characters that XML cannot hold. The library would remove control characters only after {@link ESCAPED} was applied.
 */
// oxlint-disable-next-line no-control-regex -- the pattern looks for control characters
const NOT_IN_XML = /[\uFFFE\uFFFF\u0000-\u0008\u000B\u000C\u000E-\u001F]/g;
/** Text that Excel would read as an escaped character (ECMA-376, ST_Xstring). */
const ESCAPED = /_(?=x[0-9A-Fa-f]{4}_)/g;

/**
 * Writes a table to a file that does not exist yet: a sheet with header, rows and totals, and a sheet about the file.
 * @param onRow called with the number of each row written
 * @throws errors of the file system, such as a full disk
 */
export async function writeXlsx(table: Table, path: string, onRow: (row: number) => void): Promise<void> {
  // Loaded on demand: the library is large, and most processes never write a workbook.
  const { default: excel } = await import('exceljs');
  const out = createWriteStream(path, { flags: 'wx' });
  // The library would wait forever for a file that cannot be written.
  const failed = new Promise<never>((_, reject) => out.once('error', reject));
  failed.catch(() => {});
  const workbook = new excel.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true, useSharedStrings: false });
  try {
    await Promise.race([failed, writeSheets(workbook, table, out, onRow)]);
  } catch (error) {
    out.destroy();
    throw error;
  }
}

async function writeSheets(
  workbook: stream.xlsx.WorkbookWriter,
  table: Table,
  out: WriteStream,
  onRow: (row: number) => void,
): Promise<void> {
  const sheet = workbook.addWorksheet(table.sheets.table, { views: [{ state: 'frozen', ySplit: 1 }] });
  addBold(sheet, table.header);
  let count = 0;
  for (const row of table.rows) {
    sheet.addRow(row.map(cellOf)).commit();
    onRow((count += 1));
    if (count % ROWS_AT_A_TIME === 0) await yieldAndDrain(out);
  }
  if (table.totals) addBold(sheet, table.totals);
  sheet.commit();
  const about = workbook.addWorksheet(table.sheets.about);
  for (const line of table.about) about.addRow(line.map(cellOf)).commit();
  about.commit();
  await workbook.commit();
}

async function yieldAndDrain(out: WriteStream): Promise<void> {
  await setImmediate();
  if (out.writableNeedDrain) await once(out, 'drain');
}

function addBold(sheet: Worksheet, cells: readonly Cell[]): void {
  const row = sheet.addRow(cells.map(cellOf));
  row.font = { bold: true };
  row.commit();
}

/** Returns the value of a cell. Text is never a formula, because the file states the type of each cell. */
function cellOf(cell: Cell): Cell {
  if (typeof cell !== 'string') return cell;
  const text = cell.replace(NOT_IN_XML, '').replace(ESCAPED, '_x005F_');
  return text.length > CELL_CHARACTERS
    ? text
        .slice(0, CELL_CHARACTERS - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '') + '…'
    : text;
}
