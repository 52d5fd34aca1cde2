/**
 * Lexical embedding by signed feature hashing (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask
 * Learning"): every feature adds ±1 times its weight to one of 384 places. The hash also determines the sign, so that
 * collisions cancel out on average. Features are word stems and, with less weight, character trigrams of these, which
 * match what stemming misses (compounds, typos, rare inflections).
 */
import { stem } from '../text/stem.ts';
import { isStopWord } from '../text/stopWords.ts';
import { splitWords } from '../text/words.ts';
import { hash32 } from '../../../domain/hash32.ts';

export const DIMENSION = 384;

/**
 * Total length of a word's trigrams, compared with 1 for its stem. With less, misspelt words do not match; with more,
 * unrelated words do.
 */
const TRIGRAM_WEIGHT = 0.7;
/** Function words carry little meaning, but a text of nothing else ("To be or not to be") needs a vector too. */
const STOP_WORD_WEIGHT = 0.02;
const MIN_SPLIT_LENGTH = 4;

/**
 * Embeds one text: L2-normalised, deterministic across processes and machines.
 * @returns null if the text has only white space
 */
export function embedText(text: string): Float32Array | null {
  const vector = new Float64Array(DIMENSION);
  const counts = countWords(text);
  if (counts.size === 0) addCharacters(vector, text);
  for (const [folded, count] of counts) {
    const weight = (1 + Math.log(count)) * (isStopWord(folded) ? STOP_WORD_WEIGHT : 1);
    addFeature(vector, `w ${folded}`, weight);
    addTrigrams(vector, folded, weight * TRIGRAM_WEIGHT);
  }
  return normalise(vector);
}

/** Counts occurrences by stem; function words are kept as written. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { folded } of splitWords(text)) {
    for (const part of folded.includes('-') ? folded.split('-') : [folded]) {
      if (part === '') continue;
      const key = isStopWord(part) ? part : stem(part);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/** Divides the word's weight among its trigrams, so that long words do not outweigh short ones. */
function addTrigrams(vector: Float64Array, key: string, weight: number): void {
  if (key.length < MIN_SPLIT_LENGTH) return;
  const padded = `_${key}_`;
  const share = weight / Math.sqrt(padded.length - 2);
  for (let at = 0; at + 3 <= padded.length; at += 1) addFeature(vector, `t ${padded.slice(at, at + 3)}`, share);
}

/** Distinguishes texts without letters or digits ("!!!", emoji) by their characters. */
function addCharacters(vector: Float64Array, text: string): void {
  for (const character of text.replace(/\s+/g, '').slice(0, 1_000)) addFeature(vector, `c ${character}`, 1);
}

function addFeature(vector: Float64Array, feature: string, weight: number): void {
  const hash = hash32(feature);
  const column = hash % DIMENSION;
  vector[column] = (vector[column] ?? 0) + (hash >>> 31 === 1 ? weight : -weight);
}

function normalise(vector: Float64Array): Float32Array | null {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return null;
  const length = Math.sqrt(sum);
  return Float32Array.from(vector, (value) => value / length);
}
