/** Prepares text as the server stores it. */

/** NUL and, with the flag `u`, unpaired surrogates: the server refuses both. */
const UNSTORABLE = /[\0\ud800-\udfff]/gu;

/** At least the part of an e-mail address before its @, percent-encoded. */
const LOOKAHEAD = 400;

/**
 * Characters that a contact may consist of, and what reveals one among them: a word, or part of an address, with an @,
 * or with nine digits whose gaps are percent-encoded; and a telephone number with its gaps.
 */
const RUNS = [
  contactRun('[^\\s!"#$&*,/:;<=>?[\\\\\\]^`{|}]*', /[@\uff20]|%(?:25)*40|^(?=[^%]*%)(?:\D*\d){9}/),
  contactRun('[\\d\\s().+\\u2010-\\u2013-]*', /^(?:\D*\d){9}/),
];

function contactRun(run: string, hint: RegExp) {
  return { end: new RegExp(`${run}$`), start: new RegExp(`^${run}`), hint };
}

/**
 * Returns the first `max` Unicode characters, without those that cannot be stored. If the limit cuts what may be an
 * e-mail address or a telephone number, its beginning is left out, because the server would not recognise it.
 */
export function cut(text: string, max: number): string {
  // Keeps enough UTF-16 units for `max` characters, so that a string of megabytes costs no more than a long one.
  const clean = text.slice(0, max * 2 + LOOKAHEAD).replace(UNSTORABLE, '');
  let end = 0;
  for (let count = 0; count < max && end < clean.length; count += 1)
    end += (clean.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  const begun = contactBefore(clean.slice(0, end), clean.slice(end));
  return begun === 0 ? clean.slice(0, end) : clean.slice(0, end - begun).trimEnd();
}

/** Returns the length of what may be a contact at the end of `before` that continues in `after`; 0 without one. */
function contactBefore(before: string, after: string): number {
  if (after === '') return 0;
  const lengths = RUNS.map(({ end, start, hint }) => {
    const [[begun = ''], [rest = '']] = [end.exec(before) ?? [], start.exec(after) ?? []];
    return rest !== '' && hint.test(begun + rest) ? begun.length : 0;
  });
  return Math.max(...lengths);
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
