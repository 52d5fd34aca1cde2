/** Twenty requests over thirteen months, typical of web analytics, from simple to awkward. */
import type { Case } from './cases.ts';
import { FACT_CASES } from './factCases.ts';
import { PAGE_CASES } from './pageCases.ts';
import { VISIT_CASES } from './visitCases.ts';

export type { Case } from './cases.ts';
export const SUITE: readonly Case[] = [...VISIT_CASES, ...PAGE_CASES, ...FACT_CASES];
