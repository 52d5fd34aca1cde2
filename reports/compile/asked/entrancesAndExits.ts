/** Entrances and exits, counted from the first and last page view that visits store. */
import type { End } from '../../registry/index.ts';
import type { Plan, Used } from './resolvedRequest.ts';

/** Returns whether a visit alone has everything that the request needs about the page at this end. */
export function isOfEnd({ dimensions, filters }: Plan, end: End): boolean {
  return [...dimensions, ...filters].every(
    ({ dimension }) => dimension.level !== 'hit' || dimension.ofEnd[end] !== undefined,
  );
}

/** Returns the request for the pages at one end of visits: its page dimensions become dimensions of the visit. */
export function planOfEnd(plan: Plan, end: End | null): Plan {
  if (end === null) return plan;
  const atEnd = <Entry extends Pick<Used, 'dimension'>>(entry: Entry): Entry => {
    const key = entry.dimension.ofEnd[end];
    return entry.dimension.level !== 'hit' || key === undefined
      ? entry
      : { ...entry, dimension: { ...entry.dimension, level: 'visit', key: () => key } };
  };
  return { ...plan, dimensions: plan.dimensions.map(atEnd), filters: plan.filters.map(atEnd) };
}
