/** Texts as the server stores them. */

/** NUL, and with the flag `u` those surrogates that are not one of a pair: the server refuses both. */
const UNSTORABLE = /[\0\ud800-\udfff]/gu;

/** The first `max` Unicode characters, without what cannot be stored. */
export function cut(text: string, max: number): string {
  // Enough units for `max` characters, so that a text of megabytes costs no more than a long one.
  const clean = text.slice(0, max * 2 + 2).replace(UNSTORABLE, '');
  let end = 0;
  for (let count = 0; count < max && end < clean.length; count += 1)
    end += (clean.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return clean.slice(0, end);
}

/** A text of 1 to `max` Unicode characters after trimming, whole; undefined for everything else. */
export function whole(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text !== '' && cut(text, max) === text ? text : undefined;
}

/** As `whole`, but a number is taken for its digits: shops count users and orders. */
export function identifier(value: unknown, max: number): string | undefined {
  return whole(typeof value === 'number' && isFinite(value) ? String(value) : value, max);
}

/** Length in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
