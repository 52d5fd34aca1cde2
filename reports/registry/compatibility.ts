/** Rules on which metrics can be computed with which dimensions (docs/decisions/reports.md). */
import type { Level } from './entry/levels.ts';
import type { Dimension, Metric } from './entry/types.ts';

/** Levels of dimensions that are meaningless for metrics of a level; any other pair has one clear meaning. */
const EXCLUDED: Readonly<Record<Level, readonly Level[]>> = {
  visit: [],
  hit: ['goal', 'order', 'product'],
  goal: ['hit', 'order', 'product'],
  order: ['hit', 'goal'],
  product: ['hit', 'goal'],
  person: [],
};

const OF_FACTS: readonly Level[] = ['hit', 'goal', 'order', 'product'];

/** The requirements of a metric on the dimensions of its request. */
export interface Needs {
  /** Levels whose dimensions it cannot be combined with, in groups or filters. */
  excludes: readonly Level[];
  /** The level from which the request must group by exactly one dimension; null if there is no such requirement. */
  needsOne: Level | null;
}

/** Returns the whole rule, which is also published to builders of requests. */
export function needsOf({ level, isByAttribute }: Pick<Metric, 'level' | 'isByAttribute'>): Needs {
  return isByAttribute ? { excludes: OF_FACTS, needsOne: 'person' } : { excludes: EXCLUDED[level], needsOne: null };
}

/**
 * Returns whether a metric can be computed for the rows of a request.
 * @param dimensions those that the request groups by
 * @param filters those that it filters by
 */
export function isCompatible(
  metric: Metric,
  dimensions: readonly Dimension[],
  filters: readonly Dimension[] = [],
): boolean {
  const { excludes, needsOne } = needsOf(metric);
  if ([...dimensions, ...filters].some(({ level }) => excludes.includes(level))) return false;
  return needsOne === null || dimensions.filter(({ level }) => level === needsOne).length === 1;
}
