/** The workflows' code in one file, as Temporal's sandbox runs it. */
import { bundleWorkflowCode, type Logger } from '@temporalio/worker';

/**
 * Bundles the workflows. All settings of a bundle are here and nowhere else, so that a prebuilt bundle equals the one
 * that a worker makes when it starts.
 */
export async function bundleWorkflows(workflowsPath: string, logger: Logger): Promise<string> {
  const { code } = await bundleWorkflowCode({ workflowsPath, logger });
  return code;
}
