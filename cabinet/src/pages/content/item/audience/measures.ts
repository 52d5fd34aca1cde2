import type { ItemStatistics } from '../../../../data/items/items.ts';

/** The measure for impressions; every other measure is the code of an event type. */
export const IMPRESSIONS = 'impressions:';

export type TypeTotal = ItemStatistics['totals']['types'][number];

/** Returns whether there was any activity on these days. */
export function hasAudience({ totals }: ItemStatistics): boolean {
  return totals.impressions > 0 || totals.types.length > 0;
}

/** Returns the default measure of a chart: opens, else the most frequent one. */
export function usualMeasure({ totals: { types } }: ItemStatistics): string {
  return (types.find((type) => type.is_open) ?? types[0])?.type ?? IMPRESSIONS;
}

/** Returns the values of a measure, one for each day. */
export function valuesOf({ days }: ItemStatistics, measure: string): number[] {
  if (measure === IMPRESSIONS) return days.map(({ impressions }) => impressions);
  return days.map(({ types }) => types.find(({ type }) => type === measure)?.events ?? 0);
}
