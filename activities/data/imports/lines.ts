/** What a record of a file spells: the id of an item and the object that a PUT of it would send. */
import { parse } from 'csv-parse/sync';
import type { CsvLayout, ImportErrorCode, ImportFault } from '../../../domain/imports.ts';

/** Either the line's value, to be judged, or why it has none. */
export type Spelled = { value: unknown } | { code: ImportErrorCode; faults: ImportFault[] };

/** Null for a blank line. */
export type ReadLine = (bytes: Buffer) => Spelled | null;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @returns null when the bytes are not UTF-8 */
export function decode(bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

export function readJsonLine(bytes: Buffer): Spelled | null {
  const text = decode(bytes);
  if (text === null) return { code: 'invalid_encoding', faults: [] };
  if (text.trim() === '') return null;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { code: 'invalid_json', faults: [] };
  }
}

/** Reads rows of a file with that head. An empty cell is a field that was not sent; a row of nothing else is a blank line. */
export function csvLineReader(layout: CsvLayout): ReadLine {
  return (bytes) => {
    const text = decode(bytes);
    if (text === null) return { code: 'invalid_encoding', faults: [] };
    if (text.trim() === '') return null;
    const cells = parseRow(text, layout.delimiter);
    if (cells === null || cells.length !== layout.columns.length) return { code: 'invalid_csv', faults: [] };
    if (cells.every((cell) => cell === '')) return null;
    const filled = layout.columns.flatMap((column, index) => {
      const cell = cells[index] ?? '';
      return cell === '' ? [] : [[column, valueOf(column, cell)]];
    });
    return { value: Object.fromEntries(filled) as unknown };
  };
}

/** Of the text of one row; null when it breaks the rules of quotes. */
export function parseRow(text: string, delimiter: string): string[] | null {
  try {
    const rows: string[][] = parse(text, { delimiter, record_delimiter: '\n', relax_column_count: true });
    return rows.length === 1 ? rows[0] ?? null : null;
  } catch {
    return null;
  }
}

const JSON_COLUMNS: ReadonlySet<string> = new Set(['properties', 'media']);
const TRUTH: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

/** What is not of the column's kind stays a text: its fault is found where all values are judged. */
function valueOf(column: string, cell: string): unknown {
  if (column === 'available') return TRUTH[cell.trim().toLowerCase()] ?? cell;
  if (!JSON_COLUMNS.has(column)) return cell;
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
}
