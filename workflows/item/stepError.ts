/** Maps a failure of an activity to an entry of `processing_errors`. */
import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import { FAILURE } from '../../domain/jobs/failureTypes.ts';
import { FAULT_MESSAGES } from '../../domain/items/errorCodes.ts';
import type { StepError } from '../../domain/analysis/steps.ts';

/** Returns the error that the activity itself named, or a general one: never its raw text. */
export function stepErrorOf(error: unknown): StepError {
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) return { code: 'worker_lost', message: FAULT_MESSAGES.worker_lost };
  const named: unknown = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  return isStepError(named) ? named : { code: 'internal', message: FAULT_MESSAGES.internal };
}

/** Returns true for a fault of our own side (`FAILURE.interrupted`): the step did not fail, and is not deferred. */
export function isInterruption(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.type === FAILURE.interrupted;
}

/** Returns the cause: a failure of a local activity is thrown as is, any other is wrapped in an ActivityFailure. */
function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}

function isStepError(value: unknown): value is StepError {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    'message' in value &&
    typeof value.code === 'string' &&
    typeof value.message === 'string'
  );
}
