/**
 * The columns that expressions may name, by alias: `v` for visits, `h` hits, `c` conversions, `o` orders, `l` lines of
 * orders.
 */
import type { CollectedLayout } from '../../../domain/collect/collected.ts';
import type { FormerTime, LakeRows, LakeTable } from '../../../domain/reports/lakeRows.ts';
import { TABLES } from '../../lake/tables.ts';
import { column, type Sql } from '../../sql/index.ts';
import type { RowLevel } from './levels.ts';

type ColumnsOf<Table extends LakeTable> = Readonly<
  Record<Exclude<keyof LakeRows[Table][number], keyof CollectedLayout | keyof FormerTime>, Sql>
>;

/**
 * Returns the columns of a table.
 * @param letter the alias of the table; null to name columns without one
 */
export function columnsOf<Table extends LakeTable>(table: Table, letter: string | null): ColumnsOf<Table> {
  const names = Object.keys(TABLES[table]);
  return Object.fromEntries(names.map((name) => [name, column(letter, name, table)])) as ColumnsOf<Table>;
}

/**
 * Columns of page views that depend on other hits of the visit. A report that names one must sort the hits
 * (reports/compile/rows/periodHits.ts).
 */
export const SEQUENCE = ['is_entrance', 'is_exit', 'next_at'] as const;
export const SCROLL = ['scroll_depth'] as const;

export const v = columnsOf('visits', 'v');
export const h = {
  ...columnsOf('hits', 'h'),
  is_entrance: column('h', 'is_entrance'),
  is_exit: column('h', 'is_exit'),
  /** The time of the next page view; null for the last one. */
  next_at: column('h', 'next_at'),
  /** The deepest scroll before the next page view, in percent. */
  scroll_depth: column('h', 'scroll_depth'),
} as const;
export const c = columnsOf('conversions', 'c');
export const o = columnsOf('orders', 'o');
export const l = columnsOf('order_lines', 'l');

/** The alias of the rows of each level. */
export const LETTER = { visit: 'v', hit: 'h', goal: 'c', order: 'o', product: 'l' } as const satisfies Record<
  RowLevel,
  string
>;
export const COLUMNS = { visit: v, hit: h, goal: c, order: o, product: l } as const;
