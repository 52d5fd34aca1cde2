/** Rules of the decisions, §8 and the parts of §14 on analytics: sites, visitors and hits. */
import type { Chapter } from '../../rule.ts';

export const visitorsDecisions: readonly Chapter[] = [];
