/** A catalogue and its index in this process, without a database. */
import type { CatalogueChange } from '../../../db/output/catalogueChanges.ts';
import { Catalogue } from '../../../output/selection/catalogue/catalogue.ts';
import { NeighbourLists } from '../../../output/selection/vectors/neighbourLists.ts';
import type { SearchQuestion } from '../../../output/messages/searchMessages.ts';
import { NO_SYNONYMS } from '../../../output/search/text/synonymMap.ts';
import { SearchIndex } from '../../../output/search/index/searchIndex.ts';
import type { SearchContext } from '../../../output/search/match/answerSearch.ts';
import type { ItemVector } from '../../../domain/output/vectors.ts';
import { NO_RULES } from '../../../test/support/showRules.ts';
import type { BenchItem } from './library.ts';

export type MappedItem = Omit<BenchItem, 'vector'> & { placed: ItemVector | null };

export function catalogueOf(items: readonly MappedItem[], filterable: readonly string[]): Catalogue {
  const catalogue = new Catalogue(new NeighbourLists(), filterable);
  catalogue.apply(items.map(changeOf));
  return catalogue;
}

function changeOf(
  { id, author, tags, topics, publishedAt, properties, placed }: MappedItem,
  at: number,
): CatalogueChange {
  const state = { type: 'text', available: true, deleted: false, status: 'ready', ageRating: null } as const;
  const position = { micros: BigInt(at + 1), hash: 0n };
  return { id, author, tags, topics, publishedAt, properties: { ...properties }, placed, position, ...state };
}

export function indexOf(items: readonly MappedItem[]): SearchIndex {
  const index = new SearchIndex();
  for (const [slot, item] of items.entries()) index.put(slot, { ...item, micros: 1, isEligible: true });
  return index;
}

export function searchContextOf(catalogue: Catalogue, index: SearchIndex): SearchContext {
  return { catalogue, index, synonyms: NO_SYNONYMS, meaning: null, popularity: null };
}

export const QUESTION: SearchQuestion = {
  projectId: 'bench',
  rules: NO_RULES,
  suppressed: [],
  seen: [],
  passedOver: [],
  pinned: [],
  boosts: [],
  query: '',
  semantic: 0,
  typos: true,
  prefix: false,
  facets: [],
  sort: { by: { kind: 'relevance' }, dir: 'desc' },
  taste: null,
  limit: 30,
};
