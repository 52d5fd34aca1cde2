/** Texts in the form in which search compares words, as far as PostgreSQL can fold them. */
import { SILENT_MARKS } from '../../domain/search/silentMarks.ts';

/**
 * SQL of a text in lower case, with ё as е and without what is silent within words. `translate` compares each
 * character with each of the marks, so it reads only texts that have one.
 * @param text SQL of a text that costs nothing to repeat, such as a column
 */
export function foldedText(text: string): string {
  const hasMarks = Array.from(SILENT_MARKS, (mark) => `strpos(${text}, '${mark}') > 0`).join(' or ');
  return `case when ${hasMarks} then translate(lower(${text}), 'ё${SILENT_MARKS}', 'е') else replace(lower(${text}), 'ё', 'е') end`;
}
