/** Whatever waits for its time has a workflow in Temporal that holds the timer. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { CheckContext } from './context.ts';

const AT_ONCE = 20;

export async function checkWorkflows({ pool, temporal, findings }: CheckContext): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select 'delivery/' || id as id from deliveries where status = 'pending' and lane = 'retry'
     union all select kind || '/' || project_id || '/' || entity_id from jobs`,
  );
  findings.looked('waiting workflows', rows.length);
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await Promise.all(rows.slice(from, from + AT_ONCE).map(async ({ id }) => {
      if (!(await isRunning(temporal, id))) findings.add('unfinished', `${id} waits and has no workflow`);
    }));
  }
}

async function isRunning(temporal: Client, id: string): Promise<boolean> {
  try {
    return (await temporal.workflow.getHandle(id).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
