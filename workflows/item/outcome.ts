/** The outcome of an item, as its search attributes show it. */
import { statusFromSteps } from '../../domain/itemStatus.ts';
import type { Told } from '../../domain/searchAttributes.ts';
import { isFinished, statesOf, STEPS, type Step, type StepRecords } from '../../domain/steps.ts';

/**
 * Its status once nothing is left to do. Until then `deferred` while a step of its own error waits for its next try
 * or is at it, `waiting` while analysis volume is missing, and nothing otherwise: an ordinary analysis costs one
 * event at its end.
 */
export function toldOf(steps: StepRecords): Told {
  const states = statesOf(steps);
  const troubled = STEPS.filter((step) => isTroubled(steps, step));
  const named = {
    steps: troubled,
    errorCodes: troubled.flatMap((step) => steps[step].error?.code ?? []),
  };
  if (STEPS.every((step) => isFinished(states[step]))) return { outcome: finalOutcome(steps), ...named };
  if (troubled.some((step) => !isFinished(states[step]))) return { outcome: 'deferred', ...named };
  return { outcome: STEPS.some((step) => states[step] === 'waiting') ? 'waiting' : null, ...named };
}

function isTroubled(steps: StepRecords, step: Step): boolean {
  const { state, error } = steps[step];
  return error !== null && state !== 'done' && state !== 'skipped';
}

/** Vectors are what the step `embedding` stores. */
function finalOutcome(steps: StepRecords): 'ready' | 'partial' | 'failed' {
  const status = statusFromSteps(statesOf(steps), steps.embedding.state === 'done');
  return status === 'ready' || status === 'partial' ? status : 'failed';
}
