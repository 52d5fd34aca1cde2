/** Decides which words of the engine's result are words: it also reads bullets, frames and textures as letters. */
import { isKnownWord } from '../text/dictionary.ts';
import { foldWord } from '../text/words.ts';

export interface OcrWord {
  text: string;
  /** 0 to 100. */
  confidence: number;
  /** Pixels of the picture. */
  bbox?: { x0: number; y0: number; x1: number; y1: number };
}

/** Minimum confidence, 0 to 100. Below the first, words on photographs are mostly leaves and shadows. */
const MIN_CONFIDENCE = { known: 60, number: 70, unknown: 80, short: 85 } as const;

/** Signs that occur alone between words. */
const SIGN = /^[-–—&+%№$€£₽×]$/;
/** Words of one letter in Russian and English. */
const ONE_LETTER = /^[авикосуяaiАВИКОСУЯAI]$/;
const VOWEL = /[аеёиоуыэюяaeiouy]/i;
/** The longest run of letters without a vowel that is still an abbreviation: «СССР», HTML. */
const MAX_ABBREVIATION_LENGTH = 5;
/** Characters before and after a word: quotes and brackets belong to text, bullets and strokes do not. */
const EDGE_BEFORE = /^[^\p{L}\p{N}«"“'([№$€£₽#@+-]+/u;
const EDGE_AFTER = /[^\p{L}\p{N}»"”'\])!?.,:;%…°+-]+$/u;

/** Returns the word without strokes at its edges; null if it is not a word. */
export function acceptedWord({ text, confidence }: OcrWord): string | null {
  const trimmed = text.replace(EDGE_BEFORE, '').replace(EDGE_AFTER, '');
  if (!/[\p{L}\p{N}]/u.test(trimmed)) return SIGN.test(text.trim()) ? text.trim() : null;
  return confidence >= leastConfidence(trimmed) ? trimmed : null;
}

/** Returns the confidence that such a word needs; more than 100 if it is never a word. */
function leastConfidence(word: string): number {
  const letters = word.replaceAll(/[^\p{L}]/gu, '');
  if (letters === '') return MIN_CONFIDENCE.number;
  if (letters.length === 1) return leastForLetter(word, letters);
  if (isKnownWord(foldWord(letters))) return MIN_CONFIDENCE.known;
  if (!VOWEL.test(letters)) return isAbbreviation(letters) ? MIN_CONFIDENCE.unknown : 101;
  return letters.length === 2 ? MIN_CONFIDENCE.short : MIN_CONFIDENCE.unknown;
}

/**
 * Distinguishes «6А» and «10 °C», where a letter belongs to a number, from a letter alone, which is a word or a bullet.
 */
function leastForLetter(word: string, letter: string): number {
  if (/\p{N}/u.test(word) || word === `${letter}.`) return MIN_CONFIDENCE.short;
  return word === letter && ONE_LETTER.test(letter) ? MIN_CONFIDENCE.known : 101;
}

function isAbbreviation(letters: string): boolean {
  return letters.length <= MAX_ABBREVIATION_LENGTH && letters === letters.toUpperCase();
}

/** Joins a line without the signs at its ends, where they join nothing. */
export function joinWords(words: readonly string[]): string {
  const isWord = (word: string): boolean => !SIGN.test(word);
  const first = words.findIndex(isWord);
  return first === -1 ? '' : words.slice(first, words.findLastIndex(isWord) + 1).join(' ');
}
