/** What `processing_errors` shows of a failure that came out of an activity. */
import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import { FAILURE } from '../../domain/failureTypes.ts';
import { FAULT_MESSAGES } from '../../domain/errorCodes.ts';
import type { StepError } from '../../domain/steps.ts';

/** The error that the activity itself named, or a general one: never its raw text. */
export function stepErrorOf(error: unknown): StepError {
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) return { code: 'worker_lost', message: FAULT_MESSAGES.worker_lost };
  const named: unknown = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  return isStepError(named) ? named : { code: 'internal', message: FAULT_MESSAGES.internal };
}

/** Whether our own database was away: the step did not fail, and is not to be put off. */
export function isInterruption(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.type === FAILURE.interrupted;
}

/** A failure of a local activity comes as it is, any other inside an ActivityFailure. */
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
