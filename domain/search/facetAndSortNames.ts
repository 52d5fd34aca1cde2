/** The facets and sort keys of a search. */
import type { PropertyDeclaration, PropertyType } from '../items/properties.ts';

/** Facets that every item has; the others are filterable properties. */
const BUILT_IN_FACETS = ['types', 'authors', 'tags', 'topics'] as const;
type BuiltInFacet = (typeof BUILT_IN_FACETS)[number];

export type FacetName = { kind: BuiltInFacet } | { kind: 'property'; property: string; type: PropertyType };

export interface FacetCount {
  name: string;
  /** The most frequent first, then by value. */
  values: readonly { value: string | number | boolean; count: number }[];
}

const SORT_KEYS = ['relevance', 'published_at', 'popular'] as const;
export const SORT_DIRECTIONS = ['asc', 'desc'] as const;
export type SortDirection = (typeof SORT_DIRECTIONS)[number];

export type SortKey =
  | { kind: (typeof SORT_KEYS)[number] }
  | { kind: 'property'; property: string; type: Extract<PropertyType, 'number' | 'datetime'> };

export interface SearchSort {
  by: SortKey;
  dir: SortDirection;
}

type Declared = ReadonlyMap<string, PropertyDeclaration>;

/** Returns the built-in facet of this name, else the filterable property. Null when there is neither. */
export function facetOf(name: string, declared: Declared): FacetName | null {
  const builtIn = BUILT_IN_FACETS.find((one) => one === name);
  if (builtIn) return { kind: builtIn };
  const declaration = declared.get(name);
  return declaration?.filterable ? { kind: 'property', property: name, type: declaration.type } : null;
}

export function nameOfFacet(facet: FacetName): string {
  return facet.kind === 'property' ? facet.property : facet.kind;
}

/** Returns null for a name that is neither built in nor that of a filterable number or datetime. */
export function sortKeyOf(name: string, declared: Declared): SortKey | null {
  const builtIn = SORT_KEYS.find((one) => one === name);
  if (builtIn) return { kind: builtIn };
  const declaration = declared.get(name);
  if (!declaration?.filterable || (declaration.type !== 'number' && declaration.type !== 'datetime')) return null;
  return { kind: 'property', property: name, type: declaration.type };
}
