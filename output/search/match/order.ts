/** In which order hits come. */
import { propertyValues } from '../../../domain/output/filters.ts';
import { recency } from '../../../domain/output/recency.ts';
import type { SearchSort } from '../../../domain/search/refinements.ts';
import type { Catalogue } from '../../selection/catalogue.ts';
import { propertyOf } from './facets.ts';
import type { Hits } from './hits.ts';
import { itemColumn } from './itemColumns.ts';
import { topPlaces } from './topPlaces.ts';

/** Of equal scores the newer item comes first; no difference between two scores is as small as this. */
const RECENCY_SHARE = 1e-9;

/** How popular a slot is; null where nobody counts. */
export type PopularityOf = (slot: number) => number;

export interface Ordering {
  sort: SearchSort;
  /** A query without words has no relevance: the newest come first. */
  now: number;
  popularity: PopularityOf | null;
}

/** The places of the hits that come first; whatever has no value to be sorted by comes last in either direction. */
export function orderedPlaces(catalogue: Catalogue, hits: Hits, ordering: Ordering, most: number): Uint32Array {
  const sign = ordering.sort.dir === 'asc' ? -1 : 1;
  const keyOf = keyReader(catalogue, hits, ordering);
  const keys = Float64Array.from(hits.slots, (slot, place) => {
    const key = keyOf(slot, place);
    return Number.isNaN(key) ? -Infinity : sign * key;
  });
  return topPlaces(keys, most);
}

function keyReader(
  catalogue: Catalogue,
  { scores }: Hits,
  { sort: { by }, now, popularity }: Ordering,
): (slot: number, place: number) => number {
  switch (by.kind) {
    case 'relevance':
      return (slot, place) => (scores[place] as number) + RECENCY_SHARE * newness(catalogue, slot, now);
    case 'published_at':
      return (slot) => catalogue.itemAt(slot)?.publishedAt.getTime() ?? Number.NaN;
    case 'popular':
      return (slot) => (popularity?.(slot) ?? 0) + RECENCY_SHARE * newness(catalogue, slot, now);
    case 'property': {
      const { property, type } = by;
      const column = itemColumn(catalogue, `sort ${type} ${property}`, (item) =>
        Number(propertyValues(propertyOf(item, property), type)?.[0] ?? Number.NaN),
      );
      return (slot) => {
        const item = catalogue.itemAt(slot);
        return item === undefined ? Number.NaN : column.at(slot, item);
      };
    }
  }
}

function newness(catalogue: Catalogue, slot: number, now: number): number {
  const item = catalogue.itemAt(slot);
  return item === undefined ? 0 : recency(item.publishedAt, now);
}
