/**
 * A whole report request: rules that a schema cannot express, and its conversion. The limits are in reportLimits.ts,
 * the lists of values in reports/reportRequest.ts.
 */
import type { FieldFault } from '../../domain/schemas/fieldFaults.ts';
import { isRecord } from '../../domain/isRecord.ts';
import { findDimension, findMetric, isCompatible, type Dimension } from '../registry/index.ts';
import type { Attribution, Filter, ReportRequest, Robots, Segment, Sort } from '../reportRequest.ts';
import { REPORT_LIMITS } from './reportLimits.ts';
import { conditionsFaults } from './conditions.ts';
import { filterFaults, isText, type Given } from './dimensionFilters.ts';
import { createPatternCheck, type CheckPattern } from './patternCheck.ts';
import { periodFaults } from './periodFaults.ts';

/** The body of a request, as its schema defines it. */
export interface ReportBody {
  dimensions?: readonly string[];
  metrics: readonly string[];
  date_from: string;
  date_to: string;
  filters?: readonly Filter[];
  segment_id?: string;
  segment?: unknown;
  attribution?: Attribution;
  robots?: Robots;
  sort?: readonly Sort[];
  limit?: number;
  offset?: number;
}

/**
 * Returns the semantic faults of a request, for any value: faults of the form are left to the schema. Lists that are
 * too long are checked up to their limit.
 */
export function reportFaults(value: unknown, site: { timezone: string }, now: Date): FieldFault[] {
  if (!isRecord(value)) return [];
  const isPattern = createPatternCheck();
  return [
    ...identifierFaults(value),
    ...periodFaults(value, site.timezone, now),
    ...listOf(value, 'filters').flatMap((filter, index) =>
      isRecord(filter) ? filterFaults(filter, `filters[${index}]`, isPattern) : [],
    ),
    ...segmentFaults(value, isPattern),
    ...sortFaults(value),
  ];
}

/**
 * Returns the request with its defaults.
 * @param body without faults
 * @param segment the value of `segment` or `segment_id`
 */
export function reportRequestOf(body: ReportBody, segment: Segment | null): ReportRequest {
  return {
    dimensions: body.dimensions ?? [],
    metrics: body.metrics,
    date_from: body.date_from,
    date_to: body.date_to,
    filters: body.filters ?? [],
    segment,
    attribution: body.attribution ?? 'last_significant',
    robots: body.robots ?? 'exclude',
    sort: body.sort ?? [],
    limit: body.limit ?? REPORT_LIMITS.defaultRows,
    offset: body.offset ?? 0,
  };
}

/**
 * Returns faults for unknown dimensions and metrics, and for metrics that are incompatible with the known dimensions.
 */
function identifierFaults(body: Given): FieldFault[] {
  const [dimensions, metrics] = [listOf(body, 'dimensions'), listOf(body, 'metrics')];
  const grouped = dimensionsOf(dimensions);
  const filtered = dimensionsOf(
    listOf(body, 'filters').map((filter) => (isRecord(filter) ? filter['dimension'] : undefined)),
  );
  return [
    ...dimensions.flatMap((id, index) =>
      isText(id) && findDimension(id) === null
        ? [{ field: `dimensions[${index}]`, code: 'unknown_dimension' as const }]
        : [],
    ),
    ...metrics.flatMap((id, index) => metricFaults(id, `metrics[${index}]`, grouped, filtered)),
  ];
}

function metricFaults(
  id: unknown,
  field: string,
  dimensions: readonly Dimension[],
  filtered: readonly Dimension[],
): FieldFault[] {
  if (!isText(id)) return [];
  const found = findMetric(id);
  if (found === null) return [{ field, code: 'unknown_metric' }];
  return isCompatible(found.metric, dimensions, filtered) ? [] : [{ field, code: 'incompatible' }];
}

/** Returns the known dimensions. */
function dimensionsOf(ids: readonly unknown[]): Dimension[] {
  return ids.flatMap((id) => {
    const found = isText(id) ? findDimension(id) : null;
    return found === null ? [] : [found.dimension];
  });
}

function segmentFaults({ segment, segment_id: id }: Given, isPattern: CheckPattern): FieldFault[] {
  if (segment === undefined) return [];
  if (id !== undefined)
    return [
      { field: 'segment', code: 'invalid_value' },
      { field: 'segment_id', code: 'invalid_value' },
    ];
  return typeof segment === 'object' && segment !== null ? conditionsFaults(segment, 'segment', isPattern) : [];
}

/** An entry is valid or invalid as a whole. */
function sortFaults(body: Given): FieldFault[] {
  const fields = new Set([...listOf(body, 'dimensions'), ...listOf(body, 'metrics')]);
  return listOf(body, 'sort').flatMap((entry, index) =>
    isSort(entry, fields) ? [] : [{ field: `sort[${index}]`, code: 'invalid_value' as const }],
  );
}

function isSort(entry: unknown, fields: ReadonlySet<unknown>): boolean {
  if (!isRecord(entry) || Object.keys(entry).length !== 2) return false;
  const { field, dir } = entry;
  return isText(field) && fields.has(field) && (dir === 'asc' || dir === 'desc');
}

const MAX_ELEMENTS = {
  dimensions: REPORT_LIMITS.dimensions,
  metrics: REPORT_LIMITS.metrics,
  filters: REPORT_LIMITS.filters,
  sort: REPORT_LIMITS.sorts,
};

/** Returns a list of the body up to its limit; empty if it is missing. */
function listOf(body: Given, name: keyof typeof MAX_ELEMENTS): unknown[] {
  const list = body[name];
  return Array.isArray(list) ? list.slice(0, MAX_ELEMENTS[name]) : [];
}
