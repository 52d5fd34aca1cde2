/** The queries of the retry lane on the journal. */
import type { DeliveryErrorCode, DeliveryStatus, Lane, LastFailure } from '../../../domain/webhooks/deliveryStates.ts';
import type { Queryable } from '../../pool.ts';

export interface DeliveryProgress {
  status: DeliveryStatus;
  lane: Lane | null;
  attemptsMade: number;
  /** Number of attempts made before its present schedule. */
  scheduleStart: number;
  /** Milliseconds until the next attempt is due, 0 when it is overdue or none is scheduled. */
  waitMs: number;
  /** Null when its last attempt did not fail, or no attempt was made. */
  lastFailure: LastFailure | null;
}

/** Returns the progress of a delivery, or null when it was deleted. */
export async function readProgress(
  pool: Queryable,
  projectId: string,
  deliveryId: string,
): Promise<DeliveryProgress | null> {
  const { rows } = await pool.query<{
    status: DeliveryStatus;
    lane: Lane | null;
    attempt: number;
    schedule_start: number;
    wait_ms: number;
    error_code: DeliveryErrorCode | null;
    response_status: number | null;
  }>({
    name: 'deliveries-progress',
    text: `select status, lane, attempt, schedule_start, error_code, response_status,
                  greatest(0, coalesce(extract(epoch from next_attempt_at - now()) * 1000, 0))::float8 as wait_ms
             from deliveries where project_id = $1 and id = $2`,
    values: [projectId, deliveryId],
  });
  const row = rows[0];
  if (row === undefined) return null;
  return {
    status: row.status,
    lane: row.lane,
    attemptsMade: row.attempt,
    scheduleStart: row.schedule_start,
    waitMs: Math.ceil(row.wait_ms),
    lastFailure: row.error_code && { errorCode: row.error_code, responseStatus: row.response_status },
  };
}

export interface DeliveryRef {
  projectId: string;
  deliveryId: string;
}

export interface OverdueRetry extends DeliveryRef {
  requestId: string | null;
}

/**
 * Returns retries that have been due for `graceMs` and have no outbox row, for the reconciler: their workflow is
 * missing (Temporal was emptied), waits for a worker, or is running. Starting it again is right in all three cases.
 * @param after the last one of the previous page, null for the first page
 */
export async function listOverdueRetries(
  pool: Queryable,
  options: { graceMs: number; after: DeliveryRef | null; limit: number },
): Promise<OverdueRetry[]> {
  const { rows } = await pool.query<{ project_id: string; id: string; request_id: string | null }>(
    `select project_id, id, request_id from deliveries d
      where lane = 'retry' and next_attempt_at < now() - $1::int * interval '1 millisecond'
        and ($2::text is null or (project_id, id) > ($2, $3::uuid))
        and not exists (select 1 from outbox o where o.kind = 'delivery' and o.project_id = d.project_id and o.entity_id = d.id::text)
      order by project_id, id limit $4`,
    [options.graceMs, options.after?.projectId ?? null, options.after?.deliveryId ?? null, options.limit],
  );
  return rows.map((row) => ({ projectId: row.project_id, deliveryId: row.id, requestId: row.request_id }));
}
