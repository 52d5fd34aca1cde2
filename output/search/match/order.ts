/** In which order hits come. */
import { propertyValues } from '../../../domain/output/filters.ts';
import type { SearchSort } from '../../../domain/search/refinements.ts';
import type { Catalogue } from '../../selection/catalogue.ts';
import { propertyOf } from './facets.ts';
import type { Hits } from './hits.ts';
import { itemColumn } from './itemColumns.ts';
import { topPlaces } from '../../topNumbers.ts';

/** Of equal scores the newer item comes first: milliseconds since 1970 become less than any difference of two scores. */
const PER_MILLISECOND = 1e-22;

/** How popular a slot is; null where nobody counts. */
export type PopularityOf = (slot: number) => number;

export interface Ordering {
  sort: SearchSort;
  popularity: PopularityOf | null;
}

/** The places of the hits that come first; whatever has no value to be sorted by comes last in either direction. */
export function orderedPlaces(catalogue: Catalogue, hits: Hits, ordering: Ordering, most: number): Uint32Array {
  const sign = ordering.sort.dir === 'asc' ? -1 : 1;
  const keyOf = keyReader(catalogue, hits, ordering);
  const keys = new Float64Array(hits.slots.length);
  for (let place = 0; place < keys.length; place += 1) {
    const key = keyOf(hits.slots[place] as number, place);
    keys[place] = Number.isNaN(key) ? -Infinity : sign * key;
  }
  return topPlaces(keys, most);
}

function keyReader(
  catalogue: Catalogue,
  { scores }: Hits,
  { sort: { by }, popularity }: Ordering,
): (slot: number, place: number) => number {
  const { columns } = catalogue;
  switch (by.kind) {
    case 'relevance':
      // Without words nothing is relevant: the newest come first.
      return (slot, place) => (scores[place] as number) + PER_MILLISECOND * columns.publishedAt(slot);
    case 'published_at':
      return (slot) => columns.publishedAt(slot);
    case 'popular':
      return (slot) => (popularity?.(slot) ?? 0) + PER_MILLISECOND * columns.publishedAt(slot);
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
