/** Finds the rows of an index that match a query, with their scores. */
import type { SearchIndex } from '../../index/searchIndex.ts';
import { SEARCH_RATIO, binarySearch } from './binarySearch.ts';
import { minimumShouldMatch, candidateTerms } from './requiredClauses.ts';
import { optionRows } from './optionRows.ts';
import type { Clause, Option, InterpretedQuery } from './interpretQuery.ts';
import { scratchFor, type Scratch } from './scratch.ts';

export interface WordMatches {
  rows: Uint32Array;
  scores: Float32Array;
}

/**
 * Returns rows that satisfy all required clauses; when there are none and three or more are required, rows that satisfy
 * most.
 * @param isAllowed test of a row by the rest of the question
 * @returns null for a query without words
 */
export function matchWords(
  index: SearchIndex,
  { clauses }: Pick<InterpretedQuery, 'clauses'>,
  isAllowed: (row: number) => boolean,
): WordMatches | null {
  if (clauses.length === 0) return null;
  const all = clauses.filter(({ isRequired }) => isRequired).length;
  const minMatches = minimumShouldMatch(clauses);
  const found = matchesOf(index, clauses, { needed: all, isAllowed });
  return found.rows.length > 0 || minMatches === all
    ? found
    : matchesOf(index, clauses, { needed: minMatches, isAllowed });
}

/** Returns true when a row satisfies the conditions. */
export function hasRows(index: SearchIndex, clauses: readonly Clause[], conditions: MatchConditions): boolean {
  return matchesOf(index, clauses, conditions).rows.length > 0;
}

/** Returns 1 for each row with one of the options; used for exclusions and for phrases. */
export function rowsWith(index: SearchIndex, options: readonly Option[]): Uint8Array {
  const matching = new Uint8Array(index.rows);
  for (const option of options) for (const row of optionRows(index, option, null).rows) matching[row] = 1;
  return matching;
}

/** Returns a test for rows with something that the query excludes by minus words. */
export function exclusionOf(
  index: SearchIndex,
  { excluded }: Pick<InterpretedQuery, 'excluded'>,
): (row: number) => boolean {
  if (excluded.length === 0) return () => false;
  const rows = rowsWith(index, excluded);
  return (row) => rows[row] === 1;
}

export interface MatchConditions {
  /** Minimum number of required clauses that a row must satisfy. */
  needed: number;
  isAllowed(row: number): boolean;
}

function matchesOf(index: SearchIndex, clauses: readonly Clause[], conditions: MatchConditions): WordMatches {
  const scratch = scratchFor(index.rows);
  const candidates = gatherCandidates(index, candidateTerms(index, clauses, conditions.needed), scratch);
  try {
    for (const clause of clauses) addClause(index, clause, { ...scratch, candidates });
    return collectMatches({ ...scratch, candidates }, conditions);
  } finally {
    for (const row of candidates) {
      scratch.isCandidate[row] = 0;
      scratch.scores[row] = 0;
      scratch.counts[row] = 0;
      scratch.best[row] = 0;
    }
  }
}

/** Returns the distinct rows of some terms, as a view of the list of candidates. */
function gatherCandidates(
  index: SearchIndex,
  terms: readonly number[],
  { isCandidate, candidates }: Scratch,
): Uint32Array {
  let end = 0;
  for (const term of terms)
    for (const row of index.postingsOf(term).rows) {
      if (isCandidate[row] === 1) continue;
      isCandidate[row] = 1;
      candidates[end] = row;
      end += 1;
    }
  return candidates.subarray(0, end);
}

function addClause(index: SearchIndex, { options, isRequired }: Clause, scratch: Scratch): void {
  const { candidates, scores, counts, best } = scratch;
  for (const option of options) {
    if (option.sets.length === 1) scoreTerms(index, option, scratch);
    else scoreRows(index, option, scratch);
  }
  const counted = isRequired ? 1 : 0;
  for (const row of candidates) {
    const score = best[row] as number;
    if (score === 0) continue;
    scores[row] = (scores[row] as number) + score;
    counts[row] = (counts[row] as number) + counted;
    best[row] = 0;
  }
}

function scoreTerms(index: SearchIndex, { sets, factor }: Option, { candidates, isCandidate, best }: Scratch): void {
  const set = sets[0] ?? [];
  const scorePerWeight = (index.idf(set) * factor) / 255;
  for (const term of set) {
    const { rows, weights } = index.postingsOf(term);
    // If there are few candidates, each is looked up in the list.
    if (candidates.length * SEARCH_RATIO < rows.length) {
      for (const row of candidates) {
        const at = binarySearch(rows, row);
        if (at >= 0) best[row] = Math.max(best[row] as number, scorePerWeight * (weights[at] as number));
      }
      continue;
    }
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number;
      const score = scorePerWeight * (weights[at] as number);
      if (isCandidate[row] === 1 && score > (best[row] as number)) best[row] = score;
    }
  }
}

function scoreRows(index: SearchIndex, option: Option, { isCandidate, best }: Scratch): void {
  const found = optionRows(index, option, isCandidate);
  for (let at = 0; at < found.rows.length; at += 1) {
    const row = found.rows[at] as number;
    best[row] = Math.max(best[row] as number, found.scores[at] as number);
  }
}

function collectMatches({ candidates, scores, counts }: Scratch, { needed, isAllowed }: MatchConditions): WordMatches {
  const rows = new Uint32Array(candidates.length);
  const kept = new Float32Array(candidates.length);
  let found = 0;
  for (const row of candidates) {
    if ((counts[row] as number) < needed || !isAllowed(row)) continue;
    rows[found] = row;
    kept[found] = scores[row] as number;
    found += 1;
  }
  return { rows: rows.subarray(0, found), scores: kept.subarray(0, found) };
}
