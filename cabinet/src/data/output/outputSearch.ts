/** Settings of the recommendations report, as stored in the address. */
import type { cabinet } from '../client.ts';
import { exhaustiveList } from '../exhaustiveList.ts';
import { limits } from '../apiLimits.ts';
import { oneOf, textOf } from '../searchValues.ts';

export const REPORT_DAYS = ['7', '14', '30', '90'] as const;
export type ReportDays = (typeof REPORT_DAYS)[number];
export type ReportGroup = cabinet.OutputReport['group'][number];
export const GROUPS = exhaustiveList<ReportGroup>({ surface: true, position: true, variant: true, day: true });
export const MEASURES = ['requests', 'impressions', 'opens', 'goals', 'purchases', 'revenue'] as const;
export type Measure = (typeof MEASURES)[number];

export interface OutputSearch {
  days?: ReportDays | undefined;
  by?: ReportGroup[] | undefined;
  surface?: string | undefined;
  measure?: Measure | undefined;
}

export const DEFAULT_GROUPS: readonly ReportGroup[] = ['surface'];

export function outputSearchOf({ days, by, surface, measure }: Record<string, unknown>): OutputSearch {
  const groups = Array.isArray(by) ? GROUPS.filter((group) => by.includes(group)) : [];
  return {
    // The router parses digits in the address as a number.
    days: oneOf(REPORT_DAYS, String(days)),
    by: groups.length > 0 ? groups : undefined,
    surface: textOf(surface, limits.reportOutput_surface),
    measure: oneOf(MEASURES, measure),
  };
}

/** Returns values of a measure by day, for all surfaces together; 0 for a day without a row. */
export function valuesByDay(rows: readonly cabinet.OutputReportRow[], days: readonly string[], measure: Measure) {
  const sums = new Map<string, number>();
  for (const row of rows) {
    if (row.day !== undefined) sums.set(row.day, (sums.get(row.day) ?? 0) + row[measure]);
  }
  return days.map((day) => sums.get(day) ?? 0);
}
