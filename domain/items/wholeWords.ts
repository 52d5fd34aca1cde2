/** Texts of items with each word in one piece. */

/**
 * Stress marks (за́мок), soft hyphens and word joiners. Accents of other alphabets distinguish words. It begins with the
 * mark, because otherwise the letter before it would be looked for at each place of a text.
 */
const SILENT = /[\u0300\u0301](?<=\p{Script=Cyrillic}[\u0300\u0301])|[\u00ad\u2060]/gu;
/** Typographers write «кресло‑качалка» with a hyphen at which no line ends. */
const TYPESET_HYPHENS = /[\u2010\u2011]/g;

/**
 * Returns a text with each word in one piece, as the readers need it: they end a word at a mark. Letters with marks are
 * composed (in names of files from macOS, й is и and a mark), hyphens are those of keyboards, and what does not
 * change a word is left out.
 */
export function withWholeWords(text: string): string {
  return text.normalize('NFC').replace(SILENT, '').replace(TYPESET_HYPHENS, '-');
}
