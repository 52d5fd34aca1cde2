/** The steps of the analysis, in the order of the API. */
import type { cabinet } from './client.ts';
import { everyOf } from './everyOf.ts';

export type Step = cabinet.StepReason['step'];
export const STEPS = everyOf<Step>({ prepare: true, speech: true, vision: true, summary: true, embedding: true });
