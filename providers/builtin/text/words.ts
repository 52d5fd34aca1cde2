/** Words of a text: their places, and the folded form by which they are compared. */

export interface Word {
  /** As written. */
  text: string;
  /** Lower case, NFC, ё as е: the form used for stems, stop words and counts. */
  folded: string;
  /** Offsets in the given text, in UTF-16 code units. */
  start: number;
  end: number;
}

/** Letters and digits, with inner hyphens and apostrophes («научно-популярный», "don't"). */
const WORD = /[\p{L}\p{M}\p{N}]+(?:[-'’][\p{L}\p{M}\p{N}]+)*/gu;

/** Longer runs are base64 and the like, not words; the limit bounds the cost of stemming. */
const MAX_WORD_LENGTH = 64;

/** Folds spelling differences that do not matter for comparison: case, composed forms, ё and е. */
export function foldWord(word: string): string {
  const lower = word.normalize('NFC').toLowerCase();
  return lower.includes('ё') ? lower.replaceAll('ё', 'е') : lower;
}

/** Returns all words of `text` in order. Linear in its length. */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const written = match[0];
    const start = match.index;
    words.push({
      text: written,
      folded: foldWord(written.slice(0, MAX_WORD_LENGTH)),
      start,
      end: start + written.length,
    });
  }
  return words;
}

const CYRILLIC = /^[\u0400-\u04ff'’-]+$/;
const LATIN = /^[a-z\u00c0-\u024f'’-]+$/;

/** Returns the script of a folded word; `mixed` includes digits and other scripts. */
export function scriptOf(folded: string): 'cyrillic' | 'latin' | 'mixed' {
  if (CYRILLIC.test(folded)) return 'cyrillic';
  return LATIN.test(folded) ? 'latin' : 'mixed';
}
