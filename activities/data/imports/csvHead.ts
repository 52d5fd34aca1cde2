/** Reads the first row of a CSV file: its columns and its delimiter. */
import type { CsvLayout, ImportFault } from '../../../domain/jobs/imports.ts';
import { ItemPutRequest } from '../../../domain/schemas/itemFields.ts';
import { decode, parseRow } from './lines.ts';

/** The comma of RFC 4180, and the delimiters of spreadsheets in countries where the comma is the decimal separator. */
const DELIMITERS = [',', ';', '\t'] as const;
const KNOWN = ['id', ...Object.keys(ItemPutRequest.properties)];
const NEEDED = ['id', 'type'];

/** Returns the layout that the header row declares, or its faults. */
export function readCsvHead(bytes: Buffer): CsvLayout | { faults: ImportFault[] } {
  const text = decode(bytes);
  if (text === null) return { faults: [{ field: '', code: 'invalid_value' }] };
  const layouts = DELIMITERS.map((delimiter) => ({ delimiter, columns: columnsOf(text, delimiter) }));
  const layout = layouts.toSorted((a, b) => knownIn(b.columns) - knownIn(a.columns))[0];
  if (!layout) return { faults: [] };
  const faults = faultsOf(layout.columns);
  return faults.length > 0 ? { faults } : layout;
}

function columnsOf(text: string, delimiter: string): string[] {
  return (parseRow(text, delimiter) ?? []).map((name) => name.trim().toLowerCase());
}

function knownIn(columns: readonly string[]): number {
  return columns.filter((column) => KNOWN.includes(column)).length;
}

function faultsOf(columns: readonly string[]): ImportFault[] {
  return [
    ...NEEDED.filter((name) => !columns.includes(name)).map((field) => ({ field, code: 'required' })),
    ...columns.filter((name) => !KNOWN.includes(name)).map((field) => ({ field, code: 'unknown_field' })),
    ...columns
      .filter((name, index) => KNOWN.includes(name) && columns.indexOf(name) !== index)
      .map((field) => ({ field, code: 'invalid_value' })),
  ].slice(0, 100);
}
