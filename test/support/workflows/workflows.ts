/** The bundled workflows for a test's workers. */
import type { WorkflowBundlePath } from '@temporalio/worker';
import type { Change } from '../../../tools/chaos/support/changedWorkflows.ts';
import { askBroker } from '../servers/brokerClient.ts';

/** Returns the bundle for Worker.create; it is built once a run. */
export async function testWorkflowBundle(): Promise<WorkflowBundlePath> {
  const { path } = await askBroker<{ path: string }>('/workflows');
  return { codePath: path };
}

/** Returns the bundle of a later release, whose workflows have this change. */
export async function changedWorkflowBundle(change: Change): Promise<WorkflowBundlePath> {
  const paths = await askBroker<Record<Change, string>>('/changed-workflows');
  return { codePath: paths[change] };
}
