/**
 * The dialect of a second engine, which shares nothing with DuckDB's: its own placeholders and quotes, and functions of
 * its own. With {@link macros} DuckDB can play that engine.
 */
import { DUCKDB } from '../../../reports/sql/duckdb.ts';
import type { Dialect, Functions } from '../../../reports/sql/dialect.ts';

type Name = keyof Functions;
const NAMES = Object.keys(DUCKDB.functions) as Name[];
const ownName = (name: Name): string => `other_${name}`;

/** A macro cannot stand for these: they take literals, names or an order, or any number of arguments. */
const WITHOUT_MACRO = {
  moment: (text) => `cast(${text} as timestamp)`,
  array: (...items) => `list_value(${items.join(', ')})`,
  texts: (...items) => `${ownName('texts')}(list_value(${items.join(', ')}))`,
  record: (...given) =>
    `struct_pack(${given.flatMap((name, index) => (index % 2 === 0 ? [`${name} := ${given[index + 1]}`] : [])).join(', ')})`,
  listOf: (value, order) => `array_agg(${value} order by ${order})`,
  atVersion: (table, version) => `other_version(${table}, ${version})`,
} as const satisfies Partial<Functions>;

/** The names of all functions that only this engine has. */
export const OTHER_FUNCTIONS: readonly string[] = [
  ...NAMES.map(ownName),
  'cast',
  'list_value',
  'struct_pack',
  'array_agg',
  'other_version',
];

export const OTHER: Dialect = {
  placeholder: (number) => `?${number}`,
  name: (column) => `"${column}"`,
  relation: (name, body) => `${name} as (${body})`,
  functions: {
    ...(Object.fromEntries(
      NAMES.map((name) => [name, (...args: string[]) => `${ownName(name)}(${args.join(', ')})`]),
    ) as unknown as Functions),
    ...WITHOUT_MACRO,
  },
};

/** Returns the statements that define the engine's functions in DuckDB. */
export function macros(): string[] {
  const defined = NAMES.filter((name) => !(name in WITHOUT_MACRO)).map((name) => {
    const body = DUCKDB.functions[name] as (...args: string[]) => string;
    const params = Array.from({ length: body.length }, (_, index) => `p${index}`);
    return `${ownName(name)}(${params.join(', ')}) as ${body(...params)}`;
  });
  return [...defined, `${ownName('texts')}(p0) as p0::varchar[]`].map((one) => `create or replace macro ${one}`);
}
