/** Finds the rows of an index that satisfy one option of a clause. */
import type { SearchIndex } from '../../index/searchIndex.ts';
import { phraseOf, type Phrase } from '../../index/sequences.ts';
import { SEARCH_RATIO, binarySearch } from './binarySearch.ts';
import type { Option } from './interpretQuery.ts';

export interface OptionRows {
  /** Ascending row numbers. */
  rows: Uint32Array;
  /** One per row: the sum of the scores of the sets. */
  scores: Float64Array;
}

/**
 * Returns rows that have a term of each set, as a phrase if the option is one.
 * @param wanted 1 for each row that matters; null when all rows do
 */
export function optionRows(
  index: SearchIndex,
  { sets, isPhrase, factor }: Option,
  wanted: Uint8Array | null,
): OptionRows {
  // The rarest set is first: rows without it need not be looked up for the others.
  const [rarest = [], ...others] = sets.toSorted((a, b) => index.idf(b) - index.idf(a));
  const all = rowsOfSet(index, rarest);
  const rows = wanted === null ? all : wantedOf(all, wanted);
  let found: OptionRows = { rows, scores: scoresIn(index, rows, { set: rarest, factor }) };
  for (const set of others) found = withSet(found, scoresIn(index, found.rows, { set, factor }));
  return isPhrase && sets.length > 1 ? withPhrase(index, found, phraseOf(sets.map(([term = 0]) => term))) : found;
}

/** Filters in place, like all steps that narrow lists down: `filter` would cost more than it saves. */
function wantedOf(rows: Uint32Array, wanted: Uint8Array): Uint32Array {
  let end = 0;
  for (let nth = 0; nth < rows.length; nth += 1) {
    const row = rows[nth] as number;
    rows[end] = row;
    end += wanted[row] as number;
  }
  return rows.subarray(0, end);
}

/** Returns distinct rows, ascending, in a new array. */
function rowsOfSet(index: SearchIndex, set: readonly number[]): Uint32Array {
  const [term] = set;
  if (term !== undefined && set.length === 1) return index.postingsOf(term).rows.slice();
  const lists = set.map((one) => index.postingsOf(one).rows);
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  all.sort();
  return all.filter((row, at) => at === 0 || row !== all[at - 1]);
}

/** Returns for each row the score of the set's best term, 0 without any. */
function scoresIn(
  index: SearchIndex,
  rows: Uint32Array,
  { set, factor }: { set: readonly number[]; factor: number },
): Float64Array {
  const scorePerWeight = (index.idf(set) * factor) / 255;
  const best = new Float64Array(rows.length);
  for (const term of set) {
    const postings = index.postingsOf(term);
    const keepBest = (nth: number, at: number): void => {
      const score = scorePerWeight * (postings.weights[at] as number);
      if (score > (best[nth] as number)) best[nth] = score;
    };
    intersect(rows, postings.rows, keepBest);
  }
  return best;
}

/** Visits the common numbers of two ascending lists, by their indexes in both. */
function intersect(some: Uint32Array, others: Uint32Array, visit: (nth: number, at: number) => void): void {
  if (some.length * SEARCH_RATIO < others.length) {
    for (let nth = 0; nth < some.length; nth += 1) {
      const at = binarySearch(others, some[nth] as number);
      if (at >= 0) visit(nth, at);
    }
    return;
  }
  if (others.length * SEARCH_RATIO < some.length) {
    for (let at = 0; at < others.length; at += 1) {
      const nth = binarySearch(some, others[at] as number);
      if (nth >= 0) visit(nth, at);
    }
    return;
  }
  for (let nth = 0, at = 0; nth < some.length && at < others.length;) {
    const row = some[nth] as number;
    const other = others[at] as number;
    if (row === other) visit(nth, at);
    // Branch-free, so that the processor has nothing to predict.
    nth += Number(row <= other);
    at += Number(other <= row);
  }
}

function withSet({ rows, scores }: OptionRows, added: Float64Array): OptionRows {
  let end = 0;
  for (let nth = 0; nth < rows.length; nth += 1) {
    const score = added[nth] as number;
    if (score === 0) continue;
    rows[end] = rows[nth] as number;
    scores[end] = (scores[nth] as number) + score;
    end += 1;
  }
  return { rows: rows.subarray(0, end), scores: scores.subarray(0, end) };
}

function withPhrase(index: SearchIndex, { rows, scores }: OptionRows, phrase: Phrase): OptionRows {
  let end = 0;
  for (let nth = 0; nth < rows.length; nth += 1) {
    const row = rows[nth] as number;
    if (!index.hasPhrase(row, phrase)) continue;
    rows[end] = row;
    scores[end] = scores[nth] as number;
    end += 1;
  }
  return { rows: rows.subarray(0, end), scores: scores.subarray(0, end) };
}
