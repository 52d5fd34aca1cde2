/** The lake's tables as flat columns, which both rivals load with the very same rows. */
import type { LakeTable } from '../../../../domain/reports/lakeRows.ts';
import { quotedName, TABLE_NAMES, TABLES } from '../../../../reports/lake/tables.ts';

export interface FlatColumn {
  name: string;
  /** Its DuckDB type. */
  type: string;
  /** Its DuckDB expression. */
  of: string;
  required: boolean;
}

/** Turns a STRUCT into a column for each of its fields: `source_last_utm_source`. */
export function flatColumns(table: LakeTable): FlatColumn[] {
  return Object.entries(TABLES[table]).flatMap(([name, { type, required }]): FlatColumn[] => {
    const fields = /^STRUCT\((.*)\)$/.exec(type)?.[1];
    if (fields === undefined) return [{ name, type, of: quotedName(name), required }];
    return fields.split(', ').map((field) => {
      const [part = '', of = ''] = field.split(' ');
      return { name: `${name}_${part}`, type: of, of: `${quotedName(name)}.${part}`, required: false };
    });
  });
}

/** Returns a `select …` of the flat columns. */
export function flatSelect(table: LakeTable): string {
  return flatColumns(table)
    .map(({ name, of }) => `${of} as ${quotedName(name)}`)
    .join(', ');
}

export { TABLE_NAMES };
