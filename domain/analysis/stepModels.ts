/** The model of each step. Its name is stored with every result; a different name outdates the result. */
import { STEPS, type Step, type StepRecord, type StepRecords } from './steps.ts';

/** Such as `openai/whisper-1` or `builtin-text-1`; null when the step is turned off. */
export type StepModels = Readonly<Record<Step, string | null>>;

/** The product itself prepares media, without a provider. A change of the output requires a new name. */
export const PREPARE_MODEL = 'builtin-prepare-1';

/** Returns the steps that a different model computed, or that no model could compute; without dependents. */
export function stepsOfOtherModels(steps: StepRecords, models: Partial<Record<Step, string>>): Step[] {
  return STEPS.filter((step) => isOfOtherModel(step, steps[step], models[step]));
}

/**
 * Returns true when a different model computed the step, or when it is not done because no model was available.
 * Unfinished steps will use the new model anyway.
 */
function isOfOtherModel(step: Step, { state, model, error }: StepRecord, configured: string | undefined): boolean {
  if (configured === undefined) return false;
  if (state === 'done') return model !== configured;
  return state === 'skipped' && error?.code === `no_${step}_provider`;
}
