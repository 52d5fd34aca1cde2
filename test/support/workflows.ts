/** The bundled workflows for a test's workers. */
import type { WorkflowBundlePath } from '@temporalio/worker';
import { askBroker } from './brokerClient.ts';

/** For Worker.create. Bundled once a run. */
export async function testWorkflowBundle(): Promise<WorkflowBundlePath> {
  const { path } = await askBroker<{ path: string }>('/workflows');
  return { codePath: path };
}
