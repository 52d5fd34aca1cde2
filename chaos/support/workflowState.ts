/** What Temporal says of the workflows under way. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';

const AT_ONCE = 20;

export interface RunningWorkflow {
  workflowId: string;
  runId: string;
  type: string;
  /** It has begun and waits for an activity. */
  hasActivity: boolean;
}

/** @param among only those, by run; all when absent */
export async function runningWorkflows(client: Client, among?: readonly RunningWorkflow[]): Promise<RunningWorkflow[]> {
  if (among) {
    const left = await eachOf(among, async (one) => ((await statusOf(client, one)) === 'RUNNING' ? [one] : []));
    return left.flat();
  }
  const listed: Pick<RunningWorkflow, 'workflowId' | 'runId' | 'type'>[] = [];
  for await (const { workflowId, runId, type } of client.workflow.list({ query: 'ExecutionStatus = "Running"' })) listed.push({ workflowId, runId, type });
  return eachOf(listed, async (one) => {
    const { raw } = await client.workflow.getHandle(one.workflowId, one.runId).describe();
    return { ...one, hasActivity: (raw.pendingActivities ?? []).length > 0 };
  });
}

async function statusOf(client: Client, { workflowId, runId }: RunningWorkflow): Promise<string> {
  try {
    return (await client.workflow.getHandle(workflowId, runId).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'GONE';
    throw error;
  }
}

/** Whether its last workflow task failed because the code does not fit its history. The server records the first failure of a row. */
export async function tellsOfNondeterminism(client: Client, { workflowId, runId }: RunningWorkflow): Promise<boolean> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const last = events?.findLast((event) => event.workflowTaskCompletedEventAttributes ?? event.workflowTaskFailedEventAttributes);
  return /determinis/i.test(last?.workflowTaskFailedEventAttributes?.failure?.message ?? '');
}

/**
 * Ends every workflow whose history does not fit the code: PostgreSQL knows what is to be done, and the
 * reconciler begins it anew.
 * @returns how many
 */
export async function terminateBlocked(client: Client): Promise<number> {
  const running = await runningWorkflows(client);
  const verdicts = await eachOf(running, (one) => tellsOfNondeterminism(client, one));
  const blocked = running.filter((_, index) => verdicts[index]);
  await eachOf(blocked, ({ workflowId, runId }) => client.workflow.getHandle(workflowId, runId).terminate('its history does not fit the code'));
  return blocked.length;
}

async function eachOf<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) results.push(...await Promise.all(all.slice(at, at + AT_ONCE).map(work)));
  return results;
}
