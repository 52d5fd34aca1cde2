/** Addresses as people write them: decoded, so that `спасибо` and `%D1%81%D0%BF…` are the same. */
import { domainToASCII, domainToUnicode } from 'node:url';

const ESCAPES = /(?:%[0-9a-f]{2})+/gi;
/** Labels of hosts in Punycode. */
export const PUNYCODE_LABEL = /xn--[a-z0-9-]+/gi;
/** Scheme and host, which are case-insensitive. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * Returns an address, or a part of one, with percent-encoded UTF-8 and Punycode decoded, with letters and their marks
 * composed (NFC), and with scheme and host in lower case. Characters that separate the parts of an address (`%2F`,
 * `%3F`, `%26`) stay encoded, as does everything that is not UTF-8.
 */
export function readable(address: string): string {
  const isPlain = !address.includes('%') && !address.includes('xn--');
  const decoded = isPlain
    ? address
    : address.replace(ESCAPES, decode).replace(PUNYCODE_LABEL, (label) => domainToUnicode(label) || label);
  return decoded.replace(ORIGIN, (origin) => origin.toLowerCase()).normalize('NFC');
}

function decode(escapes: string): string {
  try {
    return decodeURI(escapes);
  } catch {
    return escapes.toUpperCase();
  }
}

/** Decodes a pattern in RE2 syntax: decoded characters are literals in it. */
export function readablePattern(pattern: string): string {
  return pattern
    .replace(ESCAPES, (escapes) => escaped(decode(escapes)))
    .replace(PUNYCODE_LABEL, (label) => domainToUnicode(label) || label);
}

/**
 * Returns an address as `eq` compares it: without its fragment unless the other side has one, without its query unless
 * the other side has one, and without the slash at the end of its path.
 * reports/compile/conditions/pageAddressFilters.ts does the same in SQL.
 * @param like the value with which it is compared
 */
export function comparable(address: string, like: string): string {
  const withoutFragment = like.includes('#') ? address : address.replace(/#.*$/s, '');
  const kept = like.includes('?') ? withoutFragment : withoutFragment.replace(/\?[^#]*/s, '');
  return kept.replace(/^([^?#]*)\/(?=[?#]|$)/, '$1');
}

/**
 * A word that is not ASCII: part of a path, or a label of a host. It is looked for from the beginning of each word only,
 * so that a long word in ASCII takes linear time.
 */
export const UNICODE_WORD = /(?:(?<![\p{L}\p{M}\p{N}-])[\p{L}\p{M}\p{N}-]+)?[^\p{ASCII}][\p{L}\p{M}\p{N}-]*/gu;
/** Characters that browsers encode. */
const ENCODABLE = /[^!-~]/gu;
/**
 * Bounds the pattern: PostgreSQL takes 0.3 ms for each address at this number, and three times as long at twice the
 * number.
 */
const ENCODABLE_CHARACTERS = 100;

/**
 * Returns a regular expression of PostgreSQL that finds a part of an address in an address converted to lower case,
 * however either was written: in letters of any case, percent-encoded, or (a whole label of a host) in Punycode.
 */
export function addressPartPattern(part: string): string {
  const whole = readable(part);
  const text = whole.slice(0, [...whole.matchAll(ENCODABLE)][ENCODABLE_CHARACTERS]?.index);
  let pattern = '';
  let end = 0;
  for (const { 0: word, index } of text.matchAll(UNICODE_WORD)) {
    pattern += patternOf(text.slice(end, index)) + anyOf([patternOf(word), literal(domainToASCII(word))]);
    end = index + word.length;
  }
  return pattern + patternOf(text.slice(end));
}

function patternOf(text: string): string {
  return [...text].map((character) => (/[!-~]/.test(character) ? literal(character) : encodable(character))).join('');
}

/** Encoding hides the case of a letter. */
function encodable(character: string): string {
  const cases = [character.toLowerCase(), character.toUpperCase()];
  const bytes = cases.map((one) => encodeURIComponent(one).toLowerCase());
  return anyOf([...cases, ...bytes].map(escaped));
}

const anyOf = (patterns: readonly string[]): string =>
  `(?:${[...new Set(patterns)].filter((pattern) => pattern !== '').join('|')})`;

const literal = (text: string): string => escaped(text.toLowerCase());

/** Escapes the characters that are special in RE2 and in PostgreSQL's regular expressions. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
