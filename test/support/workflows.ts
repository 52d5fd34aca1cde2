/** The bundled workflows for a test's workers. */
import type { WorkflowBundlePath } from '@temporalio/worker';
import type { Change } from '../../chaos/support/changedWorkflows.ts';
import { askBroker } from './brokerClient.ts';

/** For Worker.create. Bundled once a run. */
export async function testWorkflowBundle(): Promise<WorkflowBundlePath> {
  const { path } = await askBroker<{ path: string }>('/workflows');
  return { codePath: path };
}

/** The workflows of a next release that was changed in this way. */
export async function changedWorkflowBundle(change: Change): Promise<WorkflowBundlePath> {
  const paths = await askBroker<Record<Change, string>>('/changed-workflows');
  return { codePath: paths[change] };
}
