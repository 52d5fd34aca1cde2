/** Rules of the decisions, §1, §2, §3 and §11: hosting, keys, the order of checks and the development stack. */
import type { Chapter } from '../../rule.ts';

export const hostingDecisions: readonly Chapter[] = [];
