/** The steps of the analysis, in the order of the API. */
import type { cabinet } from '../client.ts';

export type Step = cabinet.StepReason['step'];
export type NamedStep = NonNullable<cabinet.ReprocessRequest['steps']>[number];

/** Whether a request may name the step; one that cannot be named only runs again together with all others. */
const IS_NAMED: { readonly [S in Step]: S extends NamedStep ? true : false } = {
  prepare: false,
  speech: true,
  vision: true,
  summary: true,
  embedding: true,
};

export const STEPS = Object.keys(IS_NAMED) as readonly Step[];
export const isNamed = (step: Step): step is NamedStep => IS_NAMED[step];
export const NAMED_STEPS = STEPS.filter(isNamed);
