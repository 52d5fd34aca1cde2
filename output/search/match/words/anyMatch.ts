/** Checks whether a query finds anything, and stops at the first row. */
import type { SearchIndex } from '../../index/searchIndex.ts';
import { phraseOf } from '../../index/sequences.ts';
import { binarySearch } from './binarySearch.ts';
import { minimumShouldMatch, candidateTerms } from './requiredClauses.ts';
import type { Option, InterpretedQuery } from './interpretQuery.ts';

/**
 * Returns true when `matchWords` would find a row; false for a query without words.
 * @param isAllowed test of a row by the rest of the question
 */
export function hasMatch(
  index: SearchIndex,
  { clauses }: Pick<InterpretedQuery, 'clauses'>,
  isAllowed: (row: number) => boolean,
): boolean {
  const needed = minimumShouldMatch(clauses);
  const tests = clauses
    .filter(({ isRequired }) => isRequired)
    .map(({ options }) => options.map((option) => optionTest(index, option)));
  const isFound = (row: number): boolean => {
    let fulfilled = 0;
    for (const ofClause of tests) if (ofClause.some((has) => has(row))) fulfilled += 1;
    return fulfilled >= needed && isAllowed(row);
  };
  return candidateTerms(index, clauses, needed).some((term) => index.postingsOf(term).rows.some(isFound));
}

function optionTest(index: SearchIndex, { sets, isPhrase }: Option): (row: number) => boolean {
  const lists = sets.map((set) => set.map((term) => index.postingsOf(term).rows));
  const phrase = isPhrase && sets.length > 1 ? phraseOf(sets.map(([term = 0]) => term)) : null;
  return (row) =>
    lists.every((ofSet) => ofSet.some((rows) => binarySearch(rows, row) >= 0)) &&
    (phrase === null || index.hasPhrase(row, phrase));
}
