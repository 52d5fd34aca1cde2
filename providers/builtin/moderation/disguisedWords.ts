/**
 * Reverses obfuscation: finds the words that a written token may stand for. «хyй» with a Latin y, "sh1t", «х.у.й»,
 * «хуууй», «ху­й» with an invisible hyphen all become the plain word; «х*й» becomes a pattern.
 *
 * Each rule applies only to tokens that need it: a token of plain letters of one alphabet yields itself, so ordinary
 * words are never changed until they match.
 */

/**
 * Latin letters, digits and signs that look like Cyrillic letters (Unicode TR39 confusables, limited to those found in
 * abuse).
 */
const TO_CYRILLIC: Readonly<Record<string, string>> = {
  a: 'а',
  b: 'в',
  c: 'с',
  e: 'е',
  h: 'н',
  i: 'и',
  k: 'к',
  m: 'м',
  o: 'о',
  p: 'р',
  t: 'т',
  u: 'и',
  x: 'х',
  y: 'у',
  n: 'п',
  r: 'г',
  g: 'д',
  '0': 'о',
  '3': 'з',
  '4': 'ч',
  '6': 'б',
  '@': 'а',
  $: 'с',
  і: 'и',
  ї: 'и',
  є: 'е',
  ѕ: 'с',
  ј: 'й',
  ү: 'у',
  ұ: 'у',
  ө: 'о',
  қ: 'к',
  һ: 'н',
  ӽ: 'х',
  ҳ: 'х',
};

const TO_LATIN: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  с: 'c',
  е: 'e',
  н: 'h',
  і: 'i',
  к: 'k',
  м: 'm',
  о: 'o',
  р: 'p',
  т: 't',
  х: 'x',
  у: 'y',
  и: 'u',
  ѕ: 's',
  ј: 'j',
  г: 'r',
  п: 'n',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  '+': 't',
};

/** Latin letters that look like Cyrillic ones: only words made up entirely of these may be disguised Cyrillic words. */
const ONLY_LOOKALIKES = /^[aceopxykmhtb0346@$]+$/;
const PLAIN = /^(?:[а-я]+|[a-z]+)$/;
const CYRILLIC = /[\u0400-\u04ff]/;
const ALL_CYRILLIC = /^[а-я]+$/;
const ALL_LATIN = /^[a-z]+$/;
const SEPARATORS = /[.,_\-‐‑–—~'’`|/\\+:;•·"«»“”()[\]{}!?=<>&^]+/;
/** Characters that are not shown, and the empty one of braille. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]/gu;
/** Marks above or below a letter that already has one. */
const STACKED_MARKS = /(?<=\p{Mn})\p{Mn}+/gu;
const WILDCARD = /[*#✱∗×]/;
/** A number sign that does not stand for a letter of the word before it. */
const HASHTAG = /(?:^|[^\p{L}\p{N}*✱∗×@$])#/u;
/** White letters in black circles and squares (🅕, 🅵): Unicode gives no plain letter for them. */
const DARK_LETTER = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu;
const [FIRST_DARK, DARK_ALPHABET] = [0x1f150, 0x20];
/** Digits attached to a word: «порно24». */
const OUTER_DIGITS = /^\p{N}+|\p{N}+$/gu;
/** A word has at least this many letters besides its digits; «х5» is not one. */
const LEAST_LETTERS = 3;
/** A joined token longer than this is a list or a path, not one split word. */
const MAX_PIECED_LENGTH = 14;

/**
 * Returns the token in lower case, with ё as е, a plain hyphen for any other, and without invisible characters, strokes
 * and accents (except that of й).
 */
export function foldCharacters(token: string): string {
  const lower = token.toLowerCase();
  if (/^[a-zа-я]*$/.test(lower)) return lower;
  const lit = lower.replace(DARK_LETTER, plainLetter);
  const visible = lit.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
  const bare = visible.replace(/[\u00c0-\u024f]/g, (letter) => letter.normalize('NFD')).replace(/\p{Mn}/gu, '');
  return bare.replaceAll('ё', 'е').replaceAll('‐', '-');
}

/** Returns the token without the characters that can make it longer but not look longer. Linear in its length. */
export function withoutPadding(token: string): string {
  return token.replace(INVISIBLE, '').replace(STACKED_MARKS, '');
}

function plainLetter(dark: string): string {
  return String.fromCharCode('a'.charCodeAt(0) + (((dark.codePointAt(0) ?? 0) - FIRST_DARK) % DARK_ALPHABET));
}

/**
 * Returns the plain words that a token may stand for, the most literal first; empty for numbers and the like. Hashtags
 * are separate words.
 * @param folded a token after `foldCharacters`, without white space
 */
export function readings(folded: string): string[] {
  if (PLAIN.test(folded)) return withoutRepeats(folded);
  if (HASHTAG.test(folded)) return folded.split('#').flatMap((tag) => (tag === '' ? [] : readings(tag)));
  const found = new Set<string>();
  const pieces = folded.split(SEPARATORS).filter((piece) => piece !== '');
  for (const piece of pieces.flatMap(withoutDigits)) for (const word of disguises(piece)) found.add(word);
  if (pieces.length === 2 && folded === pieces.join('-')) found.add(folded);
  if (isPieced(pieces) && !/^[a-z]+['’][a-z]+$/.test(folded))
    for (const word of disguises(pieces.join(''))) found.add(word);
  if (/[!|+]/.test(folded)) for (const word of disguises(folded.replace(/[.,!?]+$/, ''))) found.add(word);
  return [...found];
}

/**
 * Returns whether a word is split into pieces, as «х.у.й» and «ху-й» are: some piece has only one or two letters. An
 * English apostrophe ("who're") does not count.
 */
function isPieced(pieces: readonly string[]): boolean {
  if (pieces.length < 2 || !pieces.some((piece) => piece.length <= 2)) return false;
  return pieces.reduce((sum, piece) => sum + piece.length, 0) <= MAX_PIECED_LENGTH;
}

/** Returns a piece, and what it is without digits before and after it: these may stand for letters, as in "5lut". */
function withoutDigits(piece: string): string[] {
  const bare = piece.replace(OUTER_DIGITS, '');
  return bare.length < piece.length && bare.length >= LEAST_LETTERS ? [piece, bare] : [piece];
}

/** Returns the Cyrillic and the Latin reading of one piece, if it has them. */
function disguises(piece: string): string[] {
  if (PLAIN.test(piece))
    return ONLY_LOOKALIKES.test(piece)
      ? [...withoutRepeats(piece), ...reading(piece, TO_CYRILLIC, ALL_CYRILLIC)]
      : withoutRepeats(piece);
  if (!/\p{L}/u.test(piece)) return [];
  const words: string[] = [];
  if (CYRILLIC.test(piece) || ONLY_LOOKALIKES.test(piece)) words.push(...reading(piece, TO_CYRILLIC, ALL_CYRILLIC));
  if (!CYRILLIC.test(piece) || /[a-z]/.test(piece)) words.push(...reading(piece, TO_LATIN, ALL_LATIN));
  return words;
}

function reading(piece: string, alphabet: Readonly<Record<string, string>>, whole: RegExp): string[] {
  let word = '';
  for (const letter of piece) word += alphabet[letter] ?? letter;
  return whole.test(word) ? withoutRepeats(word) : [];
}

/**
 * Returns readings without repeated letters: «хуууй» is also «хуй», "asssshole" also "asshole". Doubled letters alone
 * are ordinary: «труппа» is not «трупа».
 */
function withoutRepeats(word: string): string[] {
  if (!/(.)\1\1/.test(word)) return [word];
  return [word, word.replace(/(.)\1{2,}/g, '$1'), word.replace(/(.)\1{2,}/g, '$1$1'), word.replace(/(.)\1+/g, '$1')];
}

/**
 * Returns the pattern of a token with masked letters («п***ц», "f**k"), or null for other tokens. A single star is one
 * letter; a run of stars has an approximate length.
 */
export function maskedPattern(folded: string): RegExp | null {
  if (!WILDCARD.test(folded)) return null;
  const token = folded.replace(/^[^\p{L}*#✱∗×]+|[^\p{L}*#✱∗×]+$/gu, '');
  const letters = token.replace(/[^\p{L}]/gu, '').length;
  if (letters < 2 && !/^(?:х\*\*|f\*\*\*)$/.test(token)) return null;
  if (!/^[\p{L}*#✱∗×]+$/u.test(token) || /^\*.*\*$/.test(token)) return null;
  const source = token.replace(/[*#✱∗×]+/g, (run) =>
    run.length === 1 ? '.' : `.{${run.length - 1},${run.length + 2}}`,
  );
  return new RegExp(`^${source}$`);
}
