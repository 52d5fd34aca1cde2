/** The rows of an index that have what a query says, with their scores. */
import type { SearchIndex } from '../index/searchIndex.ts';
import { phraseOf } from '../index/sequences.ts';
import type { Clause, Option, ReadQuery } from './readQuery.ts';
import { scratchFor, type Scratch } from './scratch.ts';

export interface WordMatches {
  rows: Uint32Array;
  scores: Float32Array;
}

/** From so many words on, a query may be answered by what has most of them, if nothing has all. */
const LOOSE_FROM = 3;
const LOOSE_SHARE = 0.6;

/**
 * Rows that fulfil all required clauses.
 * @param isAllowed the rows that the rest of the question allows
 * @returns null for a query that asks for no word
 */
export function matchWords(
  index: SearchIndex,
  { clauses }: Pick<ReadQuery, 'clauses'>,
  isAllowed: (row: number) => boolean,
): WordMatches | null {
  if (clauses.length === 0) return null;
  const scratch = scratchFor(index.rows);
  let touched = 0;
  for (const clause of clauses) touched = addClause(index, clause, scratch, touched);
  const required = clauses.filter(({ isRequired }) => isRequired).length;
  const strict = clauses.filter(({ isStrict }) => isStrict).length;
  let found = collect(scratch, touched, isAllowed, required);
  if (found.rows.length === 0 && required >= LOOSE_FROM && strict === 0)
    found = collect(scratch, touched, isAllowed, Math.ceil(required * LOOSE_SHARE));
  for (let at = 0; at < touched; at += 1) {
    const row = scratch.touched[at] as number;
    scratch.scores[row] = 0;
    scratch.counts[row] = 0;
  }
  return found;
}

/** Rows with one of the options, for what is left out and what phrases demand. */
export function rowsWith(index: SearchIndex, options: readonly Option[]): Set<number> {
  const rows = new Set<number>();
  for (const option of options) for (const [row] of scoresOf(index, option)) rows.add(row);
  return rows;
}

function collect(
  { touched: all, scores, counts }: Scratch,
  touched: number,
  isAllowed: (row: number) => boolean,
  needed: number,
): WordMatches {
  const rows = new Uint32Array(touched);
  const kept = new Float32Array(touched);
  let found = 0;
  for (let at = 0; at < touched; at += 1) {
    const row = all[at] as number;
    if ((counts[row] as number) < needed || !isAllowed(row)) continue;
    rows[found] = row;
    kept[found] = scores[row] as number;
    found += 1;
  }
  return { rows: rows.subarray(0, found), scores: kept.subarray(0, found) };
}

/** @returns how many rows were touched up to here */
function addClause(index: SearchIndex, { options, isRequired }: Clause, scratch: Scratch, before: number): number {
  const { scores, counts, best, touched, ofClause } = scratch;
  let inClause = 0;
  const offer = (row: number, score: number): void => {
    const known = best[row] as number;
    if (known === 0) {
      ofClause[inClause] = row;
      inClause += 1;
    }
    if (score > known) best[row] = score;
  };
  for (const option of options) {
    if (option.sets.length === 1) offerTerms(index, option, offer);
    else for (const [row, score] of scoresOf(index, option)) offer(row, score);
  }
  let end = before;
  for (let at = 0; at < inClause; at += 1) {
    const row = ofClause[at] as number;
    if (scores[row] === 0) {
      touched[end] = row;
      end += 1;
    }
    scores[row] = (scores[row] as number) + (best[row] as number);
    if (isRequired) counts[row] = (counts[row] as number) + 1;
    best[row] = 0;
  }
  return end;
}

function offerTerms(index: SearchIndex, { sets, factor }: Option, offer: (row: number, score: number) => void): void {
  const set = sets[0] ?? [];
  const each = (index.telling(set) * factor) / 255;
  for (const term of set) {
    const { rows, weights } = index.postingsOf(term);
    for (let at = 0; at < rows.length; at += 1) offer(rows[at] as number, each * (weights[at] as number));
  }
}

/** Rows that have a term of each set, in a phrase if the option is one, with the sum of their scores. */
function scoresOf(index: SearchIndex, { sets, isPhrase, factor }: Option): Map<number, number> {
  // The rarest first: what it leaves out need not be looked at in the others.
  const ordered = sets.toSorted((a, b) => index.telling(b) - index.telling(a));
  let found = new Map<number, number>();
  for (const [at, set] of ordered.entries()) {
    const each = (index.telling(set) * factor) / 255;
    const ofSet = new Map<number, number>();
    for (const term of set) addScores(index.postingsOf(term), { each, ofSet, found: at === 0 ? null : found });
    found = ofSet;
  }
  if (!isPhrase || sets.length < 2) return found;
  const phrase = phraseOf(sets);
  for (const row of found.keys()) if (!index.hasPhrase(row, phrase)) found.delete(row);
  return found;
}

interface Adding {
  each: number;
  ofSet: Map<number, number>;
  /** Rows that all sets before had; null for the first one. */
  found: ReadonlyMap<number, number> | null;
}

function addScores(
  { rows, weights }: { rows: Uint32Array; weights: Uint8Array },
  { each, ofSet, found }: Adding,
): void {
  // Of a few rows each is looked for in the list, which ascends.
  if (found !== null && found.size * FEW < rows.length) {
    for (const [row, before] of found) {
      const at = placeIn(rows, row);
      if (at >= 0) ofSet.set(row, before + each * (weights[at] as number));
    }
    return;
  }
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    const before = found === null ? 0 : found.get(row);
    if (before === undefined) continue;
    ofSet.set(row, Math.max(ofSet.get(row) ?? 0, before + each * (weights[at] as number)));
  }
}

const FEW = 16;

/** −1 when the row is not among them. */
function placeIn(rows: Uint32Array, row: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = rows[middle] as number;
    if (found === row) return middle;
    if (found < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
