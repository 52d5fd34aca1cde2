/** Free texts of people: interests and cities, in which somebody may write what does not belong there. */

const MAX_DIGITS = 4;

/** Whether a text may be kept as it is: an e-mail address, a phone number or a street with its house may not. */
export function isKeepable(text: string): boolean {
  return text !== '' && !text.includes('@') && (text.match(/\p{Nd}/gu)?.length ?? 0) <= MAX_DIGITS;
}
