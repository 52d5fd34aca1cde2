/** The order of texts, and their length, by code point. */

const FIRST_SURROGATE = 0xd800;
const FIRST_AFTER_SURROGATES = 0xe000;

/**
 * Compares by code point, which is the order of UTF-8 bytes and so of PostgreSQL's collation "C". JavaScript's own
 * order, by UTF-16 unit, puts characters beyond U+FFFF before those from U+E000 on.
 */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index += 1) {
    const [unit, other] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (unit !== other) return rank(unit) - rank(other);
  }
  return a.length - b.length;
}

/** Surrogates, which stand for characters beyond U+FFFF, come after all other units. */
function rank(unit: number): number {
  return unit >= FIRST_SURROGATE && unit < FIRST_AFTER_SURROGATES ? unit + 0x1_0000 : unit;
}

const PAIR = /[\u{10000}-\u{10ffff}]/gu;

/** Returns the number of characters as the APIs count them: code points, of which some have two UTF-16 units. */
export function characterCount(text: string): number {
  return text.length - (text.match(PAIR)?.length ?? 0);
}

/**
 * Returns whether a text has at most `max` characters (code points). No text has more characters than UTF-16 units, so
 * most need no counting.
 */
export function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || characterCount(text) <= max;
}
