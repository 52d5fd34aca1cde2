/** Tells where an attempt of an analysis activity is in its retry schedule. */
import { Context } from '@temporalio/activity';
import type { StoredMedium } from '../../db/analysis/mediaSteps.ts';
import { ACTIVITY_OPTIONS } from '../../domain/jobs/activityOptions.ts';
import { isUnusableAnswer } from '../../providers/errors.ts';

/** Returns true when Temporal will not retry the running activity again. */
export function isLastAttempt(): boolean {
  return Context.current().info.attempt >= ACTIVITY_OPTIONS.ai.retry.maximumAttempts;
}

/**
 * Returns true when the step was last deferred because its answer was empty or unusable (see `CallContext`).
 * @param step how often it was deferred since it last made progress, and the code of the last fault
 */
export function endedUnanswered({ deferrals, deferredFor }: Pick<StoredMedium, 'deferrals' | 'deferredFor'>): boolean {
  return deferrals > 0 && deferredFor !== null && isUnusableAnswer(deferredFor);
}
