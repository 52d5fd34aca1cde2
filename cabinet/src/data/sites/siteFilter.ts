/** The filter of a site's page, as stored in the address: one value for each dimension. */
import type { cabinet } from '../client.ts';

const FILTER_DIMENSIONS = [
  'source_type',
  'source_name',
  'referrer_domain',
  'utm_campaign',
  'page_path',
  'entry_path',
  'exit_path',
  'country',
  'region',
  'city',
  'device_type',
  'browser',
  'os',
  'goal',
] as const satisfies cabinet.ReportDimension[];
export type FilterDimension = (typeof FILTER_DIMENSIONS)[number];
export type SiteFilter = { [Dimension in FilterDimension]?: string | undefined };

/** Reads the filter from the query of an address. */
export function siteFilterOf(search: Record<string, unknown>): SiteFilter {
  return Object.fromEntries(FILTER_DIMENSIONS.map((dimension) => [dimension, textOf(search[dimension])]));
}

/** The router makes a number or a boolean of a value that looks like one, so these become texts again. */
function textOf(value: unknown): string | undefined {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain && value !== '' ? String(value) : undefined;
}

/** Returns its conditions in a fixed order, so that the same filter is the same report. */
export function conditionsOf(filter: SiteFilter): { dimension: FilterDimension; value: string }[] {
  return FILTER_DIMENSIONS.flatMap((dimension) => {
    const value = filter[dimension];
    return value === undefined ? [] : [{ dimension, value }];
  });
}

export function reportFiltersOf(filter: SiteFilter): cabinet.ReportFilter[] {
  return conditionsOf(filter).map(({ dimension, value }) => ({ dimension, op: 'eq', values: [value] }));
}
