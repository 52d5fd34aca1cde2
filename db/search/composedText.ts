/** Texts in a form in which the regular expressions of PostgreSQL find words, in upper and lower case. */
import { SILENT_MARKS } from '../../domain/search/silentMarks.ts';

/** Diacritics, which may be part of a composed letter: both й and é can be written with one. */
const DIACRITICS = '\\u0300-\\u036F';

/** A pattern for characters that {@link composedText} changes. */
export const HAS_MARKS = `[${DIACRITICS}${SILENT_MARKS}]`;

/**
 * SQL of a text that is composed (NFC) and has none of the {@link SILENT_MARKS}. Testing a text for characters that
 * have to be composed or removed is cheap; composing and cleaning every text would take several times as long.
 * @param text SQL of a text that costs nothing to repeat, such as a column
 */
export function composedText(text: string): string {
  return `case when ${text} ~ '${HAS_MARKS}' then translate(normalize(${text}, nfc), '${SILENT_MARKS}', '') else ${text} end`;
}
