/** Words of texts and queries as they are indexed: folded, and found again in the text. */

/** Of every code unit: 1 for what a word is made of. Characters of two units, such as emoji, are no part of words. */
const IS_PART = Uint8Array.from({ length: 65_536 }, (_, unit) =>
  /[\p{L}\p{M}\p{N}]/u.test(String.fromCharCode(unit)) ? 1 : 0,
);

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
  const folded = fold(text);
  const words: string[] = [];
  scanWords(folded, (from, to) => void words.push(folded.slice(from, to)));
  return words;
}

/**
 * Where the words of a folded text are, each with a hash of 53 bits of its code units: an index meets most words again
 * and again, and need not make a string of each to know it.
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
      if (at - from >= LONGEST) continue;
      low = Math.imul(low ^ unit, 0x01000193);
      high = Math.imul(high ^ unit, 0x5bd1e995) ^ (high >>> 15);
    }
    visit(from, Math.min(at, from + LONGEST), (high >>> 11) * 4_294_967_296 + (low >>> 0));
  }
}

/** The hash that {@link scanWords} tells of a folded word. */
export function hashOfWord(word: string): number {
  let found = 0;
  scanWords(word, (_from, _to, hash) => {
    found = hash;
  });
  return found;
}

/**
 * The folded words of a text that begin with one of some letters, with their places in the text as it is written, in
 * UTF-16 code units: nothing is made of the others.
 */
export function visitWords(
  text: string,
  firstUnits: ReadonlySet<number>,
  visit: (word: string, start: number, end: number) => void,
): void {
  const folded = fold(text);
  // Composing moves places, and so does the letter of which lower case makes two (İ); nothing else does.
  if (folded.length !== text.length || !isComposed(text)) {
    visitMoved(text, firstUnits, visit);
    return;
  }
  const { length } = folded;
  for (let at = 0; at < length; at += 1) {
    const first = folded.charCodeAt(at);
    if (IS_PART[first] === 0) continue;
    const start = at;
    while (at < length && IS_PART[folded.charCodeAt(at)] === 1) at += 1;
    if (firstUnits.has(first)) visit(folded.slice(start, Math.min(at, start + LONGEST)), start, at);
  }
}

function isComposed(text: string): boolean {
  return text.normalize('NFC') === text;
}

/** Each word is folded by itself, where the places of the folded text are not those of the text. */
function visitMoved(
  text: string,
  firstUnits: ReadonlySet<number>,
  visit: (word: string, start: number, end: number) => void,
): void {
  for (const { 0: written, index } of text.matchAll(WORD)) {
    const word = fold(written).slice(0, LONGEST);
    if (firstUnits.has(word.charCodeAt(0))) visit(word, index, index + written.length);
  }
}
