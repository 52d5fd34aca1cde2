/** Writes tables to files. */
import type { ExportFormat } from '../../domain/reports/exports.ts';
import { writeCsv } from './csv.ts';
import type { Table } from './table.ts';
import { writeXlsx } from './xlsx.ts';

const WRITERS: Readonly<Record<ExportFormat, typeof writeCsv>> = { csv: writeCsv, xlsx: writeXlsx };

export const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Writes a table to a file that does not exist yet, and yields to the event loop in between.
 * @param onRow called with the number of each row written
 */
export async function writeTable(
  format: ExportFormat,
  table: Table,
  path: string,
  onRow: (row: number) => void = () => {},
): Promise<void> {
  await WRITERS[format](table, path, onRow);
}
