/** Rules of the decisions, §5 and §6: events, users and orders of the content API. */
import type { Chapter } from '../../rule.ts';

export const peopleDecisions: readonly Chapter[] = [];
