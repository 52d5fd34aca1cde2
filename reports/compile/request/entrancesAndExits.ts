/** Entrances and exits, counted from the first and last page view that visits store. */
import type { End } from '../../registry/index.ts';
import type { ResolvedRequest, ResolvedDimension } from './resolvedRequest.ts';

/** Returns whether a visit alone has everything that the request needs about the page at this end. */
export function isKnownAtEnd({ dimensions, filters }: ResolvedRequest, end: End): boolean {
  return [...dimensions, ...filters].every(
    ({ dimension }) => dimension.level !== 'hit' || dimension.keyAtEnd[end] !== undefined,
  );
}

/** Returns the request for the pages at one end of visits: its page dimensions become dimensions of the visit. */
export function resolvedAtEnd(resolved: ResolvedRequest, end: End | null): ResolvedRequest {
  if (end === null) return resolved;
  const atEnd = <Entry extends Pick<ResolvedDimension, 'dimension'>>(entry: Entry): Entry => {
    const key = entry.dimension.keyAtEnd[end];
    return entry.dimension.level !== 'hit' || key === undefined
      ? entry
      : { ...entry, dimension: { ...entry.dimension, level: 'visit', key: () => key } };
  };
  return { ...resolved, dimensions: resolved.dimensions.map(atEnd), filters: resolved.filters.map(atEnd) };
}
