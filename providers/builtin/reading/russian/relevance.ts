/** Relevance of a phrase to its text: the similarity of their words' vectors (navec). */
import { foldWord } from '../../text/words.ts';
import type { TaggedWord } from '../common/types.ts';
import type { WordVectors } from './navec.ts';

const CONTENT = new Set(['NOUN', 'PROPN', 'ADJ', 'VERB']);
/** Rarity at or below which a word is too common to describe a text: one in a thousand words. */
const COMMON = 3;

/** Returns the cosine of a phrase and the text, from -1 to 1; null if no word of the phrase is known. */
export type RelevanceOf = (phrase: string) => number | null;

interface WordVector {
  numbers: Float32Array;
  length: number;
}

export function createRelevance(words: readonly TaggedWord[], vectors: WordVectors): RelevanceOf {
  const { dimension } = vectors;
  /** The words of a text occur in several of its phrases. */
  const found = new Map<string, WordVector | null>();

  const vectorOf = (word: string): WordVector | null => {
    const before = found.get(word);
    if (before !== undefined) return before;
    const known = [word, foldWord(word)].find((spelling) => vectors.countOf(spelling) > 0);
    const numbers = new Float32Array(dimension);
    if (known !== undefined) vectors.copy(vectors.rowOf(known), numbers, 0);
    const vector = known === undefined ? null : { numbers, length: lengthOf(numbers) };
    found.set(word, vector);
    return vector;
  };

  /**
   * Adds the word's vector of length 1 times its weight.
   * @returns false if it has none
   */
  const add = (word: string, weight: number, to: Float32Array): boolean => {
    const vector = vectorOf(word);
    if (vector === null) return false;
    const { numbers, length } = vector;
    const factor = weight / length;
    for (let at = 0; at < dimension; at += 1) to[at] = (to[at] ?? 0) + (numbers[at] ?? 0) * factor;
    return true;
  };

  const text = new Float32Array(dimension);
  for (const { text: written, pos } of words) {
    if (!CONTENT.has(pos)) continue;
    const word = written.toLowerCase();
    const rarity = Math.log10(vectors.total / (vectors.countOf(word) + 1));
    if (rarity > COMMON) add(word, rarity - COMMON, text);
  }
  const length = lengthOf(text);

  const compute: RelevanceOf = (phrase) => {
    const sum = new Float32Array(dimension);
    const added = phrase.split(' ').filter((word) => add(word.toLowerCase(), 1, sum)).length;
    if (added === 0 || length === 0) return null;
    let product = 0;
    for (let at = 0; at < dimension; at += 1) product += (sum[at] ?? 0) * (text[at] ?? 0);
    return product / lengthOf(sum) / length;
  };

  /** A text repeats its phrases, and longer ones contain them. */
  const computed = new Map<string, number | null>();
  return (phrase) => {
    const known = computed.get(phrase);
    if (known !== undefined) return known;
    const relevance = compute(phrase);
    computed.set(phrase, relevance);
    return relevance;
  };
}

function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares) || 1;
}
