/** Finds all hits of a question with their scores: by words, by meaning, or all items for a question without words. */
import { AUTO_SEMANTIC, hybridScore } from '../../../domain/search/hybrid.ts';
import type { ItemVector } from '../../../domain/output/vectors.ts';
import type { Catalogue } from '../../selection/catalogue/catalogue.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { exclusionOf, matchWords, rowsWith } from './words/matchWords.ts';
import { nearestByMeaning } from './meaningHits.ts';
import { matchPictures, type PictureMatch } from './pictureHits.ts';
import type { InterpretedQuery } from './words/interpretQuery.ts';
import { topIndexes } from '../../topNumbers.ts';

/** The vector of a query, and the cosine from which an item counts as similar to it. */
export interface QueryMeaning {
  placed: ItemVector;
  threshold: number;
  /** False when the threshold is a guess for the model; default true. */
  isMeasured?: boolean;
}

export interface Hits {
  slots: Uint32Array;
  /** One score per slot in `slots`. */
  scores: Float64Array;
  /** By slot, the picture that looks like the query; only for slots that were found by a picture. */
  pictures?: ReadonlyMap<number, number>;
  /** Returns the parts of a hit's score; this takes as long as a search for its slot. */
  partsOf(slot: number): { words?: number; meaning?: number };
}

export type Scored = Pick<Hits, 'slots' | 'scores'>;

export interface HitQuery {
  read: InterpretedQuery;
  meaning: QueryMeaning | null;
  /** The query's vector in the space of pictures; used only together with `meaning`. */
  pictureQuery?: QueryMeaning | null;
  semantic: number | 'auto';
  isAllowed: (slot: number) => boolean;
}

/**
 * Maximum number of hits by words whose vectors are compared with the query's, the best ones first; further down,
 * meaning hardly matters.
 */
const COMPARED_BY_WORDS = 1_000;

export function findHits(catalogue: Catalogue, index: SearchIndex, hitQuery: HitQuery): Hits {
  const { read, meaning, isAllowed } = hitQuery;
  const isExcluded = exclusionOf(index, read);
  const isAllowedRow = (row: number): boolean => {
    const slot = index.slotOf(row);
    return slot >= 0 && !isExcluded(row) && isAllowed(slot);
  };
  const matches = matchWords(index, read, isAllowedRow);
  if (matches === null) return allHits(index, read.isPunctuationOnly ? () => false : isAllowedRow);
  const byWords = { slots: matches.rows.map((row) => index.slotOf(row)), scores: matches.scores };
  if (meaning === null) {
    const { slots } = byWords;
    const partsOf: Hits['partsOf'] = (slot) => ({ words: matches.scores[slots.indexOf(slot)] ?? 0 });
    return { slots, scores: new Float64Array(matches.scores), partsOf };
  }
  return withMeaning(catalogue, byWords, { ...hitQuery, meaning, isAllowed: strictTest(index, read, isAllowedRow) });
}

/** Returns all allowed items, which are equally relevant: boosts and the person's taste order them. */
function allHits(index: SearchIndex, isAllowedRow: (row: number) => boolean): Hits {
  const slots = new Uint32Array(index.documents);
  let found = 0;
  for (let row = 0; row < index.rows; row += 1)
    if (isAllowedRow(row)) {
      slots[found] = index.slotOf(row);
      found += 1;
    }
  return { slots: slots.subarray(0, found), scores: new Float64Array(found).fill(1), partsOf: () => ({}) };
}

/** Returns a test for hits by meaning: they must contain the phrases, too, and nothing that is excluded. */
function strictTest(
  index: SearchIndex,
  { clauses }: InterpretedQuery,
  isAllowedRow: (row: number) => boolean,
): (slot: number) => boolean {
  const strictRows = clauses.filter(({ isStrict }) => isStrict).map(({ options }) => rowsWith(index, options));
  return (slot) => {
    const row = index.rowOf(slot);
    return row !== undefined && strictRows.every((rows) => rows[row] === 1) && isAllowedRow(row);
  };
}

function withMeaning(
  catalogue: Catalogue,
  byWords: { slots: Uint32Array; scores: Float32Array },
  { meaning, pictureQuery = null, semantic, isAllowed }: HitQuery & { meaning: QueryMeaning },
): Hits {
  const { placed, threshold } = meaning;
  const weight = semantic === 'auto' ? AUTO_SEMANTIC : semantic;
  const near = nearestByMeaning(catalogue.vectors, placed, { slots: catalogue.size, threshold, isAllowed });
  const cosines = new Map(Array.from(near.slots, (slot, at) => [slot, near.cosines[at] ?? 0]));
  // In a search by meaning alone, words find nothing.
  const words = weight < 1 ? byWords : { slots: new Uint32Array(0), scores: new Float32Array(0) };
  const compared = topIndexes(words.scores, COMPARED_BY_WORDS).map((index) => words.slots[index] as number);
  for (const [at, cosine] of catalogue.vectors.compare(placed, compared).entries())
    if (!Number.isNaN(cosine)) cosines.set(compared[at] as number, cosine);
  const pictureMatches =
    pictureQuery === null
      ? new Map<number, PictureMatch>()
      : matchPictures(catalogue.pictures, pictureQuery, isAllowed);
  const added = new Set([...near.slots, ...pictureMatches.keys()]);
  let bestMeaning = -1;
  let bestWords = 0;
  for (let index = 0; index < words.slots.length; index += 1) {
    added.delete(words.slots[index] as number);
    bestWords = Math.max(bestWords, words.scores[index] as number);
  }
  for (const cosine of cosines.values()) bestMeaning = Math.max(bestMeaning, cosine);
  // When nothing is similar by text, similarity to pictures sets the scale.
  if (pictureMatches.size > 0 && bestMeaning <= threshold) bestMeaning = 1;
  for (const [slot, { likeness }] of pictureMatches) {
    const asCosine = threshold + likeness * (bestMeaning - threshold);
    cosines.set(slot, Math.max(cosines.get(slot) ?? -1, asCosine));
  }
  const scales = { threshold, bestWords, bestMeaning };
  const slots = new Uint32Array(words.slots.length + added.size);
  slots.set(words.slots);
  slots.set([...added], words.slots.length);
  const scores = new Float64Array(slots.length);
  for (let index = 0; index < slots.length; index += 1) {
    const cosine = cosines.get(slots[index] as number) ?? null;
    scores[index] = hybridScore(words.scores[index] ?? 0, cosine, weight, scales);
  }
  return {
    slots,
    scores,
    pictures: new Map(Array.from(pictureMatches, ([slot, { ordinal }]) => [slot, ordinal])),
    partsOf: (slot) => ({
      words: hybridScore(words.scores[slots.indexOf(slot)] ?? 0, null, weight, scales),
      meaning: hybridScore(0, cosines.get(slot) ?? null, weight, scales),
    }),
  };
}
