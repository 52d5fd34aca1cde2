/** The workflows' code in one file, as Temporal's sandbox runs it. */
import { bundleWorkflowCode, type Logger } from '@temporalio/worker';

/**
 * Whatever decides about a bundle stands here and nowhere else, so that one that was made before is the one
 * that a worker makes at its start.
 */
export async function bundleWorkflows(workflowsPath: string, logger: Logger): Promise<string> {
  const { code } = await bundleWorkflowCode({ workflowsPath, logger });
  return code;
}
