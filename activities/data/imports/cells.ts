/** Converts the cells of CSV rows to values of the types that a schema gives its fields. */
import type { TSchema } from '../../../domain/schemas/schema.ts';

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

type Read = (cell: string) => unknown;

const readText: Read = (cell) => cell;
const readBoolean: Read = (cell) => BOOLEANS.get(cell.trim().toLowerCase()) ?? cell;

function readJson(cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
}

/**
 * Returns a function that converts the cell of a column: a text as it is, a boolean from `true`, `false`, `1` or `0`,
 * and everything else from JSON. A value of the wrong type stays a string; the validation of all values reports it.
 * @param fields the schema of each column; columns without one are texts
 */
export function cellReader(fields: Readonly<Record<string, TSchema>>): (column: string, cell: string) => unknown {
  const reads = new Map(Object.entries(fields).map(([column, field]) => [column, readOf(field)]));
  return (column, cell) => (reads.get(column) ?? readText)(cell);
}

function readOf(field: TSchema): Read {
  // A nullable field has a list of types (`nullable` in domain/schemas/schema.ts).
  const types = new Set('type' in field ? [field.type].flat() : []);
  if (types.has('string')) return readText;
  return types.has('boolean') ? readBoolean : readJson;
}
