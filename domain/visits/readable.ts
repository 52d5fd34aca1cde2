/** Addresses as people write them: decoded, so that `спасибо` and `%D1%81%D0%BF…` are one. */
import { domainToUnicode } from 'node:url';

const ESCAPES = /(?:%[0-9a-f]{2})+/gi;
const LABEL = /xn--[a-z0-9-]+/gi;
/** Scheme and host, which have no case. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * An address or a part of one: percent-encoded UTF-8 and Punycode decoded, scheme and host in lower case. Characters
 * that part an address (`%2F`, `%3F`, `%26`) stay encoded, and so does what is no UTF-8.
 */
export function readable(address: string): string {
  const isPlain = !address.includes('%') && !address.includes('xn--');
  const decoded = isPlain
    ? address
    : address.replace(ESCAPES, decode).replace(LABEL, (label) => domainToUnicode(label) || label);
  return decoded.replace(ORIGIN, (origin) => origin.toLowerCase()).normalize('NFC');
}

function decode(escapes: string): string {
  try {
    return decodeURI(escapes);
  } catch {
    return escapes.toUpperCase();
  }
}

/** The same of a pattern in RE2's syntax: what is decoded stands for itself in it. */
export function readablePattern(pattern: string): string {
  return pattern
    .replace(ESCAPES, (escapes) => decode(escapes).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .replace(LABEL, (label) => domainToUnicode(label) || label);
}

/**
 * What `eq` compares: no fragment unless the other side names one, no query unless it names one, no slash at the end
 * of the path.
 * @param like the value that it is compared with
 */
export function comparable(address: string, like: string): string {
  const withoutFragment = like.includes('#') ? address : address.replace(/#.*$/s, '');
  const kept = like.includes('?') ? withoutFragment : withoutFragment.replace(/\?[^#]*/s, '');
  return kept.replace(/^([^?#]*)\/(?=[?#]|$)/, '$1');
}
