/** How many clauses of a query a row has to fulfil, and among which rows those are that do. */
import type { SearchIndex } from '../index/searchIndex.ts';
import type { Clause, Option } from './readQuery.ts';

/** From so many words on, a query may be answered by what has most of them, if nothing has all. */
const LOOSE_FROM = 3;
const LOOSE_SHARE = 0.6;

/** How many of the required clauses are enough when nothing has all of them: all, or most. */
export function leastFulfilled(clauses: readonly Clause[]): number {
  const required = clauses.filter(({ isRequired }) => isRequired).length;
  const isLoose = required >= LOOSE_FROM && !clauses.some(({ isStrict }) => isStrict);
  return isLoose ? Math.ceil(required * LOOSE_SHARE) : required;
}

/**
 * Terms of which every row has one that fulfils so many of the required clauses: it has one of any clauses that are one
 * more than what it may lack, so of the rarest ones, and of these one of the rarest words.
 */
export function tellingTerms(index: SearchIndex, clauses: readonly Clause[], needed: number): number[] {
  const required = clauses
    .filter(({ isRequired }) => isRequired)
    .map(({ options }) => {
      const terms = options.flatMap((option) => rarestSet(index, option));
      return { terms, rows: rowCount(index, terms) };
    });
  return required
    .toSorted((a, b) => a.rows - b.rows)
    .slice(0, required.length - needed + 1)
    .flatMap(({ terms }) => terms);
}

function rarestSet(index: SearchIndex, { sets }: Option): readonly number[] {
  return sets.reduce((rarest, set) => (rowCount(index, set) < rowCount(index, rarest) ? set : rarest), sets[0] ?? []);
}

function rowCount(index: SearchIndex, terms: readonly number[]): number {
  return terms.reduce((sum, term) => sum + index.postingsOf(term).rows.length, 0);
}
