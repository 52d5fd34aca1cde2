/** Counts the values of facets over all hits. */
import { propertyValues, type Scalar } from '../../../domain/output/propertyFilters.ts';
import type { ItemForRules } from '../../../domain/output/mayShow.ts';
import { nameOfFacet, type FacetCount, type FacetName } from '../../../domain/search/facetAndSortNames.ts';
import type { Catalogue } from '../../selection/catalogue/catalogue.ts';
import { topIndexes } from '../../topNumbers.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { valueColumn } from './cachedItemValues.ts';

/** Maximum number of values of a facet in a response: the most frequent ones. */
export const FACET_VALUES = 100;

export function countFacet(
  catalogue: Catalogue,
  index: SearchIndex,
  { facet, hits }: { facet: FacetName; hits: Uint32Array },
): FacetCount {
  const name = nameOfFacet(facet);
  switch (facet.kind) {
    case 'tags':
    case 'topics':
    case 'authors': {
      const labels = index.labels[facet.kind];
      const counts = new Uint32Array(labels.texts.length);
      labels.numbers.countInto(counts, hits);
      return { name, values: mostFrequent(labels.texts, counts) };
    }
    case 'types': {
      const column = valueColumn(catalogue, 'facet types', ({ type }) => [type]);
      return { name, values: mostFrequent(column.values, column.count(catalogue, hits)) };
    }
    case 'property': {
      const { property, type } = facet;
      const column = valueColumn(
        catalogue,
        `facet ${type} ${property}`,
        (item) => propertyValues(propertyOf(item, property), type) ?? [],
      );
      const values = mostFrequent(column.values, column.count(catalogue, hits));
      return { name, values: type === 'datetime' ? values.map(asMoment) : values };
    }
  }
}

export function propertyOf({ properties }: ItemForRules, name: string): unknown {
  return properties !== null && Object.hasOwn(properties, name) ? properties[name] : null;
}

interface Counted {
  value: Scalar;
  count: number;
}

/** Returns the most frequent values, without those that have no hit; of equally frequent ones, the least. */
function mostFrequent(values: readonly Scalar[], counts: Uint32Array): Counted[] {
  const numbers = topIndexes(counts, FACET_VALUES);
  const minCount = Math.max(1, counts[numbers.at(-1) ?? 0] ?? 1);
  const more: Counted[] = [];
  const tied: Scalar[] = [];
  for (let number = 0; number < counts.length; number += 1) {
    const count = counts[number] as number;
    const value = values[number] ?? '';
    if (count > minCount) more.push({ value, count });
    else if (count === minCount) keepLeast(tied, value);
  }
  const all = [...more, ...tied.map((value) => ({ value, count: minCount }))];
  return all.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, FACET_VALUES);
}

/**
 * Adds a value to an ascending list, which keeps the least. Sorting all would take seconds for a property that has
 * another value in each item.
 */
function keepLeast(least: Scalar[], value: Scalar): void {
  const last = least.at(-1);
  if (last !== undefined && least.length >= FACET_VALUES && value > last) return;
  let [from, to] = [0, least.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((least[middle] as Scalar) < value) from = middle + 1;
    else to = middle;
  }
  least.splice(from, 0, value);
  if (least.length > FACET_VALUES) least.pop();
}

function asMoment({ value, count }: Counted): Counted {
  return { value: new Date(Number(value)).toISOString(), count };
}
