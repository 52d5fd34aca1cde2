/** Checks that everything that waits for its time has a workflow in Temporal that holds the timer. */
import { withoutRunning } from '../support/workflowState.ts';
import type { CheckContext } from './context.ts';

export async function checkWorkflows(context: CheckContext): Promise<void> {
  const { temporal, findings } = context;
  const waiting = await readWaiting(context);
  findings.countCompared('waiting workflows', waiting.length);
  const missing = await withoutRunning(temporal, waiting);
  if (missing.length === 0) return;
  // Its time may have come during the query.
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
