/** The lists of a site's overview: each shows one of several dimensions. */
import type { cabinet } from '../../../data/client.ts';
import { codeOf, type ReportLabel, type ReportRequest } from '../../../data/sites/reports.ts';
import type { Days } from '../../../data/period.ts';
import { reportFiltersOf, type FilterDimension, type SiteFilter } from '../../../data/sites/siteFilter.ts';

/** In the order of the page; the first dimension is the default. */
export const LISTS = {
  sources: ['source_name', 'referrer_domain', 'utm_campaign'],
  pages: ['page_path', 'exit_path'],
  entries: ['entry_path'],
  places: ['country', 'region', 'city'],
  devices: ['device_type', 'browser', 'os'],
  goals: ['goal'],
} as const satisfies Record<string, FilterDimension[]>;
export type ListName = keyof typeof LISTS;
export type ListDimension = (typeof LISTS)[ListName][number];
export const LIST_NAMES = Object.keys(LISTS) as ListName[];

const ROWS = 8;

/** Returns the metric that sorts a dimension. */
export function metricOf(listed: ListDimension): 'visits' | 'pageviews' | 'conversions' {
  if (listed === 'goal') return 'conversions';
  return listed === 'page_path' ? 'pageviews' : 'visits';
}

/** A name alone does not show whether it was an advertisement or a link. */
export const dimensionsOf = (listed: ListDimension): FilterDimension[] =>
  listed === 'source_name' ? ['source_name', 'source_type'] : [listed];

export function listReport(listed: ListDimension, days: Days, filter: SiteFilter): ReportRequest {
  return {
    dimensions: dimensionsOf(listed),
    metrics: [metricOf(listed)],
    date_from: days.from,
    date_to: days.to,
    filters: reportFiltersOf(filter),
    limit: ROWS,
  };
}

/**
 * Returns the report of the same rows on other days.
 * @param rows labels of the rows that are shown
 */
export function listReportBefore(
  listed: ListDimension,
  days: Days,
  filter: SiteFilter,
  rows: readonly (readonly ReportLabel[])[],
): ReportRequest {
  const codes = new Set(rows.map(([label = null]) => codeOf(label)).filter((code) => code !== null));
  const shown: cabinet.ReportFilter[] = [{ dimension: listed, op: 'in', values: [...codes] }];
  const report = listReport(listed, days, filter);
  // One name may have several types, so there may be more rows than names.
  return { ...report, filters: [...(report.filters ?? []), ...(codes.size > 0 ? shown : [])], limit: 100 };
}

/** Returns the filter that a click on a row applies; empty for unknown values. */
export function filterOfRow(listed: ListDimension, labels: readonly ReportLabel[]): SiteFilter {
  return Object.fromEntries(
    dimensionsOf(listed).flatMap((dimension, index) => {
      const code = codeOf(labels[index] ?? null);
      return code === null ? [] : [[dimension, code]];
    }),
  );
}

export const rowKey = (labels: readonly ReportLabel[]): string => JSON.stringify(labels.map(codeOf));
