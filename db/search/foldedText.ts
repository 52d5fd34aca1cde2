/** Texts in the form in which search compares words, as far as PostgreSQL can fold them. */
import { SILENT_MARKS } from '../../domain/search/silentMarks.ts';

/** SQL of a text in lower case, with ё as е and without what is silent within words. */
export const foldedText = (text: string): string => `translate(lower(${text}), 'ё${SILENT_MARKS}', 'е')`;
