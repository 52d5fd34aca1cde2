/** Orders the hits. */
import { propertyValues } from '../../../domain/output/filters.ts';
import type { SearchSort } from '../../../domain/search/facetsAndSortKeys.ts';
import type { Catalogue } from '../../selection/catalogue/catalogue.ts';
import { propertyOf } from './facets.ts';
import type { Scored } from './findHits.ts';
import { itemColumn } from './cachedItemValues.ts';
import { topPlaces } from '../../topNumbers.ts';

/** Returns the popularity of a slot; null where popularity is not counted. */
export type PopularityOf = (slot: number) => number;

export interface Ordering {
  sort: SearchSort;
  popularity: PopularityOf | null;
}

/**
 * Returns the indexes of the first hits in order. Ties go to the newer item; hits without a value to sort by are last
 * in either direction.
 */
export function orderedPlaces(catalogue: Catalogue, hits: Scored, ordering: Ordering, most: number): Uint32Array {
  const sign = ordering.sort.dir === 'asc' ? -1 : 1;
  const keyOf = keyReader(catalogue, hits, ordering);
  const keys = new Float64Array(hits.slots.length);
  for (let place = 0; place < keys.length; place += 1) {
    const key = keyOf(hits.slots[place] as number, place);
    keys[place] = Number.isNaN(key) ? -Infinity : sign * key;
  }
  return newerFirst(keys, most, (place) => catalogue.columns.publishedAt(hits.slots[place] as number));
}

/** Returns the indexes of the highest keys, the highest first. Ties go to the newer item, then to the lower index. */
function newerFirst(keys: Float64Array, most: number, publishedAt: (place: number) => number): Uint32Array {
  const top = topPlaces(keys, most);
  const least = keys[top.at(-1) ?? -1];
  if (least === undefined) return top;
  const above = top.filter((place) => keys[place] !== least);
  // `topPlaces` chose among hits with the lowest key by index; they are chosen again by age.
  const tied: number[] = [];
  for (let place = 0; place < keys.length; place += 1) if (keys[place] === least) tied.push(place);
  const newest = topPlaces(tied.map(publishedAt), top.length - above.length).map((at) => tied[at] as number);
  const ofKey = (place: number): number => keys[place] as number;
  const inOrder = above.sort((a, b) => ofKey(b) - ofKey(a) || publishedAt(b) - publishedAt(a) || a - b);
  return Uint32Array.from([...inOrder, ...newest]);
}

function keyReader(
  catalogue: Catalogue,
  { scores }: Scored,
  { sort: { by }, popularity }: Ordering,
): (slot: number, place: number) => number {
  const { columns } = catalogue;
  switch (by.kind) {
    case 'relevance':
      return (_slot, place) => scores[place] as number;
    case 'published_at':
      return (slot) => columns.publishedAt(slot);
    case 'popular':
      return (slot) => popularity?.(slot) ?? 0;
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
