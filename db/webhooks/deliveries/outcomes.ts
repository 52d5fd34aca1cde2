/** Writes the outcomes of attempts in bulk: the journal, the state of the delivery, and the next step. */
import type { AttemptOutcome, ClaimedDelivery, Obstacle } from '../../../domain/webhooks/deliveryStates.ts';
import { OBSTACLE_PHRASES } from '../../../domain/webhooks/journalPhrases.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import { INSERT_INTO_OUTBOX, WAKE_RELAY } from '../../jobs/outbox.ts';
import type { Queryable } from '../../pool.ts';
import { COUNT_HOURS } from './hourlyStatistics.ts';

/** An attempt that was made; without `retryInMs` it was the last one. */
export interface AttemptSettlement {
  claim: ClaimedDelivery;
  outcome: AttemptOutcome;
  retryInMs: number | null;
}

/** A delivery that is not sent. */
export interface DropSettlement {
  claim: ClaimedDelivery;
  dropped: Obstacle;
}

/** One claimed delivery and its outcome. */
export type Settlement = AttemptSettlement | DropSettlement;

/**
 * Writes any number of settlements in one statement: a journal row for each attempt, its hourly count, the new state of
 * the delivery, and for a failed delivery outside the retry lane an outbox row that starts its workflow.
 *
 * The lease is the fence. A settlement changes nothing when its author no longer holds the delivery, when the attempt
 * is already in the journal, or when the delivery was deleted in the meantime.
 * @returns for each settlement whether it counted
 */
export async function recordSettlements(pool: Queryable, settlements: readonly Settlement[]): Promise<boolean[]> {
  return (await settle(pool, settlements)).counted;
}

export interface Recorded {
  /** One entry for each settlement: whether it counted. */
  counted: boolean[];
  /**
   * True when one of the webhooks is stored as held back or failing, so that a 2xx is news
   * (db/webhooks/addressHealth.ts).
   */
  unwell: boolean;
}

/** Works like {@link recordSettlements}, and also reads the state of the webhooks in the same statement. */
export async function settle(pool: Queryable, settlements: readonly Settlement[]): Promise<Recorded> {
  const { rows } = await pool.query<{ ordinal: number; unwell: boolean }>({
    name: 'deliveries-settle',
    text: `
      with outcome as (
        select * from unnest($1::text[], $2::uuid[], $3::int[], $4::text[], $5::timestamptz[], $6::int[], $7::int[], $8::text[],
                             $9::text[], $10::int[], $11::bool[], $12::timestamptz[])
          with ordinality as o (project_id, id, attempt, status, started_at, duration_ms, response_status, error_code,
                                error, retry_in_ms, needs_workflow, lease, ordinal)
      ), settled as (
        update deliveries d
           set status = o.status,
               lane = case when o.retry_in_ms is not null then 'retry' end,
               attempt = case when o.status = 'dropped' then d.attempt else o.attempt end,
               leased_until = null,
               next_attempt_at = now() + o.retry_in_ms * interval '1 millisecond',
               response_status = o.response_status, error_code = o.error_code, error = o.error,
               updated_at = now()
          from outcome o
         where d.project_id = o.project_id and d.id = o.id and d.leased_until = o.lease
        returning o.*, d.request_id, d.webhook_id
      ), journalled as (
        insert into delivery_attempts (project_id, delivery_id, attempt, started_at, duration_ms, response_status, error_code, error)
        select project_id, id, attempt, started_at, duration_ms, response_status, error_code, error
          from settled where status <> 'dropped'
      ), counted as (
        ${COUNT_HOURS}
      ), handed_over as (
        ${INSERT_INTO_OUTBOX}
        select 'delivery', project_id, id::text, ${PRIORITY.retry}, request_id
          from settled where needs_workflow
        returning 1
      )
      select ordinal::int, case when exists (select from handed_over) then ${WAKE_RELAY} end,
             (select coalesce(bool_or(w.failures_in_row > 0 or w.held_until is not null or w.failing_since is not null), false)
                from (select distinct project_id, webhook_id from settled) s
                join webhooks w on w.project_id = s.project_id and w.id = s.webhook_id) as unwell
        from settled`,
    values: columns(settlements.map(toRow)),
  });
  const counted = new Set(rows.map((row) => row.ordinal - 1));
  return { counted: settlements.map((_, index) => counted.has(index)), unwell: rows[0]?.unwell ?? false };
}

type Row = readonly [
  projectId: string,
  id: string,
  attempt: number,
  status: string,
  startedAt: Date | null,
  durationMs: number | null,
  responseStatus: number | null,
  errorCode: string | null,
  error: string | null,
  retryInMs: number | null,
  needsWorkflow: boolean,
  lease: string,
];

function toRow(settlement: Settlement): Row {
  const { projectId, deliveryId, attempt, lane, lease } = settlement.claim;
  if ('dropped' in settlement) {
    return [
      projectId,
      deliveryId,
      attempt,
      'dropped',
      null,
      null,
      null,
      null,
      OBSTACLE_PHRASES[settlement.dropped],
      null,
      false,
      lease,
    ];
  }
  const { outcome, retryInMs } = settlement;
  const status = outcome.errorCode === null ? 'delivered' : retryInMs === null ? 'failed' : 'pending';
  return [
    projectId,
    deliveryId,
    attempt,
    status,
    outcome.startedAt,
    outcome.durationMs,
    outcome.responseStatus,
    outcome.errorCode,
    outcome.error,
    retryInMs,
    retryInMs !== null && lane !== 'retry',
    lease,
  ];
}

function columns(rows: readonly Row[]): unknown[][] {
  return Array.from({ length: 12 }, (_, column) => rows.map((row) => row[column]));
}
