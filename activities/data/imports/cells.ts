/** Converts the cells of CSV rows to values of the types that a schema gives its fields. */
import type { TSchema } from '../../../domain/schemas/schema.ts';

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

type ReadCell = (cell: string) => unknown;

const readText: ReadCell = (cell) => cell;
const readBoolean: ReadCell = (cell) => BOOLEANS.get(cell.trim().toLowerCase()) ?? cell;

function readJson(cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
}

/**
 * Returns a function that converts a cell by its column: it keeps a text as it is, reads a boolean from `true`,
 * `false`, `1` or `0`, and parses everything else as JSON. A value of the wrong type stays a string; the validation,
 * which follows, reports it.
 * @param fields the schema of each column; the cells of columns without one are texts
 */
export function cellReader(fields: Readonly<Record<string, TSchema>>): (column: string, cell: string) => unknown {
  const readers = new Map(Object.entries(fields).map(([column, field]) => [column, readerOf(field)]));
  return (column, cell) => (readers.get(column) ?? readText)(cell);
}

function readerOf(field: TSchema): ReadCell {
  // A nullable field has a list of types (`nullable` in domain/schemas/schema.ts).
  const types = new Set('type' in field ? [field.type].flat() : []);
  if (types.has('string')) return readText;
  return types.has('boolean') ? readBoolean : readJson;
}
