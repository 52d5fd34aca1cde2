/**
 * The population of an aggregate: the rows that it is computed over. If that is not the row of the report itself but,
 * for example, everybody, only a part of the request applies.
 */
import type { Aggregate } from '../../registry/index.ts';
import type { ResolvedRequest, ResolvedDimension } from './resolvedRequest.ts';
import { isOf } from './rowKinds.ts';

export type Population = NonNullable<Aggregate['population']> | 'row';

/** Returns whether neither filters nor the segment apply. */
export const isOverEverybody = (population: Population): boolean =>
  population === 'everybody' || population === 'allKnown';

const isOfVisit = (entry: Pick<ResolvedDimension, 'dimension'>): boolean =>
  !isOf('goal')(entry) && !isOf('sale')(entry);

/** Returns the request with the dimensions and filters that apply. */
export function resolvedOver(resolved: ResolvedRequest, population: Population): ResolvedRequest {
  if (population === 'visits')
    return {
      ...resolved,
      dimensions: resolved.dimensions.filter(isOfVisit),
      filters: resolved.filters.filter(isOfVisit),
    };
  return isOverEverybody(population) ? { ...resolved, filters: [] } : resolved;
}

/** Returns the dimensions that group such aggregates. */
export function dimensionsOver({ dimensions }: ResolvedRequest, population: Population): ResolvedDimension[] {
  return dimensions.filter((used) => {
    if (population === 'visits') return isOfVisit(used);
    if (population === 'others') return used.dimension.level !== 'person';
    if (population === 'everybody') return used.dimension.level === 'person';
    return population === 'row';
  });
}
