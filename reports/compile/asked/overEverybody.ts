/**
 * Aggregates that are not computed over the row itself but, for example, over everybody: the parts of a request that
 * apply to them.
 */
import type { Aggregate } from '../../registry/index.ts';
import type { Plan, Used } from './resolvedRequest.ts';
import { isOf } from './rowKinds.ts';

export type Over = NonNullable<Aggregate['over']> | 'row';

/** Returns whether neither filters nor the segment apply. */
export const isOverEverybody = (over: Over): boolean => over === 'everybody' || over === 'allKnown';

const isOfVisit = (entry: Pick<Used, 'dimension'>): boolean => !isOf('goal')(entry) && !isOf('sale')(entry);

/** Returns the request with the dimensions and filters that apply. */
export function planOver(plan: Plan, over: Over): Plan {
  if (over === 'visits')
    return { ...plan, dimensions: plan.dimensions.filter(isOfVisit), filters: plan.filters.filter(isOfVisit) };
  return isOverEverybody(over) ? { ...plan, filters: [] } : plan;
}

/** Returns the dimensions that group such aggregates. */
export function dimensionsOver({ dimensions }: Plan, over: Over): Used[] {
  return dimensions.filter((used) => {
    if (over === 'visits') return isOfVisit(used);
    if (over === 'others') return used.dimension.level !== 'person';
    if (over === 'everybody') return used.dimension.level === 'person';
    return over === 'row';
  });
}
