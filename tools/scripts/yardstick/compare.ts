/** Measures how close an answer is to a person's. */
import { plainText } from '../../../domain/items/plainText.ts';
import type { Sample } from './samples.ts';

/** The product's answer for a sample. */
export interface Answer {
  tags: readonly string[];
  topics: readonly string[];
  people: readonly string[];
  organisations: readonly string[];
  places: readonly string[];
  summary: string;
  /** ISO 639-1 code, or null when unknown. */
  language: string | null;
  /** Text in the pictures, in order; null when there are none. */
  ocr: string | null;
}

/** One list of an answer, compared with the expected list. */
export interface Hits {
  given: number;
  /** Number of given entries that are expected or allowed. */
  right: number;
  expected: number;
  /** Number of expected entries that were given in any of their wordings. */
  found: number;
}

export const NO_HITS: Hits = { given: 0, right: 0, expected: 0, found: 0 };

/**
 * @param expected entries with alternative wordings separated by "|"; each entry has to occur in one of them
 * @param allowed further entries that may occur
 */
export function compareList(
  given: readonly string[],
  expected: readonly string[] = [],
  allowed: readonly string[] = [],
): Hits {
  const wordings = expected.map(wordingsOf);
  const rightOnes = new Set([...wordings, ...allowed.map(wordingsOf)].flat());
  const folded = new Set(given.map(fold));
  return {
    given: given.length,
    right: given.filter((entry) => rightOnes.has(fold(entry))).length,
    expected: expected.length,
    found: wordings.filter((entry) => entry.some((wording) => folded.has(wording))).length,
  };
}

export function sumOf(all: readonly Hits[]): Hits {
  return all.reduce(
    (sum, hits) => ({
      given: sum.given + hits.given,
      right: sum.right + hits.right,
      expected: sum.expected + hits.expected,
      found: sum.found + hits.found,
    }),
    NO_HITS,
  );
}

function wordingsOf(entry: string): string[] {
  return entry.split('|').map(fold);
}

/** Normalises differences that do not matter: case, ё, quotation marks, runs of spaces. */
export function fold(entry: string): string {
  return entry
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[«»„“”"]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A sentence including its final punctuation. */
const SENTENCE = /.+?[.!?…]+[»”"')\]]*(?=\s|$)/gsu;
const MIN_WORDS = 3;
/** Words that refer back to an earlier sentence. */
const ANAPHORA =
  /^(?:[«"“—–-]\s*)?(?:он|она|оно|они|это|эта|этот|эти|его|ее|её|их|там|тогда|поэтому|затем|потом|но|а|и|или|зато|однако|также|тоже|так|то есть|he|she|it|they|this|that|these|those|his|her|its|their|then|there|but|and|or|so|however|also|otherwise|meanwhile)(?![\p{L}-])/iu;
const LIST_MARK = /^(?:\d{1,3}[.)]|[-•*–—])\s/u;

/**
 * Returns true when a summary reads as sentences: each begins with a capital, ends as a sentence and occurs in the
 * material as it is, which excludes headings and list items; and the first does not refer to a missing sentence. For an
 * item that has only a title, any summary will do.
 */
export function readsAsSentences(summary: string, { item }: Pick<Sample, 'item'>): boolean {
  const prose = [item.description, item.body, ...(item.transcripts ?? [])]
    .map((part) => collapse(plainText(part ?? '')))
    .join(' ');
  const whole = collapse(summary);
  if (prose.trim() === '') return whole !== '';
  const sentences = sentencesOf(whole);
  const isWhole = sentences.join(' ') === whole && whole !== '';
  return (
    isWhole && !ANAPHORA.test(whole) && sentences.every((sentence) => isSentence(sentence) && prose.includes(sentence))
  );
}

/**
 * Compares the sentences of a summary with those that a person would choose.
 * @param expected beginnings of sentences; the first one belongs to the sentence that must not be missing
 */
export function compareSentences(summary: string, expected: readonly string[] = []): Hits {
  const [main] = expected;
  if (main === undefined) return NO_HITS;
  const sentences = sentencesOf(collapse(summary));
  return {
    given: sentences.length,
    right: sentences.filter((sentence) => expected.some((beginning) => sentence.startsWith(beginning))).length,
    expected: 1,
    found: sentences.some((sentence) => sentence.startsWith(main)) ? 1 : 0,
  };
}

function sentencesOf(text: string): string[] {
  return [...text.matchAll(SENTENCE)].map(([sentence]) => sentence.trim());
}

function isSentence(sentence: string): boolean {
  return (
    /^(?:[«"“(]|[—–-]\s)*[\p{Lu}\p{N}]/u.test(sentence) &&
    !LIST_MARK.test(sentence) &&
    sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length >= MIN_WORDS
  );
}

function collapse(part: string): string {
  return part.replace(/\s+/g, ' ').trim();
}

/**
 * Returns the minimum number of insertions, deletions and replacements of characters that turn one text into the other.
 */
export function editDistance(from: string, to: string): number {
  const [a, b] = [[...from], [...to]];
  let row = b.map((_, index) => index + 1);
  a.forEach((character, line) => {
    let diagonal = line;
    let left = line + 1;
    row = row.map((above, column) => {
      const best = Math.min(diagonal + (character === b[column] ? 0 : 1), above + 1, left + 1);
      diagonal = above;
      left = best;
      return best;
    });
  });
  return row.at(-1) ?? a.length;
}

/** Returns the edits and the characters of the expected text, with all white space treated as equal. */
export function readingErrors(read: string, written: string): { edits: number; characters: number } {
  const expected = collapse(written);
  return { edits: editDistance(collapse(read), expected), characters: [...expected].length };
}
