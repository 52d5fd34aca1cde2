/**
 * Characters within words that do not change them: stress marks (за́мок; the accents of other letters are composed with
 * them), soft hyphens, and joiners.
 */
export const SILENT_MARKS = '\u0300\u0301\u00AD\u200C\u200D\u2060';
