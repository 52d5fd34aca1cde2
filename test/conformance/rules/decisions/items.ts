/** Rules of the decisions, §4 and the parts of §14 on the content API: items and their analysis. */
import type { Chapter } from '../../rule.ts';

export const itemsDecisions: readonly Chapter[] = [];
