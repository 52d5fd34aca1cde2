/** The only list of rules: the documents, chapter by chapter. */
import type { Chapter } from '../rule.ts';
import { analyticsChapters } from './analytics.ts';
import { contentChapters } from './content.ts';
import { outputChapters } from './output.ts';

export const CHAPTERS: readonly Chapter[] = [...contentChapters, ...outputChapters, ...analyticsChapters];
