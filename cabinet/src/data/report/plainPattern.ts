/** Regular expressions that the server certainly accepts: it checks them with RE2, which browsers lack. */

/** The server accepts a thousand characters; half of that is never too large to compile. */
const MAX_LENGTH = 500;

/** Letters, dots, classes, groups, alternatives and `* + ?`, which RE2 and JavaScript interpret alike. */
const PLAIN =
  /^(?:[^\\[\]{}()*+?|^$\p{Cc}]|\\[dDwWsSbB.\\/()[\]{}*+?|^$-]|\[\^?(?:[\p{L}\p{N} _.,:;/@#%&=~!]|\\[dws.\\/-]|\p{L}-\p{L}|\p{N}-\p{N})+\]|[()|^$*+?])*$/u;

/** @returns whether a text is a pattern that is never refused; others may be valid too */
export function isPlainPattern(text: string): boolean {
  if (text.length > MAX_LENGTH || !PLAIN.test(text)) return false;
  // `**`, `a+*`, `^*`, `(?`: nothing to repeat, or different meanings in the two engines.
  if (/(?:^|[(|^$]|\\[bB])[*+?]|[*+?]{2}/.test(text.replaceAll(/\\[^bB]/g, 'x'))) return false;
  try {
    return new RegExp(text, 'u').flags === 'u';
  } catch {
    return false;
  }
}
