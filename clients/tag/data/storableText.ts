/** Prepares text as the server stores it. */
import { contactAtLimit, MAX_CONTACT_LENGTH } from './contactAtLimit.ts';

/** NUL and, with the flag `u`, unpaired surrogates: the server refuses both. */
const UNSTORABLE = /[\0\ud800-\udfff]/gu;

/**
 * Returns the first `max` Unicode characters, without those that cannot be stored. If the limit cuts what may be an
 * e-mail address or a telephone number, its beginning is left out, because the server would not recognise it. Where
 * nothing else remains, the mark of the server replaces it: a name must not become empty.
 */
export function cut(text: string, max: number): string {
  // Keeps enough UTF-16 units for `max` characters, so that a string of megabytes costs no more than a long one.
  const clean = text.slice(0, max * 2 + MAX_CONTACT_LENGTH).replace(UNSTORABLE, '');
  let end = 0;
  for (let count = 0; count < max && end < clean.length; count += 1)
    end += (clean.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  const contact = contactAtLimit(clean, end);
  return contact ? clean.slice(0, contact.start).trimEnd() || contact.mark.slice(0, max) : clean.slice(0, end);
}

/** Returns a string of 1 to `max` Unicode characters after trimming, uncut; undefined for everything else. */
export function whole(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text !== '' && cut(text, max) === text ? text : undefined;
}

/** Like `whole`, but also turns a number into its digits, because shops number users and orders. */
export function identifier(value: unknown, max: number): string | undefined {
  return whole(typeof value === 'number' && isFinite(value) ? String(value) : value, max);
}

/** Returns the length in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
