/** Words of texts and queries as they are indexed: folded, and found again in the text. */

/** Letters and digits; hyphens and apostrophes part words, so that what is written with and without one meets. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Longer runs are base64 and the like, not words. */
const LONGEST = 40;

/** Case, composed forms, ё and е mean the same. */
export function fold(text: string): string {
  const lower = text.normalize('NFC').toLowerCase();
  return lower.includes('ё') ? lower.replaceAll('ё', 'е') : lower;
}

/** The folded words of a text, in order. */
export function wordsOf(text: string): string[] {
  const words = fold(text).match(WORD) ?? [];
  return words.map((word) => (word.length > LONGEST ? word.slice(0, LONGEST) : word));
}

export interface WordPlace {
  word: string;
  /** Offsets in UTF-16 code units. */
  start: number;
  end: number;
}

/** The folded words with their places in the text as it is written. */
export function wordPlaces(text: string): WordPlace[] {
  return Array.from(text.matchAll(WORD), ({ 0: written, index }) => ({
    word: fold(written).slice(0, LONGEST),
    start: index,
    end: index + written.length,
  }));
}
