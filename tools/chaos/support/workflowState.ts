/** Reads the state of running workflows from Temporal. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';

const AT_ONCE = 20;

export interface RunningWorkflow {
  workflowId: string;
  runId: string;
  type: string;
}

async function runningOf(client: Client, type: string): Promise<RunningWorkflow[]> {
  const running: RunningWorkflow[] = [];
  for await (const { workflowId, runId } of client.workflow.list({
    query: `ExecutionStatus = "Running" and WorkflowType = "${type}"`,
  }))
    running.push({ workflowId, runId, type });
  return running;
}

/** Returns the given workflows that are still running. */
export async function stillRunning(client: Client, among: readonly RunningWorkflow[]): Promise<RunningWorkflow[]> {
  const left = await eachOf(among, async (one) => ((await statusOf(client, one)) === 'RUNNING' ? [one] : []));
  return left.flat();
}

/** Returns some workflows of a type that have begun and wait for an activity. */
export async function waitingForActivity(client: Client, type: string): Promise<RunningWorkflow[]> {
  const some = (await runningOf(client, type)).slice(0, AT_ONCE);
  const waiting = await eachOf(some, async (one) => {
    const { raw } = await client.workflow.getHandle(one.workflowId, one.runId).describe();
    return (raw.pendingActivities ?? []).length > 0 ? [one] : [];
  });
  return waiting.flat();
}

/** Returns the ids that have no running workflow, in the same order. */
export async function withoutRunning(client: Client, workflowIds: readonly string[]): Promise<string[]> {
  const missing = await eachOf(workflowIds, async (workflowId) =>
    (await statusOf(client, { workflowId })) === 'RUNNING' ? [] : [workflowId],
  );
  return missing.flat();
}

/** Returns the status of a run; without `runId`, of the latest run. */
async function statusOf(
  client: Client,
  { workflowId, runId }: { workflowId: string; runId?: string },
): Promise<string> {
  try {
    return (await client.workflow.getHandle(workflowId, runId).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'GONE';
    throw error;
  }
}

/**
 * Returns true when a workflow's last task failed because the code does not fit its history. The server records the
 * first of consecutive failures.
 */
export async function hasNondeterminismFailure(
  client: Client,
  { workflowId, runId }: RunningWorkflow,
): Promise<boolean> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const last = events?.findLast(
    (event) => event.workflowTaskCompletedEventAttributes ?? event.workflowTaskFailedEventAttributes,
  );
  return /determinis/i.test(last?.workflowTaskFailedEventAttributes?.failure?.message ?? '');
}

/**
 * Terminates every workflow of some types whose history does not fit the code: PostgreSQL holds the remaining work, and
 * the reconciler starts it again.
 * @returns their number
 */
export async function terminateBlocked(client: Client, types: readonly string[]): Promise<number> {
  const running = (await Promise.all(types.map((type) => runningOf(client, type)))).flat();
  const verdicts = await eachOf(running, (one) => hasNondeterminismFailure(client, one));
  const blocked = running.filter((_, index) => verdicts[index]);
  await eachOf(blocked, (one) => terminate(client, one));
  return blocked.length;
}

/** Terminates a workflow; one that has already ended is not an error. */
async function terminate(client: Client, { workflowId, runId }: RunningWorkflow): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId, runId).terminate('its history does not fit the code');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

async function eachOf<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    results.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(work))));
  return results;
}
