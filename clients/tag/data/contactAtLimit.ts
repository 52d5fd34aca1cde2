/**
 * Finds the e-mail address or telephone number that the limit of a text or an address cuts. The patterns are looser than
 * the server's (domain/privacy/contactsInTexts.ts), and also match percent-encoded characters.
 */
import { EMAIL_MARK, PHONE_MARK } from '../../../domain/privacy/contactMarks.ts';

/** Begins an octet that is percent-encoded once or more often. */
const P = '%(?:25)*';
const OCTET = `${P}[\\da-f]{2}`;
/** A character outside ASCII, encoded in UTF-8. */
const ENCODED = `${P}[c-f][\\da-f](?:${P}[89ab][\\da-f])+`;
const WORD = `(?:[\\p{L}\\p{M}\\p{N}-]|${ENCODED})`;

const LOCAL_PART = `(?:[._+'~]|${WORD}|${P}(?:2[7bde]|5f|7e)){1,64}`;
const AT = `(?:[@\\uff20]|${P}(?:40|ef${P}bc${P}a0))`;
/** Neither the suffix of a file's name (`logo@2x.png`) nor a version (`react@18.2.0`). */
const DOMAIN = `(?!\\d(?:\\.\\d)?x\\.)(?:${WORD}{1,63}\\.){1,9}(?:\\p{L}|${ENCODED})${WORD}{1,62}`;

const GAP = `(?:[\\s().+\\u2010-\\u2013-]|${P}(?:2[089bde]|c2${P}a0|e2${P}80${P}(?:89|af|9[0-3])))`;
/** At most 15 digits (E.164). A longer number without gaps is no telephone number. */
const NUMBER = `${GAP}{0,3}(?!\\d{16})\\d(?:${GAP}{0,3}\\d){8,14}`;

/** The first group is what precedes a contact: a number in a word is an identifier. */
const CONTACTS = [
  { mark: EMAIL_MARK, pattern: new RegExp(`()${LOCAL_PART}${AT}${DOMAIN}`, 'iuy') },
  { mark: PHONE_MARK, pattern: new RegExp(`(^|${OCTET}|[^\\p{L}\\p{N}_])${NUMBER}`, 'iuy') },
];

/** Where a contact can begin: no escape is divided. */
const STEP = new RegExp(`${OCTET}|[^]`, 'giu');

/** At least the length of an encoded contact in UTF-16 units: 64 characters of nine units before an @, and a domain. */
export const MAX_CONTACT_LENGTH = 1_000;

/**
 * Returns where a contact begins that the limit cuts, and the mark that the server stores for such a contact; undefined
 * if there is none.
 * @param limit in UTF-16 units
 */
export function contactAtLimit(text: string, limit: number): { start: number; mark: string } | undefined {
  if (limit >= text.length) return undefined;
  for (const { index } of text.matchAll(STEP)) {
    if (index >= limit) break;
    if (index < limit - MAX_CONTACT_LENGTH) continue;
    for (const { mark, pattern } of CONTACTS) {
      pattern.lastIndex = index;
      const [found = '', before = ''] = pattern.exec(text) ?? [];
      const start = index + before.length;
      if (start < limit && index + found.length > limit) return { start, mark };
    }
  }
  return undefined;
}
