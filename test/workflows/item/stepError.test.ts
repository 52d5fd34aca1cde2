import { describe, expect, it } from '@jest/globals';
import { ActivityFailure, ApplicationFailure, RetryState, TimeoutFailure } from '@temporalio/common';
import { FAILURE } from '../../../domain/jobs/failureTypes.ts';
import { isInterruption, stepErrorOf } from '../../../workflows/item/stepError.ts';

const SHOWN = { code: 'provider_quota_exceeded', message: 'Исчерпана квота' };

const failure = (type: string): ApplicationFailure =>
  ApplicationFailure.create({ message: 'secret words', type, nonRetryable: true, details: [SHOWN] });

/** Wraps a failure as one that an activity of another worker throws. */
const wrapped = (cause: Error): ActivityFailure =>
  new ActivityFailure('activity failed', 'embedItem', '1', RetryState.NON_RETRYABLE_FAILURE, 'worker', cause);

// Failures of local activities have no wrapper: the steps of a short text run as local activities.
describe.each([
  ['of an activity', wrapped],
  ['of a local activity', (cause: Error) => cause],
])('a failure %s', (_name, asItComes) => {
  it('shows what the activity named, or else a general code', () => {
    expect(stepErrorOf(asItComes(failure(FAILURE.exhausted)))).toEqual(SHOWN);
    expect(stepErrorOf(asItComes(new TimeoutFailure('lost', undefined, 'HEARTBEAT'))).code).toBe('worker_lost');
    expect(stepErrorOf(asItComes(new Error('secret words'))).code).toBe('internal');
  });

  it('is recognised as an interruption if the database was unavailable', () => {
    expect(isInterruption(asItComes(failure(FAILURE.interrupted)))).toBe(true);
    expect(isInterruption(asItComes(failure(FAILURE.exhausted)))).toBe(false);
    expect(isInterruption(asItComes(new Error('Interrupted')))).toBe(false);
  });
});
