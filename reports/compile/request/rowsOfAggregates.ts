/** The aggregates of a request, and the rows from which each of them is computed. */
import { COLUMNS, type Aggregate, type DistinctAggregate, type End, type RowLevel } from '../../registry/index.ts';
import { isKnownAtEnd } from './entrancesAndExits.ts';
import type { Population } from './populations.ts';
import { hasLevel, type ResolvedRequest } from './resolvedRequest.ts';

/** An aggregate that a metric of the request uses. */
export interface ResolvedAggregate {
  aggregate: Aggregate;
  level: RowLevel;
  population: Population;
  /** The name of its column: `a<number>`. */
  column: string;
  /** Set if the aggregate counts visits by the page at this end; null if it counts the rows of its level. */
  end: End | null;
}

/**
 * Chooses the rows for an aggregate. If the request groups or filters by pages, page views and hits are counted from
 * hits, and entrances and exits from visits as far as visits know the page. A rate needs no second scan of all visits
 * if the request leaves no visits out.
 */
export function resolveAggregate(resolved: ResolvedRequest, aggregate: Aggregate, column: string): ResolvedAggregate {
  const { level } = aggregate;
  const population = aggregate.population ?? 'row';
  const plain: ResolvedAggregate = { aggregate, level, population, column, end: null };
  if (aggregate.kind === 'sum') {
    const { hitAmount, end } = aggregate;
    if (hitAmount !== undefined && hasLevel(resolved, 'hit'))
      return { ...plain, aggregate: { ...aggregate, amount: hitAmount }, level: 'hit', population: 'row' };
    if (end !== undefined && isKnownAtEnd(resolved, end))
      return {
        ...plain,
        aggregate: { ...aggregate, level: 'visit', amount: COLUMNS.visit.weight },
        level: 'visit',
        population: 'row',
        end,
      };
  }
  const isOfAll = population === 'visits' && !hasLevel(resolved, 'goal', 'order', 'product');
  return isOfAll ? { ...plain, population: 'row' } : plain;
}

export const isDistinct = ({ aggregate }: ResolvedAggregate): boolean => aggregate.kind === 'distinct';

/** Returns the expressions that identify an entity; none if the aggregate is a sum. */
export const entityOf = ({ aggregate }: ResolvedAggregate): DistinctAggregate['entity'] =>
  aggregate.kind === 'distinct' ? aggregate.entity : [];
