/** Personal contact data in a text, which is never shown in entities, keywords or excerpts. */

/** Texts that look like addresses, including user names after @. */
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu;
const HANDLE = /(?<![\p{L}\p{N}])@[\p{L}\p{N}_.]{2,64}/gu;
/**
 * Numbers that are not telephone numbers: dates, which the digits of a time may follow, and amounts of a million or
 * more.
 */
const NO_PHONE =
  '\\d{1,2}\\.\\d{1,2}\\.(?:19|20)\\d\\d|(?:19|20)\\d\\d-\\d\\d-\\d\\d|\\d{1,3}(?:[ \\u00a0]\\d{3}){0,3}(?:[ \\u00a0]000){2}';
/** International, Russian (8 or +7) and plain grouped numbers of 10 to 15 digits. */
const PHONE = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(?:(${NO_PHONE})|(?:\\+|\\()?\\d(?:[ \\t\\u00a0().-]{0,3}\\d){9,14})(?![\\p{L}\\p{N}])`,
  'gu',
);
/** Local numbers after «тел.», which are too short to be recognised without the label. */
const LABELLED_PHONE = /(?<=(?:тел|телефон|моб|phone|tel|call|звоните)[.:]?\s{0,3})\+?[\d() -]{5,18}\d/giu;

/** Maximum number of characters of a contact: so much text around a cut is enough to recognise what it cuts. */
export const MAX_CONTACT_LENGTH = 400;

/**
 * Replaces e-mail addresses, @names and telephone numbers with bullets of the same length, so that offsets stay valid.
 */
export function hideContacts(text: string): string {
  let hidden = text;
  if (text.includes('@')) hidden = hidden.replace(EMAIL, bullets).replace(HANDLE, bullets);
  return hidden.replace(PHONE, (found, kept?: string) => kept ?? bullets(found)).replace(LABELLED_PHONE, bullets);
}

/**
 * Returns at most the first `length` characters (UTF-16 units) of a text. If that cuts a contact, its beginning is
 * hidden. Other contacts near the end are hidden too.
 */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const edge = Math.max(0, length - MAX_CONTACT_LENGTH);
  const hidden = hideContacts(text.slice(edge, length + MAX_CONTACT_LENGTH));
  return text.slice(0, edge) + hidden.slice(0, length - edge);
}

function bullets(found: string): string {
  return '•'.repeat(found.length);
}
