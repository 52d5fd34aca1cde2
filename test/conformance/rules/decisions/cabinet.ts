/** Rules of the decisions, §10: the API of the cabinet. */
import type { Chapter } from '../../rule.ts';

export const cabinetDecisions: readonly Chapter[] = [];
