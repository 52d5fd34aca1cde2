/** Sums of weights. */
import type { Tuple } from './tuple.ts';

export const ratio = (a: number, b: number): number => (b === 0 ? 0 : a / b);

export const UNWEIGHTED = (): number => 1;

export function distinct<Row>(tuples: readonly Tuple[], pick: (tuple: Tuple) => Row | null): Row[] {
  const rows = new Set<Row>();
  for (const tuple of tuples) {
    const row = pick(tuple);
    if (row !== null) rows.add(row);
  }
  return [...rows];
}

export interface Weighing {
  weightOf(row: { weight: number }): number;
}

/** Sums one weight for each entity, its smallest above 0; rows without an entity are left out. */
export function sumOfLeast<Row extends { weight: number }>(
  rows: readonly Row[],
  { weightOf }: Weighing,
  entityOf: (row: Row) => string | null,
): number {
  const least = new Map<string, number>();
  for (const row of rows) {
    const entity = entityOf(row);
    const weight = weightOf(row);
    if (entity === null || weight === 0) continue;
    least.set(entity, Math.min(least.get(entity) ?? Infinity, weight));
  }
  return [...least.values()].reduce((total, weight) => total + weight, 0);
}
