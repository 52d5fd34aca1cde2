/** Checks that deliveries waiting for their next attempt will get it, and at the right time. */
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import { deliveryWorkflowId } from '../../../domain/jobs/ids.ts';
import { retryDelayMs } from '../../../domain/webhooks/retrySchedule.ts';
import { until } from '../../../test/support/whole/until.ts';
import { withoutRunning } from './workflowState.ts';

/** Storing an outcome takes a while on a loaded machine; the schedule counts from then. */
const LATE_MS = 40_000;

interface WaitingRow {
  id: string;
  attempt: number;
  next_in_ms: number;
  waits_ms: number;
}

/**
 * Checks that every delivery in the retry lane has a running workflow, and that its next attempt is due by the
 * schedule, counted from the end of the previous one by the database's clock.
 * @returns the number of waiting deliveries
 * @throws with those that nothing will send, or that are due at a wrong time
 */
export async function checkWaitingRetries(pool: pg.Pool, temporal: Client): Promise<number> {
  const waiting = await readWaiting(pool);
  const offSchedule = waiting.filter(({ attempt, waits_ms }) => !isOnSchedule(attempt, waits_ms));
  if (offSchedule.length > 0)
    throw new Error(
      `${offSchedule.length} deliveries wait until a wrong time: ${JSON.stringify(offSchedule.slice(0, 5))}`,
    );
  // The relay starts workflows a moment after the attempt; a delivery that arrives meanwhile needs none any more.
  await until(
    'the workflows of waiting deliveries',
    () => withoutWorkflow(pool, temporal),
    (missing) => missing.length === 0,
  );
  return waiting.length;
}

/** Returns true when a wait, from the end of attempt number `attempt` to the next, matches the schedule. */
export function isOnSchedule(attempt: number, waitMs: number): boolean {
  const scheduled = retryDelayMs(attempt);
  // Allows half a second before: the attempt's duration is rounded, and its start is estimated from half a round trip.
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
