/** The log fields by which a line of an activity is followed to its workflow. */
import { Context } from '@temporalio/activity';

export function currentLogFields(): { workflowId?: string; activity: string } {
  const { workflowExecution, activityType } = Context.current().info;
  return { activity: activityType, ...(workflowExecution ? { workflowId: workflowExecution.workflowId } : {}) };
}
