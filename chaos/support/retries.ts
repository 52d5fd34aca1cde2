/** Deliveries that wait for their next attempt: whether they will get it, and at the right time. */
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import { deliveryWorkflowId } from '../../domain/ids.ts';
import { retryDelayMs } from '../../domain/webhookSchedule.ts';
import { until } from '../../test/support/whole/until.ts';
import { withoutRunning } from './workflowState.ts';

/** Storing an outcome takes a while on a loaded machine; the schedule counts from there. */
const LATE_MS = 20_000;
const PATIENCE_MS = 60_000;

interface WaitingRow {
  id: string;
  attempt: number;
  next_in_ms: number;
  waits_ms: number;
}

/**
 * Every delivery in the retry lane has a running workflow, and its next attempt is due by the schedule:
 * so long after the end of the last one, by the database's clock.
 * @returns how many wait
 * @throws with those that nobody will send, or at a wrong time
 */
export async function checkWaitingRetries(pool: pg.Pool, temporal: Client): Promise<number> {
  const waiting = await readWaiting(pool);
  const offSchedule = waiting.filter(({ attempt, waits_ms }) => !isOnSchedule(attempt, waits_ms));
  if (offSchedule.length > 0)
    throw new Error(
      `${offSchedule.length} deliveries wait for a wrong time: ${JSON.stringify(offSchedule.slice(0, 5))}`,
    );
  // The relay starts workflows a moment after the attempt; one that is delivered meanwhile needs none any more.
  await until(
    'the workflows of waiting deliveries',
    () => withoutWorkflow(pool, temporal),
    (missing) => missing.length === 0,
    PATIENCE_MS,
  );
  return waiting.length;
}

/** Whether a wait, from the end of attempt number `attempt` to the next, is that of the schedule. */
export function isOnSchedule(attempt: number, waitMs: number): boolean {
  const scheduled = retryDelayMs(attempt);
  // Half a second before: the attempt's duration is rounded, and its start is told by half a round trip.
  return scheduled !== null && waitMs >= scheduled - 500 && waitMs <= scheduled + LATE_MS;
}

async function readWaiting(pool: pg.Pool): Promise<WaitingRow[]> {
  const { rows } = await pool.query<WaitingRow>(
    `select d.id::text, d.attempt,
            extract(epoch from d.next_attempt_at - now())::float8 * 1000 as next_in_ms,
            extract(epoch from d.next_attempt_at - a.started_at)::float8 * 1000 - a.duration_ms as waits_ms
       from deliveries d join delivery_attempts a on a.project_id = d.project_id and a.delivery_id = d.id and a.attempt = d.attempt
      where d.status = 'pending' and d.lane = 'retry'`,
  );
  return rows;
}

async function withoutWorkflow(pool: pg.Pool, temporal: Client): Promise<string[]> {
  return withoutRunning(
    temporal,
    (await readWaiting(pool)).map(({ id }) => deliveryWorkflowId(id)),
  );
}
