/** Values of facets, counted over all hits. */
import { propertyValues, type Scalar } from '../../../domain/output/filters.ts';
import type { JudgedItem } from '../../../domain/output/rules.ts';
import { FACET_VALUES, nameOfFacet, type FacetCount, type FacetName } from '../../../domain/search/refinements.ts';
import type { Catalogue } from '../../selection/catalogue.ts';
import type { Labels } from '../index/labels.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { itemColumn } from './itemColumns.ts';

export function countFacet(
  catalogue: Catalogue,
  index: SearchIndex,
  { facet, hits }: { facet: FacetName; hits: Uint32Array },
): FacetCount {
  const name = nameOfFacet(facet);
  switch (facet.kind) {
    case 'tags':
    case 'topics':
      return { name, values: mostFrequent(countLabels(index.labels[facet.kind], hits)) };
    case 'types':
      return { name, values: mostFrequent(countValues(catalogue, hits, ({ type }) => [type])) };
    case 'authors':
      return {
        name,
        values: mostFrequent(countValues(catalogue, hits, ({ author }) => (author === null ? [] : [author]))),
      };
    case 'property': {
      const { property, type } = facet;
      const column = itemColumn(catalogue, `facet ${type} ${property}`, (item) => [
        ...new Set(propertyValues(propertyOf(item, property), type) ?? []),
      ]);
      const counts = countValues(catalogue, hits, (item, slot) => column.at(slot, item));
      return { name, values: mostFrequent(counts).map((one) => (type === 'datetime' ? asMoment(one) : one)) };
    }
  }
}

export function propertyOf({ properties }: JudgedItem, name: string): unknown {
  return properties !== null && Object.hasOwn(properties, name) ? properties[name] : null;
}

function countValues(
  catalogue: Catalogue,
  hits: Uint32Array,
  valuesOf: (item: JudgedItem, slot: number) => readonly Scalar[],
): Map<Scalar, number> {
  const counts = new Map<Scalar, number>();
  for (const slot of hits) {
    const item = catalogue.itemAt(slot);
    if (item) for (const value of valuesOf(item, slot)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function countLabels(labels: Labels, hits: Uint32Array): Map<Scalar, number> {
  const counts = new Uint32Array(labels.texts.length);
  for (const slot of hits) for (const label of labels.of(slot)) counts[label] = (counts[label] as number) + 1;
  const counted = new Map<Scalar, number>();
  for (const [label, count] of counts.entries()) if (count > 0) counted.set(labels.texts[label] ?? '', count);
  return counted;
}

function mostFrequent(counts: ReadonlyMap<Scalar, number>): { value: Scalar; count: number }[] {
  return Array.from(counts, ([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, FACET_VALUES);
}

function asMoment({ value, count }: { value: Scalar; count: number }): { value: string; count: number } {
  return { value: new Date(Number(value)).toISOString(), count };
}
