/** The model of each step. Its name is stored with every result; a different name outdates the result. */
import type { Step } from './steps.ts';

/** Such as `openai/whisper-1` or `builtin-text-1`; null when the step is turned off. */
export type StepModels = Readonly<Record<Step, string | null>>;

/** The product itself prepares media, without a provider. A change of the output requires a new name. */
export const PREPARE_MODEL = 'builtin-prepare-1';
