/** Converts the results of three engines to one form, and compares them. */
import type { Report } from '../../../reports/reportRequest.ts';
import type { Answer } from './rivals/clickhouse.ts';

export interface Figures {
  rows: { dimensions: (string | null)[]; metrics: number[] }[];
  totals: number[];
  /** Number of rows without the limit; null where the engine did not report it. */
  count: number | null;
}

export function ofReport({ data, totals, rows }: Report): Figures {
  return {
    rows: data.map(({ dimensions, metrics }) => ({
      dimensions: dimensions.map((label) => (label !== null && typeof label === 'object' ? label.id : label)),
      metrics,
    })),
    totals,
    count: rows,
  };
}

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
const numberOf = (value: unknown): number => Number(value ?? 0);

export function ofClickHouse({ data, totals, rows_before_limit_at_least: count }: Answer, dimensions: number): Figures {
  const rows = data.map((row) => ({
    dimensions: row.slice(0, dimensions).map(textOf),
    metrics: row.slice(dimensions).map(numberOf),
  }));
  if (dimensions === 0) return { rows, totals: rows[0]?.metrics ?? [], count: 1 };
  return { rows, totals: (totals ?? []).slice(dimensions).map(numberOf), count: count ?? null };
}

/** @param rows rows as arrays; with dimensions the total comes first, marked by its first two columns */
export function ofPostgres(rows: readonly unknown[][], dimensions: number): Figures {
  if (dimensions === 0)
    return {
      rows: rows.map((row) => ({ dimensions: [], metrics: row.map(numberOf) })),
      totals: (rows[0] ?? []).map(numberOf),
      count: 1,
    };
  const [total = [], ...page] = rows;
  const metricsOf = (row: readonly unknown[]): number[] => row.slice(2 + dimensions).map(numberOf);
  return {
    rows: page.map((row) => ({ dimensions: row.slice(2, 2 + dimensions).map(textOf), metrics: metricsOf(row) })),
    totals: metricsOf(total),
    count: numberOf(total[1]),
  };
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
const areNear = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => isNear(value, b[index] ?? Number.NaN));

/** @returns the difference in words; null when there is none */
export function difference(ours: Figures, theirs: Figures): string | null {
  if (!areNear(ours.totals, theirs.totals)) return `totals ${ours.totals.join(' ')} and ${theirs.totals.join(' ')}`;
  if (ours.count !== theirs.count && theirs.count !== null) return `${ours.count} and ${theirs.count} rows`;
  if (ours.rows.length !== theirs.rows.length) return `${ours.rows.length} and ${theirs.rows.length} rows of the page`;
  for (const [index, row] of ours.rows.entries()) {
    const other = theirs.rows[index];
    const isSame =
      other !== undefined &&
      row.dimensions.join('\n') === other.dimensions.join('\n') &&
      areNear(row.metrics, other.metrics);
    if (!isSame) return `row ${index}: ${JSON.stringify(row)} and ${JSON.stringify(other)}`;
  }
  return null;
}
