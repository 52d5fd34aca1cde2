/** Links a row of a report to its visitors. */
import { SOURCE_TYPES } from './recordingFilter.ts';
import { oneOf } from '../searchValues.ts';
import type { VisitorFilter } from './visitorFilter.ts';
import type { Period } from '../period.ts';
import type { Filter, ReportState } from '../report/reportAddress.ts';

/**
 * Returns the filter of the list of visitors for a row; null if the list cannot express the row.
 * @param conditions of the row and of the report, which all hold
 */
export function visitorsOfRow(
  conditions: readonly Filter[],
  {
    segment,
    conditions: own,
    attribution,
    robots,
  }: Pick<ReportState, 'segment' | 'conditions' | 'attribution' | 'robots'>,
  { period, from, to }: Period,
): VisitorFilter | null {
  const isOfList =
    segment === undefined && own === undefined && (attribution ?? 'last_significant') === 'last_significant';
  if (!isOfList || (robots ?? 'exclude') !== 'exclude') return null;
  const parts = conditions.map(partOf);
  // One of two conditions on the same dimension would be lost.
  const dimensions = new Set(conditions.map(({ dimension }) => dimension));
  if (parts.includes(null) || dimensions.size < conditions.length) return null;
  return Object.assign({ period, from, to }, ...parts) as VisitorFilter;
}

function partOf({ dimension, op, values: [value] }: Filter): VisitorFilter | null {
  if (op !== 'eq' || value === undefined) return null;
  switch (dimension) {
    case 'source_type': {
      const source = oneOf(SOURCE_TYPES, value);
      return source ? { source } : null;
    }
    case 'source_name':
      return { from_source: value };
    case 'goal':
      return { goal: value };
    case 'date':
      return { period: undefined, from: value, to: value };
    default:
      return null;
  }
}
