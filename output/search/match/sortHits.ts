/** Orders the hits. */
import { propertyValues } from '../../../domain/output/propertyFilters.ts';
import type { SearchSort } from '../../../domain/search/facetAndSortNames.ts';
import type { Catalogue } from '../../selection/catalogue/catalogue.ts';
import { propertyOf } from './facets.ts';
import type { Scored } from './findHits.ts';
import { itemColumn } from './cachedItemValues.ts';
import { topIndexes } from '../../topNumbers.ts';

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
export function orderedIndexes(catalogue: Catalogue, hits: Scored, ordering: Ordering, limit: number): Uint32Array {
  const sign = ordering.sort.dir === 'asc' ? -1 : 1;
  const keyOf = keyReader(catalogue, hits, ordering);
  const keys = new Float64Array(hits.slots.length);
  for (let index = 0; index < keys.length; index += 1) {
    const key = keyOf(hits.slots[index] as number, index);
    keys[index] = Number.isNaN(key) ? -Infinity : sign * key;
  }
  return newerFirst(keys, limit, (index) => catalogue.columns.publishedAt(hits.slots[index] as number));
}

/** Returns the indexes of the highest keys, the highest first. Ties go to the newer item, then to the lower index. */
function newerFirst(keys: Float64Array, limit: number, publishedAt: (index: number) => number): Uint32Array {
  const top = topIndexes(keys, limit);
  const minKey = keys[top.at(-1) ?? -1];
  if (minKey === undefined) return top;
  const above = top.filter((index) => keys[index] !== minKey);
  // `topIndexes` chose among hits with the lowest key by index; they are chosen again by age.
  const tied: number[] = [];
  for (let index = 0; index < keys.length; index += 1) if (keys[index] === minKey) tied.push(index);
  const newest = topIndexes(tied.map(publishedAt), top.length - above.length).map((at) => tied[at] as number);
  const ofKey = (index: number): number => keys[index] as number;
  const inOrder = above.sort((a, b) => ofKey(b) - ofKey(a) || publishedAt(b) - publishedAt(a) || a - b);
  return Uint32Array.from([...inOrder, ...newest]);
}

function keyReader(
  catalogue: Catalogue,
  { scores }: Scored,
  { sort: { by }, popularity }: Ordering,
): (slot: number, index: number) => number {
  const { columns } = catalogue;
  switch (by.kind) {
    case 'relevance':
      return (_slot, index) => scores[index] as number;
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
