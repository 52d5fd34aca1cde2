/** A request whose identifiers are resolved in the registry. */
import { findDimension, findMetric, type Dimension, type FoundMetric, type Level } from '../../registry/index.ts';
import type { Filter, ReportRequest } from '../../reportRequest.ts';

/** A dimension that the report groups by; its column is called `d<index>`. */
export interface ResolvedDimension {
  dimension: Dimension;
  param: string;
  index: number;
}

export interface ResolvedFilter {
  dimension: Dimension;
  param: string;
  filter: Filter;
}

export interface ResolvedRequest {
  request: ReportRequest;
  dimensions: readonly ResolvedDimension[];
  filters: readonly ResolvedFilter[];
  metrics: readonly FoundMetric[];
}

export function resolvedOf(request: ReportRequest): ResolvedRequest {
  return {
    request,
    dimensions: request.dimensions.map((id, index) => ({ ...dimensionOf(id), index })),
    filters: request.filters.map((filter) => ({ ...dimensionOf(filter.dimension), filter })),
    metrics: request.metrics.map((id) => {
      const found = findMetric(id);
      if (found === null) throw new Error(`no metric ${id}`);
      return found;
    }),
  };
}

function dimensionOf(id: string): { dimension: Dimension; param: string } {
  const found = findDimension(id);
  if (found === null) throw new Error(`no dimension ${id}`);
  return found;
}

/** Returns whether the report groups or filters by a dimension of one of the levels. */
export function hasLevel({ dimensions, filters }: ResolvedRequest, ...levels: readonly Level[]): boolean {
  return [...dimensions, ...filters].some(({ dimension }) => levels.includes(dimension.level));
}
