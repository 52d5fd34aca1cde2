/**
 * Prepares and answers questions of a search: the preparation runs while others are answered, and the answer is
 * computed in its turn.
 */
import type pg from 'pg';
import type { Logger } from '../../platform/process/logger.ts';
import type { Catalogue } from '../selection/catalogue/catalogue.ts';
import type { Catalogues } from '../selection/upkeep/catalogues.ts';
import type { CatchUp } from '../selection/upkeep/catchUp.ts';
import { SearchIndexes } from './searchIndexes.ts';
import type { SearchIndex } from './index/searchIndex.ts';
import { answerSearch, type SearchContext } from './match/answerSearch.ts';
import { answerSuggest } from './match/answerSuggest.ts';
import type { Timed } from '../messages/selectionMessages.ts';
import type { SearchQuestion, SearchReply, SuggestQuestion, SuggestReply } from '../messages/searchMessages.ts';
import { NO_QUERY_VECTORS, VECTOR_SHARE, type QueryVectors } from './queryVectors.ts';
import { SynonymCache } from './cachedSynonyms.ts';
import type { SynonymMap } from './text/synonymMap.ts';

/** The reason why there is no answer; `behind`: more has changed than can be read for one question. */
export type NoAnswer = 'loading' | 'too_large' | 'behind';

/** A prepared question, to be answered in its turn. */
export type Prepared<R> = { answer(): R | NoAnswer } | NoAnswer;

export interface SearcherDeps {
  pool: pg.Pool;
  logger: Logger;
  catalogues: Catalogues;
  catchUp: CatchUp;
  vectors: QueryVectors;
  /** Vectors of queries in the space of pictures. */
  pictureQueryVectors?: QueryVectors;
}

export interface Searcher {
  search(question: Timed<SearchQuestion>): Promise<Prepared<SearchReply>>;
  suggest(question: Timed<SuggestQuestion>): Promise<Prepared<SuggestReply>>;
  /** Indexes the changes that a catalogue has taken in (output/selection/upkeep/catalogues.ts). */
  onApplied(projectId: string, catalogue: Catalogue, ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

interface Ready {
  catalogue: Catalogue;
  index: SearchIndex;
  synonyms: SynonymMap;
}

export function createSearcher({
  pool,
  logger,
  catalogues,
  catchUp,
  vectors,
  pictureQueryVectors = NO_QUERY_VECTORS,
}: SearcherDeps): Searcher {
  const indexes = new SearchIndexes({
    pool,
    logger,
    hasRoom: (projectId) => catalogues.hasRoom(projectId),
    isHeld: (projectId, catalogue) => catalogues.holds(projectId, catalogue),
  });
  const synonyms = new SynonymCache(pool);

  /** Returns the catalogue and its index, up to date. */
  async function getReady({ projectId, changedAt }: SearchQuestion | SuggestQuestion): Promise<Ready | NoAnswer> {
    const catalogue = catalogues.find(projectId);
    if (typeof catalogue === 'string') return catalogue;
    const index = indexes.find(projectId, catalogue);
    if (typeof index === 'string') return index;
    const [isFresh, map] = await Promise.all([
      catchUp.bringUpToDate(projectId, catalogue, changedAt),
      synonyms.of(projectId),
    ]);
    if (!isFresh) return 'behind';
    await indexes.settle(catalogue);
    // A change that could not be read is missing from the index, which is then loaded again.
    if (indexes.find(projectId, catalogue) !== index) return 'loading';
    return { catalogue, index, synonyms: map };
  }

  return {
    async search(question) {
      const isByMeaning = question.semantic !== 0 && question.query.trim() !== '';
      const usesPictures =
        isByMeaning && pictureQueryVectors !== NO_QUERY_VECTORS && question.isWithoutPictures !== true;
      const waitMs = question.msLeft * VECTOR_SHARE;
      const [ready, meaning, pictureQuery] = await Promise.all([
        getReady(question),
        isByMeaning ? vectors.of(question.query, waitMs) : null,
        usesPictures ? pictureQueryVectors.of(question.query, waitMs) : null,
      ]);
      if (typeof ready === 'string') return ready;
      const queryVectors = { meaning, pictureQuery, isSightLate: usesPictures && pictureQuery === null };
      return { answer: () => answerIn(catalogues, ready, question, queryVectors) };
    },
    async suggest(question) {
      const ready = await getReady(question);
      if (typeof ready === 'string') return ready;
      return {
        answer: () =>
          lacksProperties(catalogues, ready.catalogue, question) ? 'loading' : answerSuggest(ready, question),
      };
    },
    onApplied: (projectId, catalogue, ids) => indexes.follow(projectId, catalogue, ids),
    close: () => indexes.close(),
  };
}

function answerIn(
  catalogues: Catalogues,
  ready: Ready,
  question: SearchQuestion,
  queryVectors: Required<Pick<SearchContext, 'meaning' | 'pictureQuery' | 'isSightLate'>>,
): SearchReply | NoAnswer {
  if (lacksProperties(catalogues, ready.catalogue, question)) return 'loading';
  const { popularity } = ready.catalogue;
  return answerSearch({ ...ready, ...queryVectors, popularity: (slot) => popularity.total(slot) }, question);
}

/**
 * Returns true, and reads them, if the question needs properties that became filterable after the catalogue was
 * read.
 */
function lacksProperties(
  catalogues: Catalogues,
  catalogue: Catalogue,
  question: SearchQuestion | SuggestQuestion,
): boolean {
  if (catalogue.canFilterBy(neededFilters(question))) return false;
  catalogues.readNewProperties(question.projectId);
  return true;
}

function neededFilters(question: SearchQuestion | SuggestQuestion): { property: string }[] {
  const facets = 'facets' in question ? question.facets : [];
  const by = 'sort' in question ? question.sort.by : null;
  return [
    ...question.rules.filters,
    ...('boosts' in question ? question.boosts.map(({ filter }) => filter) : []),
    ...facets.flatMap((facet) => (facet.kind === 'property' ? [facet] : [])),
    ...(by?.kind === 'property' ? [by] : []),
  ];
}
