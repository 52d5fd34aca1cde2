/** Log fields that link a line of an activity to its workflow. */
import { Context } from '@temporalio/activity';

export function currentLogFields(): { workflowId?: string; activity: string } {
  const { workflowExecution, activityType } = Context.current().info;
  return { activity: activityType, ...(workflowExecution ? { workflowId: workflowExecution.workflowId } : {}) };
}
