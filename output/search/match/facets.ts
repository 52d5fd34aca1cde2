/** Values of facets, counted over all hits. */
import { propertyValues, type Scalar } from '../../../domain/output/filters.ts';
import type { JudgedItem } from '../../../domain/output/rules.ts';
import { FACET_VALUES, nameOfFacet, type FacetCount, type FacetName } from '../../../domain/search/refinements.ts';
import type { Catalogue } from '../../selection/catalogue.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { valueColumn, type ValueColumn } from './itemColumns.ts';

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
      return { name, values: mostFrequent(labels.texts, hits, (slot) => labels.of(slot)) };
    }
    case 'types': {
      const column = valueColumn(catalogue, 'facet types', ({ type }) => [type]);
      return { name, values: countColumn(catalogue, column, hits) };
    }
    case 'property': {
      const { property, type } = facet;
      const column = valueColumn(
        catalogue,
        `facet ${type} ${property}`,
        (item) => propertyValues(propertyOf(item, property), type) ?? [],
      );
      const values = countColumn(catalogue, column, hits);
      return { name, values: type === 'datetime' ? values.map(asMoment) : values };
    }
  }
}

export function propertyOf({ properties }: JudgedItem, name: string): unknown {
  return properties !== null && Object.hasOwn(properties, name) ? properties[name] : null;
}

const NOTHING: readonly number[] = [];

function countColumn(catalogue: Catalogue, column: ValueColumn, hits: Uint32Array): Counted[] {
  return mostFrequent(column.values, hits, (slot) => {
    const item = catalogue.itemAt(slot);
    return item === undefined ? NOTHING : column.at(slot, item);
  });
}

interface Counted {
  value: Scalar;
  count: number;
}

/**
 * The values that the most hits have.
 * @param numbersOf a slot's, into the values
 */
function mostFrequent(
  values: readonly Scalar[],
  hits: Uint32Array,
  numbersOf: (slot: number) => readonly number[],
): Counted[] {
  const counts: number[] = [];
  for (const slot of hits) for (const number of numbersOf(slot)) counts[number] = (counts[number] ?? 0) + 1;
  const counted: Counted[] = [];
  counts.forEach((count, number) => counted.push({ value: values[number] ?? '', count }));
  return counted.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, FACET_VALUES);
}

function asMoment({ value, count }: Counted): Counted {
  return { value: new Date(Number(value)).toISOString(), count };
}
