/** Measures how soon the retries of failed first attempts are waiting in Temporal. */
import { Client, Connection } from '@temporalio/client';
import proto, { type google } from '@temporalio/proto';
import { deliveryWorkflowId } from '../../../domain/jobs/ids.ts';
import { QUEUES } from '../../../domain/jobs/queues.ts';
import type { Figure } from '../support/report.ts';
import { withCpu, type Bench } from './bench.ts';
import type { CpuSeconds } from './cpu.ts';
import { addHooks, removeHooks, untilAttempted, type Hook } from './hooks.ts';
import { sendBacklog } from './inject.ts';
import { mapConcurrently } from './mapConcurrently.ts';

const DELIVERIES = 1_000;
/** A status that shows that the address is alive: the breaker stays closed, so every first attempt is made. */
const REFUSAL = 400;
const POLL_MS = 100;
const HISTORIES_AT_ONCE = 16;

interface Waiting {
  startedAt: number;
  timerAt: number;
}

export async function measureFailing(bench: Bench): Promise<Figure[]> {
  const { pool, receiver, stack } = bench;
  const connection = await Connection.connect({ address: stack.whole.dev.temporal_address });
  const client = new Client({ connection });
  const hooks = await addHooks(pool, receiver.urls.slice(0, 1));
  await receiver.setAnswer(0, REFUSAL);
  const { cpu } = await withCpu(bench, async () => {
    await sendBacklog(pool, 'failing', hooks, DELIVERIES);
    await untilAttempted(pool, hooks);
    await untilHandedOver(bench, client);
  });
  const { firstAttemptAt, ids } = await readAttempts(bench, hooks);
  const waiting = await mapConcurrently(ids, HISTORIES_AT_ONCE, (id) => readHistory(client, id));
  await removeHooks(pool, hooks);
  await connection.close();
  return figuresOf(firstAttemptAt, waiting, cpu);
}

function figuresOf(firstAttemptAt: number, waiting: readonly Waiting[], cpu: CpuSeconds): Figure[] {
  const starts = waiting.map(({ startedAt }) => startedAt);
  const startSeconds = (Math.max(...starts) - Math.min(...starts)) / 1000;
  const allSeconds = (Math.max(...waiting.map(({ timerAt }) => timerAt)) - firstAttemptAt) / 1000;
  const cpuOf = (name: keyof CpuSeconds): number => (cpu[name] * 1000) / DELIVERIES;
  const figure = (name: string, value: number, unit: string): Figure => ({ name, value, unit, aim: null });
  return [
    figure(
      `${DELIVERIES} deliveries whose first attempt fails, workflows started`,
      DELIVERIES / startSeconds,
      'workflows/s',
    ),
    figure(
      `${DELIVERIES} deliveries whose first attempt fails, from the first attempt until all are in their first timer`,
      allSeconds,
      's',
    ),
    figure(`CPU of 1,000 failed first attempts with their workflows, webhook worker`, cpuOf('webhook'), 's'),
    figure(`CPU of 1,000 failed first attempts with their workflows, PostgreSQL`, cpuOf('postgres'), 's'),
    figure(`CPU of 1,000 failed first attempts with their workflows, relay`, cpuOf('relay'), 's'),
    figure(`CPU of 1,000 failed first attempts with their workflows, workflow worker`, cpuOf('workflow'), 's'),
    figure(`CPU of 1,000 failed first attempts with their workflows, Temporal`, cpuOf('temporal'), 's'),
  ];
}

/**
 * Waits until the outbox is empty and no workflow task is pending: reading histories earlier would cost Temporal time.
 */
async function untilHandedOver({ pool }: Bench, client: Client): Promise<void> {
  for (let calm = 0; calm < 2;) {
    const { rows } = await pool.query<{ left: boolean }>(
      `select exists (select from outbox where kind = 'delivery') as left`,
    );
    calm = rows[0]?.left || (await tasksWaiting(client)) > 0 ? 0 : calm + 1;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function tasksWaiting({ workflowService, options }: Client): Promise<number> {
  const { stats } = await workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: QUEUES.workflow },
    reportStats: true,
    taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  });
  return Number(stats?.approximateBacklogCount ?? 0);
}

async function readAttempts(
  { pool }: Bench,
  hooks: readonly Hook[],
): Promise<{ firstAttemptAt: number; ids: string[] }> {
  const { rows } = await pool.query<{ started_at: Date; delivery_id: string }>(
    'select started_at, delivery_id from delivery_attempts where project_id = any($1) and attempt = 1 order by started_at',
    [hooks.map(({ projectId }) => projectId)],
  );
  if (rows.length !== DELIVERIES) throw new Error(`${rows.length} first attempts were made, not ${DELIVERIES}`);
  return { firstAttemptAt: rows[0]?.started_at.getTime() ?? Number.NaN, ids: rows.map((row) => row.delivery_id) };
}

/**
 * Reads when the workflow was started and its first timer set, by Temporal's own clock: the timer is the start delay,
 * or one that the workflow sets. Waits for a timer that does not exist yet.
 */
async function readHistory(client: Client, deliveryId: string): Promise<Waiting> {
  for (;;) {
    const { events } = await client.workflow.getHandle(deliveryWorkflowId(deliveryId)).fetchHistory();
    const started = events?.[0]?.eventTime;
    const delayed =
      Number(events?.[0]?.workflowExecutionStartedEventAttributes?.firstWorkflowTaskBackoff?.seconds ?? 0) > 0;
    const timer = delayed ? started : events?.find((event) => event.timerStartedEventAttributes)?.eventTime;
    if (started && timer) return { startedAt: milliseconds(started), timerAt: milliseconds(timer) };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function milliseconds({ seconds, nanos }: google.protobuf.ITimestamp): number {
  return Number(seconds ?? 0) * 1000 + (nanos ?? 0) / 1e6;
}
