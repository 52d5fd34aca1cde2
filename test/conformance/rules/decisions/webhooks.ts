/** Rules of the decisions, §7 and §9: webhooks and storage. */
import type { Chapter } from '../../rule.ts';

export const webhooksDecisions: readonly Chapter[] = [];
