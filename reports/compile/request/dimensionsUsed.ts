/** The dimensions that a report uses in its rows, its filters or its segment. */
import type { Condition, ReportRequest } from '../../reportRequest.ts';

/** Returns identifiers with their parameters, as in the request; one may occur more than once. */
export function dimensionsUsed({ dimensions, filters, segment }: ReportRequest): string[] {
  return [
    ...dimensions,
    ...filters.map(({ dimension }) => dimension),
    ...(segment === null ? [] : dimensionsIn(segment.condition)),
  ];
}

function dimensionsIn(condition: Condition): string[] {
  if ('all' in condition) return condition.all.flatMap(dimensionsIn);
  if ('any' in condition) return condition.any.flatMap(dimensionsIn);
  if ('not' in condition) return dimensionsIn(condition.not);
  return 'dimension' in condition ? [condition.dimension] : [];
}
