/** Words of texts and queries as they are indexed: folded, with their positions in the text. */
import { SILENT_MARKS } from '../../../domain/search/silentMarks.ts';

/**
 * For every code unit, 1 when it can be part of a word. Characters of two units, such as emoji, are never part of
 * words.
 */
const IS_PART = Uint8Array.from({ length: 65_536 }, (_, unit) =>
  /[\p{L}\p{M}\p{N}]/u.test(String.fromCharCode(unit)) ? 1 : 0,
);

/** Returns true when a code unit can be part of a word. */
export function isPartOfWord(unit: number): boolean {
  return IS_PART[unit] === 1;
}

const ANY_SILENT = new RegExp(`[${SILENT_MARKS}]`, 'gu');

/** Letters and digits. Hyphens and apostrophes separate words, so that spellings with and without them match. */
const WORD = new RegExp(`[\\p{L}\\p{M}\\p{N}][\\p{L}\\p{M}\\p{N}${SILENT_MARKS}]*`, 'gu');
/** Maximum length of a word. Longer ones, which are Base64 and the like, are cut to it. */
export const MAX_WORD_LENGTH = 40;
/**
 * Maximum number of indexed words of each source of text: enough for the longest body in words of usual length, or for
 * some twenty hours of speech. Each source has its own limit, so that a long body does not keep speech from being
 * found.
 */
export const MAX_INDEXED_WORDS = 200_000;

/** Folds case, composed forms, and ё to е, and removes what is silent within words. */
export function fold(text: string): string {
  const lower = text.normalize('NFC').toLowerCase();
  const plain = lower.includes('ё') ? lower.replaceAll('ё', 'е') : lower;
  return plain.search(ANY_SILENT) === -1 ? plain : plain.replaceAll(ANY_SILENT, '');
}

/** The ending of "women's". It would be a word of its own ("s"), which texts that say "for women" do not have. */
const POSSESSIVE = /(?<=\p{L})['’]s(?![\p{L}\p{N}])/giu;

/** Removes the possessive endings of English words, because queries are read without them. */
export function withoutPossessives(text: string): string {
  return text.replaceAll(POSSESSIVE, '');
}

/** How far before its limit a piece may end in order to end between two words. */
const SPARE = 1_000;

/** Returns a text in pieces of at most `length` code units, which end between words unless there are none nearby. */
export function piecesOf(text: string, length: number): string[] {
  if (text.length <= length) return [text];
  const isWithin = (at: number): boolean =>
    IS_PART[text.charCodeAt(at)] === 1 || SILENT_MARKS.includes(text.charAt(at));
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > length) {
    let to = from + length;
    while (to > from + length - SPARE && isWithin(to)) to -= 1;
    if (isWithin(to)) to = from + length;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return [...pieces, text.slice(from)];
}

/** Returns the folded words of a text, in order. */
export function wordsOf(text: string): string[] {
  const folded = fold(text);
  const words: string[] = [];
  scanWords(folded, (from, to) => void words.push(folded.slice(from, to)));
  return words;
}

/**
 * Visits the words of a folded text by position, each with a 53-bit hash of its code units: an index sees most words
 * repeatedly and need not make a string of each to recognise it.
 */
export function scanWords(folded: string, visit: (from: number, to: number, hash: number) => void): void {
  const { length } = folded;
  for (let at = 0; at < length; at += 1) {
    if (IS_PART[folded.charCodeAt(at)] === 0) continue;
    const from = at;
    let low = 0x811c9dc5;
    let high = 0x2f0b4c47;
    for (; at < length; at += 1) {
      const unit = folded.charCodeAt(at);
      if (IS_PART[unit] === 0) break;
      if (at - from >= MAX_WORD_LENGTH) continue;
      low = Math.imul(low ^ unit, 0x01000193);
      high = Math.imul(high ^ unit, 0x5bd1e995) ^ (high >>> 15);
    }
    visit(from, Math.min(at, from + MAX_WORD_LENGTH), (high >>> 11) * 4_294_967_296 + (low >>> 0));
  }
}

/** Returns the hash that {@link scanWords} passes for a folded word. */
export function hashOfWord(word: string): number {
  let found = 0;
  scanWords(word, (_from, _to, hash) => {
    found = hash;
  });
  return found;
}

/**
 * Visits the folded words of a text that begin with one of some code units, with their positions in the original text,
 * in UTF-16 code units. Other words are skipped without a copy.
 */
export function visitWords(
  text: string,
  firstUnits: ReadonlySet<number>,
  visit: (word: string, start: number, end: number) => void,
): void {
  const folded = fold(text);
  // Composition changes positions, and so does İ, which becomes two characters in lower case; nothing else does. The
  // length alone does not show it, because an İ and a silent mark may offset each other.
  if (folded.length !== text.length || text.includes('İ') || !isComposed(text)) {
    visitMoved(text, firstUnits, visit);
    return;
  }
  const { length } = folded;
  for (let at = 0; at < length; at += 1) {
    const first = folded.charCodeAt(at);
    if (IS_PART[first] === 0) continue;
    const start = at;
    while (at < length && IS_PART[folded.charCodeAt(at)] === 1) at += 1;
    if (firstUnits.has(first)) visit(folded.slice(start, Math.min(at, start + MAX_WORD_LENGTH)), start, at);
  }
}

function isComposed(text: string): boolean {
  return text.normalize('NFC') === text;
}

/** Folds each word separately, for texts whose folded form has other positions. */
function visitMoved(
  text: string,
  firstUnits: ReadonlySet<number>,
  visit: (word: string, start: number, end: number) => void,
): void {
  for (const { 0: written, index } of text.matchAll(WORD)) {
    const word = fold(written).slice(0, MAX_WORD_LENGTH);
    if (firstUnits.has(word.charCodeAt(0))) visit(word, index, index + written.length);
  }
}

/** "fly" is the stem of "flies", "use" that of "using". */
const MAY_END_IN_I = /^[a-z]{2}[ye]$/;
const MIN_PREFIX_LETTERS = 3;

/**
 * Returns a pattern of a prefix that all words with a stem share. The last letter of a longer stem may differ from that
 * of its words: "happi" is the stem of "happy".
 */
export function commonPrefix(stem: string): string {
  if (MAY_END_IN_I.test(stem)) return `${stem.slice(0, 2)}[${stem.charAt(2)}i]`;
  return stem.slice(0, Math.max(MIN_PREFIX_LETTERS, stem.length - 1));
}
