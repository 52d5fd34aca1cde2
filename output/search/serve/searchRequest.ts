/** A request for a search, parsed. */
import type { FacetName, SearchSort } from '../../../domain/search/facetAndSortNames.ts';
import type { NamedPath } from '../../serve/request/pathsAndDefaults.ts';
import type { OutputRequest } from '../../serve/request/outputRequest.ts';

export interface SearchRequest extends OutputRequest<NamedPath> {
  query: string;
  semantic: number | 'auto';
  typos: boolean;
  /** The last word may be unfinished. */
  prefix: boolean;
  /** Weight of the person's taste in the order of the first results, 0 to 1. */
  personal: number;
  facets: readonly FacetName[];
  sort: SearchSort;
  highlight: boolean;
}
