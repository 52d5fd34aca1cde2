/** Which model computes which step. The name is stored with every result; another name outdates it. */
import type { Step } from './steps.ts';

/** Such as `openai/whisper-1` or `builtin-text-1`; null when the step is switched off. */
export type StepModels = Readonly<Record<Step, string | null>>;

/** What prepares media is ours alone. A change of what it makes takes a new name. */
export const PREPARE_MODEL = 'builtin-prepare-1';
