/** Checks whether a query finds anything, and stops at the first row. */
import type { SearchIndex } from '../../index/searchIndex.ts';
import { phraseOf } from '../../index/sequences.ts';
import { binarySearch } from './binarySearch.ts';
import { hasRows } from './matchWords.ts';
import { minimumShouldMatch, candidateTerms } from './requiredClauses.ts';
import type { Option, InterpretedQuery } from './interpretQuery.ts';

/** Number of clauses looked up in single rows. Reading whole lists of rows is faster than many look-ups. */
const MAX_LOOK_UPS = 5_000;

/**
 * Returns true when `matchWords` would find a row; false for a query without words.
 * @param isAllowed test of a row by the rest of the question, which is called for each row that may be found
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
    return fulfilled >= needed;
  };
  let rowsLeft = MAX_LOOK_UPS / tests.length;
  for (const term of candidateTerms(index, clauses, needed))
    for (const row of index.postingsOf(term).rows) {
      if (!isAllowed(row)) continue;
      if (isFound(row)) return true;
      rowsLeft -= 1;
      if (rowsLeft < 0) return hasRows(index, clauses, { needed, isAllowed });
    }
  return false;
}

function optionTest(index: SearchIndex, { sets, isPhrase }: Option): (row: number) => boolean {
  const lists = sets.map((set) => set.map((term) => index.postingsOf(term).rows));
  const phrase = isPhrase && sets.length > 1 ? phraseOf(sets.map(([term = 0]) => term)) : null;
  return (row) =>
    lists.every((ofSet) => ofSet.some((rows) => binarySearch(rows, row) >= 0)) &&
    (phrase === null || index.hasPhrase(row, phrase));
}
