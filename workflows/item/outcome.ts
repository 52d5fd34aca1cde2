/** The outcome of an item in its search attributes. */
import { isFinal, statusFromSteps, type FinalStatus } from '../../domain/items/status.ts';
import type { OutcomeAttributes } from '../../domain/jobs/searchAttributes.ts';
import { isFinished, statesOf, STEPS, type Step, type StepRecords } from '../../domain/analysis/steps.ts';

/**
 * Returns the item's status once nothing is left to do. Until then the outcome is `deferred` while a step that had an
 * error waits for its next try or is being tried again, and `waiting` while analysis volume is missing. Otherwise it is
 * unset, so an ordinary analysis costs one event, at its end.
 */
export function outcomeOf(steps: StepRecords): OutcomeAttributes {
  const states = statesOf(steps);
  const failing = STEPS.filter((step) => isFailing(steps, step));
  const named = {
    steps: failing,
    errorCodes: failing.flatMap((step) => steps[step].error?.code ?? []),
  };
  if (STEPS.every((step) => isFinished(states[step]))) return { outcome: finalOutcome(steps), ...named };
  if (failing.some((step) => !isFinished(states[step]))) return { outcome: 'deferred', ...named };
  return { outcome: STEPS.some((step) => states[step] === 'waiting') ? 'waiting' : null, ...named };
}

function isFailing(steps: StepRecords, step: Step): boolean {
  const { state, error } = steps[step];
  return error !== null && state !== 'done' && state !== 'skipped';
}

/** Returns the final outcome. The step `embedding` stores the vectors. */
function finalOutcome(steps: StepRecords): FinalStatus {
  const status = statusFromSteps(statesOf(steps), steps.embedding.state === 'done');
  return isFinal(status) ? status : 'failed';
}
