/** Personal contact data in a text, which is never shown in entities, keywords or excerpts. */
import { wholeCharactersEnd } from '../../../domain/cutText.ts';
import { PHONE as WRITTEN_PHONE } from '../../../domain/privacy/contactsInTexts.ts';

/**
 * Texts that look like addresses, from the @ on, with the user name before it as a group. It begins with the @, because
 * otherwise 64 characters would be tried as a user name at each place of a text.
 */
const EMAIL =
  /[@\uff20](?<=([\p{L}\p{M}\p{N}._%+-]{1,64})[@\uff20])[\p{L}\p{M}\p{N}-]{1,63}(?:\.[\p{L}\p{M}\p{N}-]{1,63}){1,4}/gu;
/** User names after @. */
const HANDLE = /(?<![\p{L}\p{N}])[@\uff20][\p{L}\p{N}_.]{2,64}/gu;
/**
 * Numbers that are not telephone numbers: dates, which the digits of a time may follow, and amounts of a million or
 * more.
 */
const NO_PHONE =
  '\\d{1,2}\\.\\d{1,2}\\.(?:19|20)\\d\\d|(?:19|20)\\d\\d-\\d\\d-\\d\\d|\\d{1,3}(?:[ \\u00a0]\\d{3}){0,3}(?:[ \\u00a0]000){2}';
/**
 * International, Russian (8 or +7) and plain grouped numbers of 10 to 15 digits. Those with dashes or narrow spaces
 * between the digits (`8 916 123‑45‑67`) are recognised by their groups, because ranges of prices have dashes too.
 */
const PHONE = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(?:(${NO_PHONE})|(?:\\+|\\()?\\d(?:[ \\t\\u00a0().-]{0,3}\\d){9,14})(?![\\p{L}\\p{N}])`,
  'gu',
);
/** Local numbers after «тел.», which are too short to be recognised without the label; a hotel is no such label. */
const LABELLED_PHONE =
  /(?<=(?:(?<!\p{L})(?:тел|моб|tel|call|(?:tele)?phone)|телефон|звоните)[.:]{0,2}\s{0,3})\+?[\d() \u00a0\u2009\u202f\u2010-\u2014-]{5,18}\d/giu;

/** Maximum number of characters of a contact: so much text around a cut is enough to recognise what it cuts. */
export const MAX_CONTACT_LENGTH = 400;

/**
 * Replaces e-mail addresses, @names and telephone numbers with bullets of the same length, so that offsets stay valid.
 */
export function hideContacts(text: string): string {
  let hidden = text;
  if (/[@\uff20]/.test(text)) hidden = withoutEmails(hidden).replace(HANDLE, bullets);
  return hidden
    .replace(PHONE, (found, kept?: string) => kept ?? bullets(found))
    .replace(LABELLED_PHONE, bullets)
    .replace(WRITTEN_PHONE, (_found, before: string, number: string) => before + bullets(number));
}

function withoutEmails(text: string): string {
  let hidden = '';
  let from = 0;
  for (const { 0: host, 1: user = '', index } of text.matchAll(EMAIL)) {
    const [start, end] = [Math.max(from, index - user.length), index + host.length];
    hidden += text.slice(from, start) + '•'.repeat(end - start);
    from = end;
  }
  return hidden + text.slice(from);
}

/**
 * Returns at most the first `length` characters (UTF-16 units) of a text, without the beginning of a contact that is cut
 * there: it would not be recognised as one.
 */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const edge = Math.max(0, length - MAX_CONTACT_LENGTH);
  const near = text.slice(edge, length + MAX_CONTACT_LENGTH);
  const hidden = hideContacts(near);
  const isHidden = (at: number): boolean => hidden.charAt(at) !== near.charAt(at);
  let end = length - edge;
  if (isHidden(end)) while (end > 0 && isHidden(end - 1)) end -= 1;
  return text.slice(0, wholeCharactersEnd(text, edge + end));
}

function bullets(found: string): string {
  return '•'.repeat(found.length);
}
