/** Whatever waits for its time has a workflow in Temporal that holds the timer. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { CheckContext } from './context.ts';

const AT_ONCE = 20;

export async function checkWorkflows(context: CheckContext): Promise<void> {
  const { temporal, findings } = context;
  const waiting = await readWaiting(context);
  findings.looked('waiting workflows', waiting.length);
  const missing: string[] = [];
  for (let from = 0; from < waiting.length; from += AT_ONCE) {
    const some = waiting.slice(from, from + AT_ONCE);
    const running = await Promise.all(some.map((id) => isRunning(temporal, id)));
    missing.push(...some.filter((_, index) => running[index] === false));
  }
  if (missing.length === 0) return;
  // Its time may have come while it was asked for.
  const still = new Set(await readWaiting(context));
  for (const id of missing) if (still.has(id)) findings.add('unfinished', `${id} waits and has no workflow`);
}

async function readWaiting({ pool }: CheckContext): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select 'delivery/' || id as id from deliveries where status = 'pending' and lane = 'retry'
     union all select kind || '/' || project_id || '/' || entity_id from jobs`,
  );
  return rows.map(({ id }) => id);
}

async function isRunning(temporal: Client, id: string): Promise<boolean> {
  try {
    return (await temporal.workflow.getHandle(id).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
