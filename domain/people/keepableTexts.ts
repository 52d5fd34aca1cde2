/** Free texts about people: interests and cities, in which somebody may write other personal data. */

const MAX_DIGITS = 4;

/**
 * Returns true when a text may be stored as it is, which excludes e-mail addresses, phone numbers and street addresses.
 */
export function isKeepable(text: string): boolean {
  return text !== '' && !text.includes('@') && (text.match(/\p{Nd}/gu)?.length ?? 0) <= MAX_DIGITS;
}
