/** Computes how many clauses of a query a row must satisfy, and which rows can do so. */
import type { SearchIndex } from '../../index/searchIndex.ts';
import type { Clause, Option } from './interpretQuery.ts';

/** With at least this many words, a query may be answered by rows that have most of them, if none has all. */
const LOOSE_FROM = 3;
const LOOSE_SHARE = 0.6;

/** Returns how many of the required clauses suffice when no row has all of them: all, or most. */
export function minimumShouldMatch(clauses: readonly Clause[]): number {
  const required = clauses.filter(({ isRequired }) => isRequired).length;
  const isLoose = required >= LOOSE_FROM && !clauses.some(({ isStrict }) => isStrict);
  return isLoose ? Math.ceil(required * LOOSE_SHARE) : required;
}

/**
 * Returns terms of which every row has at least one if it satisfies `needed` of the required clauses. Such a row lacks
 * at most n − needed clauses, so it has one of any n − needed + 1 of them: the rarest ones are chosen, and for each of
 * these its rarest words.
 */
export function candidateTerms(index: SearchIndex, clauses: readonly Clause[], needed: number): number[] {
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
