/** The figures of a site's overview, and their reports. */
import type { Days } from '../../../../data/period.ts';
import { lengthOf, listDays } from '../../../../data/period.ts';
import type { Report, ReportRequest } from '../../../../data/sites/reports.ts';
import { reportFiltersOf, type SiteFilter } from '../../../../data/sites/siteFilter.ts';

export const FIGURES = [
  'visits',
  'visitors',
  'pageviews',
  'bounce_rate',
  'avg_visit_duration',
  'conversions',
  'revenue',
] as const;
export type Figure = (typeof FIGURES)[number];

/** `down`: lower is better. */
export const BETTER_DIRECTION: Readonly<Record<Figure, 'up' | 'down'>> = {
  visits: 'up',
  visitors: 'up',
  pageviews: 'up',
  bounce_rate: 'down',
  avg_visit_duration: 'up',
  conversions: 'up',
  revenue: 'up',
};

/** Conversions and orders are requested separately: together with visits, those without a visit would not count. */
const GROUPS = [
  ['visits', 'visitors', 'pageviews', 'bounce_rate', 'avg_visit_duration'],
  ['conversions', 'revenue'],
] as const satisfies Figure[][];

export const groupOf = (figure: Figure): readonly Figure[] =>
  GROUPS.find((group) => (group as readonly Figure[]).includes(figure)) ?? GROUPS[0];

/** Returns the report of a figure: by hour for one day, else by day, with the figure of all days in its totals. */
export function figureReport(figure: Figure, days: Days, filter: SiteFilter): ReportRequest {
  return {
    dimensions: [isHourly(days) ? 'hour' : 'date'],
    metrics: [...groupOf(figure)],
    date_from: days.from,
    date_to: days.to,
    filters: reportFiltersOf(filter),
    limit: 1000,
  };
}

export const isHourly = (days: Days): boolean => lengthOf(days) === 1;

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

/** The steps of a chart, each with a value. */
export const stepsOf = (days: Days): string[] => (isHourly(days) ? HOURS : listDays(days));

/** Returns a value for each step: steps without a visit are missing from the report. */
export function valuesOf({ data }: Report, figure: Figure, days: Days): number[] {
  const metric = groupOf(figure).indexOf(figure);
  const values = new Map(data.map(({ dimensions: [step], metrics }) => [step, metrics[metric]]));
  return stepsOf(days).map((step) => values.get(step) ?? 0);
}

export const totalOf = ({ totals }: Report, figure: Figure): number => totals[groupOf(figure).indexOf(figure)] ?? 0;

/**
 * Returns the relative change of a value; null if there is nothing to compare it with. The earlier value may be
 * negative: revenue of days with more refunds than purchases.
 */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : (now - before) / Math.abs(before);
}
