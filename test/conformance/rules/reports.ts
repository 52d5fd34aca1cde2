/** Rules of the document on dimensions and metrics of reports, and of the decisions, §13: analytics in detail. */
import type { Chapter } from '../rule.ts';

export const reportChapters: readonly Chapter[] = [];
