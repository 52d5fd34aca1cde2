/** Finds combinations that a report cannot have, by the server's description of its fields. */
import { findDimension, findMetric, type DimensionField, type ReportFields } from './reportFields.ts';
import type { ReportState } from './reportAddress.ts';

/** The reason why a report is invalid. */
export type Refusal =
  | { why: 'excludes'; metric: string; dimension: string }
  | { why: 'needs_one'; metric: string; level: DimensionField['level'] }
  | { why: 'too_many'; most: number }
  | { why: 'no_metric' };

/** @returns null if the report is valid */
export function refusalOf(fields: ReportFields, state: ReportState): Refusal | null {
  const { by, show, where } = state;
  if (show.length === 0) return { why: 'no_metric' };
  const { limits } = fields;
  if (by.length > limits.dimensions) return { why: 'too_many', most: limits.dimensions };
  if (show.length > limits.metrics) return { why: 'too_many', most: limits.metrics };
  if (where.length > limits.filters) return { why: 'too_many', most: limits.filters };
  return misfitOf(fields, state);
}

function misfitOf(fields: ReportFields, { by, show, where }: ReportState): Refusal | null {
  const asked = [...by, ...where.map(({ dimension }) => dimension)];
  for (const metric of show) {
    const known = findMetric(fields, metric);
    if (!known) continue;
    const dimension = asked.find((id) => {
      const level = findDimension(fields, id)?.level;
      return level !== undefined && known.excludes.includes(level);
    });
    if (dimension !== undefined) return { why: 'excludes', metric, dimension };
    const { needs_one: level } = known;
    if (level !== null && by.filter((id) => findDimension(fields, id)?.level === level).length !== 1)
      return { why: 'needs_one', metric, level };
  }
  return null;
}
