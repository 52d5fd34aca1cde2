/** Completions of a query that is being typed. Each leads to a hit under the rules of its request. */
import { MAX_QUERY_CHARACTERS } from '../../../domain/output/requestLimits.ts';
import { hasOperators } from '../../../domain/search/parseQuery.ts';
import type { Catalogue } from '../../selection/catalogue/catalogue.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import type { SuggestQuestion, Suggestion, SuggestionKind, SuggestReply } from '../../messages/searchMessages.ts';
import type { SynonymMap } from '../text/synonymMap.ts';
import { fold, withoutPossessives, wordsOf } from '../text/indexedWords.ts';
import { allowedSlots } from './allowed.ts';
import { hasMatch } from './words/anyMatch.ts';
import { marksOf } from './answerSearch.ts';
import { exclusionOf, matchWords } from './words/matchWords.ts';
import { interpretQuery, type InterpretedQuery } from './words/interpretQuery.ts';
import { topIndexes } from '../../topNumbers.ts';

export interface SuggestContext {
  catalogue: Catalogue;
  index: SearchIndex;
  synonyms: SynonymMap;
}

/** Number of hits whose titles are considered; words of a title weigh the most. */
const MAX_TITLE_HITS = 300;
/** Maximum number of suggestions of each kind other than titles, so that there is room for titles. */
const MAX_OF_KIND = 3;
/** Candidates for each suggestion, as spares for those that are not allowed. */
const CANDIDATES = 8;

export function answerSuggest(context: SuggestContext, question: SuggestQuestion): SuggestReply {
  const { catalogue, index, synonyms } = context;
  const { query, typos, prefix, limit } = question;
  const interpreted = interpretQuery(query, { index, synonyms, typos, prefix });
  const isAllowed = allowedSlots(catalogue, question);
  const isAllowedRow = remembered(index.rows, (row) => index.slotOf(row) >= 0 && isAllowed(index.slotOf(row)));
  const isExcluded = exclusionOf(index, interpreted);
  const isTitleAllowed = (row: number): boolean => !isExcluded(row) && isAllowedRow(row);
  const findsHit = (text: string): boolean => leadsToHit(context, text, isAllowedRow);
  const typed = fold(interpreted.corrected ?? query).trim();
  const found = new Map<string, Suggestion>();
  const addSuggestions = (kind: SuggestionKind, texts: readonly string[], maxTexts: number): void => {
    let added = 0;
    for (const text of texts) {
      if (added >= maxTexts || found.size >= limit) return;
      const key = fold(text);
      // Longer queries are not accepted.
      if (found.has(key) || text.length > MAX_QUERY_CHARACTERS || hasOperators(text)) continue;
      // A title always leads to the item that has it.
      if (kind !== 'title' && !findsHit(text)) continue;
      found.set(key, { text, kind });
      added += 1;
    }
  };
  for (const [kind, labels] of [
    ['tag', index.labels.tags],
    ['author', index.labels.authors],
  ] as const)
    addSuggestions(kind, typed === '' ? [] : labels.withWordPrefix(typed, MAX_OF_KIND * CANDIDATES), MAX_OF_KIND);
  addSuggestions('query', completedQueries(index, typed), MAX_OF_KIND);
  addSuggestions('title', titlesOf(index, interpreted, isTitleAllowed), limit);
  return { suggestions: [...found.values()], marks: marksOf(interpreted, index) };
}

/** Returns the query with its last word completed. A completion equal to the word would lead nowhere new. */
function completedQueries(index: SearchIndex, typed: string): string[] {
  const last = wordsOf(withoutPossessives(typed)).at(-1);
  // A word with its possessive ending is finished.
  if (last === undefined || !typed.endsWith(last)) return [];
  const before = typed.slice(0, typed.length - last.length);
  const words = index.vocabulary.wordsWithPrefix(last, CANDIDATES).filter(({ word }) => word !== last);
  const ofTerm = new Map(words.toReversed().map(({ word, term }) => [term, word]));
  return words.filter(({ word, term }) => ofTerm.get(term) === word).map(({ word }) => before + word);
}

/** Returns titles that contain the words themselves, the best first. */
function titlesOf(index: SearchIndex, interpreted: InterpretedQuery, isAllowedRow: (row: number) => boolean): string[] {
  const isCurrent = (row: number): boolean => index.slotOf(row) >= 0;
  const titlesWhere = (isWanted: (row: number) => boolean): string[] => {
    const matches = matchWords(index, interpreted, isWanted);
    if (matches === null) return [];
    return Array.from(topIndexes(matches.scores, MAX_TITLE_HITS), (at) => matches.rows[at] as number)
      .filter(isAllowedRow)
      .map((row) => index.titles.of(index.slotOf(row)))
      .filter((title) => title !== '' && hasWordsOf(index, interpreted, title));
  };
  const best = titlesWhere(isCurrent);
  // If the rules reject all of the best titles, the rules are applied before the ranking.
  return best.length > 0 ? best : titlesWhere(isAllowedRow);
}

function hasWordsOf(index: SearchIndex, { clauses }: InterpretedQuery, title: string): boolean {
  const terms = new Set(wordsOf(title).map((word) => index.vocabulary.termOf(word)));
  return clauses.every(({ options, isRequired }) =>
    isRequired ? options.some(({ sets }) => sets.every((set) => set.some((term) => terms.has(term)))) : true,
  );
}

/** Returns the test, which asks once about a row: each suggestion may be tried on all of them. */
function remembered(rows: number, isAllowed: (row: number) => boolean): (row: number) => boolean {
  const [unknown, allowed, rejected] = [0, 1, 2];
  const known = new Uint8Array(rows);
  return (row) => {
    if (known[row] === unknown) known[row] = isAllowed(row) ? allowed : rejected;
    return known[row] === allowed;
  };
}

/** Returns true when the text, as a query, finds something that the request allows. */
function leadsToHit(
  { index, synonyms }: SuggestContext,
  text: string,
  isAllowedRow: (row: number) => boolean,
): boolean {
  const interpreted = interpretQuery(text, { index, synonyms, typos: false, prefix: false });
  return hasMatch(index, interpreted, isAllowedRow);
}
