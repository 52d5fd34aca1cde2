/** The last of the quick attempts of an activity of analysis. */
import { Context } from '@temporalio/activity';
import { ACTIVITY_OPTIONS } from '../../domain/jobs/queues.ts';

/** Returns true when Temporal does not retry the running activity once more. */
export function isLastAttempt(): boolean {
  return Context.current().info.attempt >= ACTIVITY_OPTIONS.ai.retry.maximumAttempts;
}
