/**
 * The parts of a request that apply to aggregates which are computed over something other than the row itself, such as
 * everybody.
 */
import type { Aggregate } from '../../registry/index.ts';
import type { ResolvedRequest, Used } from './resolvedRequest.ts';
import { isOf } from './rowKinds.ts';

export type Over = NonNullable<Aggregate['over']> | 'row';

/** Returns whether neither filters nor the segment apply. */
export const isOverEverybody = (over: Over): boolean => over === 'everybody' || over === 'allKnown';

const isOfVisit = (entry: Pick<Used, 'dimension'>): boolean => !isOf('goal')(entry) && !isOf('sale')(entry);

/** Returns the request with the dimensions and filters that apply. */
export function resolvedOver(resolved: ResolvedRequest, over: Over): ResolvedRequest {
  if (over === 'visits')
    return {
      ...resolved,
      dimensions: resolved.dimensions.filter(isOfVisit),
      filters: resolved.filters.filter(isOfVisit),
    };
  return isOverEverybody(over) ? { ...resolved, filters: [] } : resolved;
}

/** Returns the dimensions that group such aggregates. */
export function dimensionsOver({ dimensions }: ResolvedRequest, over: Over): Used[] {
  return dimensions.filter((used) => {
    if (over === 'visits') return isOfVisit(used);
    if (over === 'others') return used.dimension.level !== 'person';
    if (over === 'everybody') return used.dimension.level === 'person';
    return over === 'row';
  });
}
