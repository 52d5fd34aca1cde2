/** Which metrics can be computed with which dimensions (docs: decisions on reports). */
import type { Dimension, Level, Metric } from './types.ts';

/** Levels of dimensions that say nothing of what a metric of that level counts; any other pair has one clear meaning. */
const EXCLUDED: Readonly<Record<Level, readonly Level[]>> = {
  visit: [],
  hit: ['goal', 'order', 'product'],
  goal: ['hit', 'order', 'product'],
  order: ['hit', 'goal'],
  product: ['hit', 'goal'],
  person: [],
};

const OF_FACTS: readonly Level[] = ['hit', 'goal', 'order', 'product'];

/**
 * Whether a metric can be computed for the rows of a request.
 * @param dimensions those that the request groups by
 * @param filters those that it filters by
 */
export function isCompatible(
  metric: Metric,
  dimensions: readonly Dimension[],
  filters: readonly Dimension[] = [],
): boolean {
  const all = [...dimensions, ...filters];
  if (all.some(({ level }) => EXCLUDED[metric.level].includes(level))) return false;
  if (!metric.isByAttribute) return true;
  return (
    dimensions.filter(({ level }) => level === 'person').length === 1 &&
    !all.some(({ level }) => OF_FACTS.includes(level))
  );
}
