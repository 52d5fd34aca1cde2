/** Words typed with the wrong keyboard layout: "ghbdtn" is "привет". */

const LATIN_KEYS = '`qwertyuiop[]asdfghjkl;\'zxcvbnm,.~{}:"<>';
const CYRILLIC_KEYS = 'ёйцукенгшщзхъфывапролджэячсмитьбюёхъжэбю';

const TO_CYRILLIC = new Map([...LATIN_KEYS].map((key, at) => [key, CYRILLIC_KEYS[at] ?? key]));
/**
 * Number of keys without shift, which come first. A Cyrillic letter is mapped only to one of these, because that key
 * was meant.
 */
const PLAIN_KEYS = 33;
const TO_LATIN = new Map([...CYRILLIC_KEYS].slice(0, PLAIN_KEYS).map((key, at) => [key, LATIN_KEYS[at] ?? key]));

/**
 * Returns the same keys in the other layout; the script of the letters decides which one that is.
 * @param text in lower case
 * @returns null for a text with letters of both, or of neither
 */
export function inOtherLayout(text: string): string | null {
  const hasLatin = /[a-z]/.test(text);
  const hasCyrillic = /[а-яё]/.test(text);
  if (hasLatin === hasCyrillic) return null;
  const map = hasLatin ? TO_CYRILLIC : TO_LATIN;
  return [...text].map((key) => map.get(key) ?? key).join('');
}
