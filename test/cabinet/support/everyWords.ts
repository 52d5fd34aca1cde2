/** The cabinet's texts in every language. */
import { en, type Words } from '../../../cabinet/src/words/en/index.ts';
import type { Language } from '../../../cabinet/src/words/load.ts';
import { ru } from '../../../cabinet/src/words/ru/index.ts';

export const WORDS: Readonly<Record<Language, Words>> = { en, ru };

/** Rows of a table of tests: each language with its texts. */
export const EVERY_WORDS = Object.entries(WORDS);
