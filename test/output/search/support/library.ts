/** An index without a database, and queries on it. */
import type { SearchDocument } from '../../../../db/search/documents.ts';
import type { CatalogueChange } from '../../../../db/output/catalogueChanges.ts';
import type { SynonymRow } from '../../../../domain/search/synonymLimits.ts';
import { SearchIndex } from '../../../../output/search/index/searchIndex.ts';
import { answerSearch, type SearchContext } from '../../../../output/search/match/answerSearch.ts';
import type { SearchQuestion, SearchReply } from '../../../../output/messages/searchMessages.ts';
import { synonymMapOf } from '../../../../output/search/text/synonymMap.ts';
import { NO_RULES } from '../../../support/showRules.ts';
import { catalogueOf, change } from '../../support/catalogues.ts';

export interface Book extends Partial<Omit<SearchDocument, 'id' | 'micros'>> {
  id: string;
  item?: Partial<CatalogueChange>;
}

export function documentOf({ item: _item, ...given }: Book): SearchDocument {
  return {
    micros: 1,
    isEligible: true,
    title: null,
    author: null,
    tags: [],
    topics: [],
    entities: [],
    summary: null,
    texts: [],
    speech: [],
    pictures: [],
    ...given,
  };
}

/** @param filterable properties that the catalogue keeps */
export function libraryOf(
  books: readonly Book[],
  { synonyms = [], filterable = [] }: { synonyms?: readonly SynonymRow[]; filterable?: readonly string[] } = {},
): SearchContext {
  const changes = books.map(({ id, author = null, item }) => change(id, { author, ...item }));
  const catalogue = catalogueOf(changes, filterable);
  const index = new SearchIndex();
  for (const book of books) index.put(catalogue.slotOf(book.id) ?? -1, documentOf(book));
  return { catalogue, index, synonyms: synonymMapOf(synonyms), meaning: null, popularity: null };
}

export const QUESTION: SearchQuestion = {
  projectId: 'p',
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
  limit: 100,
};

export function ask(library: SearchContext, query: string, asked: Partial<SearchQuestion> = {}): SearchReply {
  return answerSearch(library, { ...QUESTION, query, ...asked });
}

export const idsOf = ({ found }: SearchReply): string[] => found.map(({ id }) => id);
