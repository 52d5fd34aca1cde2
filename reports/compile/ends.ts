/** Entrances and exits by what visits know of their first and last page view. */
import type { End } from '../registry/index.ts';
import type { Plan, Used } from './plan.ts';

/** Whether a visit itself knows all that is asked of the page at this end. */
export function isOfEnd({ dimensions, filters }: Plan, end: End): boolean {
  return [...dimensions, ...filters].every(
    ({ dimension }) => dimension.level !== 'hit' || dimension.ofEnd[end] !== undefined,
  );
}

/** The same request about the pages at one end of visits: they are dimensions of the visit then. */
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
