/** Parses a record of a file into the id of an item and the object that a PUT of it would send. */
import { parse } from 'csv-parse/sync';
import type { CsvLayout, ImportErrorCode, ImportFault } from '../../../domain/jobs/imports.ts';
import { ItemPutRequest } from '../../../domain/schemas/itemFields.ts';
import { cellReader } from './cells.ts';

/** Either the value of a line, to be validated, or the reason why it has none. */
export type ParsedLine = { value: unknown } | { code: ImportErrorCode; faults: ImportFault[] };

/** Parses records in order; null for a blank line. */
export type LineParser = (records: readonly Buffer[]) => (ParsedLine | null)[];

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @returns null when the bytes are not UTF-8 */
export function decode(bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** Parses a text unless it is blank or not UTF-8. */
function parseNonBlank(text: string | null, read: (text: string) => ParsedLine | null): ParsedLine | null {
  if (text === null) return { code: 'invalid_encoding', faults: [] };
  return text.trim() === '' ? null : read(text);
}

export const readJsonLines: LineParser = (records) => records.map((bytes) => parseNonBlank(decode(bytes), readJson));

function readJson(text: string): ParsedLine {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { code: 'invalid_json', faults: [] };
  }
}

/**
 * Returns a parser for rows under this header. An empty cell means that the field was not sent; a row of empty cells is
 * a blank line.
 */
export function csvReader(layout: CsvLayout): LineParser {
  return (records) => {
    const texts = records.map(decode);
    const filled = texts.filter((text) => text?.trim());
    // Parsing all rows together is several times faster. If one of them is bad, each is parsed separately.
    const rows = parseRows(filled.join('\n'), layout.delimiter);
    const next = rows?.length === filled.length ? rows.values() : null;
    return texts.map((text) =>
      parseNonBlank(text, (row) =>
        readCells(next ? (next.next().value ?? null) : parseRow(row, layout.delimiter), layout),
      ),
    );
  };
}

const valueOf = cellReader(ItemPutRequest.properties);

function readCells(cells: readonly string[] | null, { columns }: CsvLayout): ParsedLine | null {
  if (cells === null) return { code: 'invalid_csv', faults: [] };
  if (cells.every((cell) => cell === '')) return null;
  if (cells.length !== columns.length) return { code: 'invalid_csv', faults: [] };
  const filled = columns.flatMap((column, index) => {
    const cell = cells[index] ?? '';
    return cell === '' ? [] : [[column, valueOf(column, cell)]];
  });
  return { value: Object.fromEntries(filled) as unknown };
}

/** Parses the text of one row; null when its quotes are invalid. */
export function parseRow(text: string, delimiter: string): string[] | null {
  const rows = parseRows(text, delimiter);
  return rows?.length === 1 ? (rows[0] ?? null) : null;
}

function parseRows(text: string, delimiter: string): string[][] | null {
  try {
    return parse(text, { delimiter, record_delimiter: '\n', relax_column_count: true });
  } catch {
    return null;
  }
}
