/** The delivery journal as the cabinet shows it. For its deletion see db/webhooks/deliveries/deleteDeliveries.ts. */
import {
  requestBody,
  SUBSCRIBABLE_EVENTS,
  TEST_EVENT,
  type WebhookEvent,
  type WebhookItem,
} from '../../../domain/webhooks/webhookRequest.ts';
import {
  DELIVERY_STATUSES,
  type DeliveryErrorCode,
  type DeliveryStatus,
} from '../../../domain/webhooks/deliveryStates.ts';
import type { Queryable } from '../../pool.ts';

export interface JournalEntry {
  webhookId: string;
  deliveryId: string;
  event: WebhookEvent;
  itemId: string;
  status: DeliveryStatus;
  /** Number of attempts made so far. */
  attempt: number;
  /** Number of attempts made before its schedule began; 0 unless it was recovered. */
  scheduleStart: number;
  responseStatus: number | null;
  errorCode: DeliveryErrorCode | null;
  error: string | null;
  /** Set even while its webhook is held back. */
  nextAttemptAt: Date | null;
  /** The body of the last attempt; null before the first. */
  requestBody: string | null;
  createdAt: Date;
  updatedAt: Date;
  position: JournalPosition;
}

/** A position in the journal's order. The time is text, because a Date would lose its microseconds. */
export interface JournalPosition {
  createdAt: string;
  deliveryId: string;
}

export interface JournalAttempt {
  attempt: number;
  startedAt: Date;
  durationMs: number;
  responseStatus: number | null;
  errorCode: DeliveryErrorCode | null;
  error: string | null;
}

export interface JournalFilter {
  status?: DeliveryStatus;
  event?: WebhookEvent;
  itemId?: string;
  /** The error of the last attempt. */
  errorCode?: DeliveryErrorCode;
  /** Created at or after this time. */
  since?: Date;
  /** Created before this time. */
  until?: Date;
  /** Position of the last entry of the previous page. */
  before?: JournalPosition;
}

interface JournalRow {
  project_id: string;
  webhook_id: string;
  id: string;
  event: WebhookEvent;
  item_id: string;
  item: WebhookItem;
  status: DeliveryStatus;
  attempt: number;
  schedule_start: number;
  response_status: number | null;
  error_code: DeliveryErrorCode | null;
  error: string | null;
  next_try_at: Date | null;
  last_started_at: Date | null;
  created_at: Date;
  created_position: string;
  updated_at: Date;
}

const COLUMNS = `d.project_id, d.webhook_id, d.id, d.event, d.item_id, d.item, d.status, d.attempt, d.schedule_start, d.response_status,
         d.error_code, d.error, d.lane, d.next_attempt_at, d.created_at, d.updated_at`;

/** A first attempt has no due time of its own; while the breaker holds it back, it has the webhook's. */
const ENTRY = `
  select d.*, to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_position,
         coalesce(d.next_attempt_at, (
           select w.held_until from webhooks w
            where d.lane = 'first' and w.project_id = d.project_id and w.id = d.webhook_id and w.held_until > now())) as next_try_at,
         (select a.started_at from delivery_attempts a
           where a.project_id = d.project_id and a.delivery_id = d.id order by a.attempt desc limit 1) as last_started_at`;

/**
 * Returns the deliveries of one webhook, newest first.
 *
 * Whatever the filter, a page reads hardly more rows than it returns: the indexes keep the deliveries of each event and
 * status in time order, and the page is merged from the runs that the filter admits. A single run in time order would
 * have to be read to its old end for a rare status. Each run has its own `order by` and `limit`, because otherwise the
 * planner sorts all rows instead of merging the runs.
 */
export async function listDeliveries(
  pool: Queryable,
  projectId: string,
  webhookId: string,
  filter: JournalFilter,
  limit: number,
): Promise<JournalEntry[]> {
  const { conditions, values } = conditionsOf(filter, [projectId, webhookId, limit]);
  const runs = runsOf(filter).map(
    ({ event, status }) => `
    (select ${COLUMNS} from deliveries d
      where d.project_id = $1 and d.webhook_id = $2 and d.event = '${event}' and d.status = '${status}'${conditions}
      order by d.created_at desc, d.id desc limit $3)`,
  );
  const { rows } = await pool.query<JournalRow>(
    `${ENTRY} from (
       select * from (${runs.join(' union all ')}) run order by created_at desc, id desc limit $3) d
      order by d.created_at desc, d.id desc`,
    values,
  );
  return rows.map(toEntry);
}

/**
 * Returns the deliveries of an item by all webhooks of its project, newest first. A page is read from the index for
 * each webhook, event and status, and the pages are merged, so few rows are read however often the item was delivered.
 */
export async function listItemDeliveries(
  pool: Queryable,
  projectId: string,
  itemId: string,
  before: JournalPosition | null,
  limit: number,
): Promise<JournalEntry[]> {
  const { rows } = await pool.query<JournalRow>(
    `${ENTRY} from (
       select r.* from webhooks w
        cross join (values ${RUNS.map(({ event, status }) => `('${event}', '${status}')`).join(', ')}) run (event, status)
        cross join lateral (
          select ${COLUMNS} from deliveries d
           where d.project_id = $1 and d.webhook_id = w.id and d.item_id = $2 and d.event = run.event and d.status = run.status
             and (d.created_at, d.id) < (coalesce($3::timestamptz, 'infinity'), coalesce($4::uuid, '${FIRST_UUID}'))
           order by d.created_at desc, d.id desc limit $5) r
        where w.project_id = $1 and w.deleted_at is null
        order by r.created_at desc, r.id desc limit $5) d
      order by d.created_at desc, d.id desc`,
    [projectId, itemId, before?.createdAt, before?.deliveryId, limit],
  );
  return rows.map(toEntry);
}

const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

/** Deliveries of one webhook that are adjacent in the journal's indexes, in time order. */
interface Run {
  event: WebhookEvent;
  status: DeliveryStatus;
}

const EVENTS: readonly WebhookEvent[] = [...SUBSCRIBABLE_EVENTS, TEST_EVENT];
export const RUNS: readonly Run[] = EVENTS.flatMap((event) => DELIVERY_STATUSES.map((status) => ({ event, status })));

function runsOf({ event, status }: JournalFilter): Run[] {
  return RUNS.filter((run) => (event ?? run.event) === run.event && (status ?? run.status) === run.status);
}

function conditionsOf(filter: JournalFilter, given: readonly unknown[]): { conditions: string; values: unknown[] } {
  const values = [...given];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (filter.itemId !== undefined) conditions.push(`d.item_id = ${add(filter.itemId)}`);
  if (filter.errorCode !== undefined) conditions.push(`d.error_code = ${add(filter.errorCode)}`);
  if (filter.since) conditions.push(`d.created_at >= ${add(filter.since)}`);
  if (filter.until) conditions.push(`d.created_at < ${add(filter.until)}`);
  if (filter.before) {
    conditions.push(
      `(d.created_at, d.id) < (${add(filter.before.createdAt)}::timestamptz, ${add(filter.before.deliveryId)}::uuid)`,
    );
  }
  return { conditions: conditions.map((condition) => ` and ${condition}`).join(''), values };
}

/** Returns one delivery with its attempts, first to last; null when the webhook has no such delivery. */
export async function readDelivery(
  pool: Queryable,
  projectId: string,
  webhookId: string,
  deliveryId: string,
): Promise<(JournalEntry & { attempts: JournalAttempt[] }) | null> {
  const { rows } = await pool.query<JournalRow>(
    `${ENTRY} from (
       select ${COLUMNS} from deliveries d join webhooks w on w.project_id = d.project_id and w.id = d.webhook_id and w.deleted_at is null
        where d.project_id = $1 and d.webhook_id = $2 and d.id = $3) d`,
    [projectId, webhookId, deliveryId],
  );
  const row = rows[0];
  return row === undefined ? null : { ...toEntry(row), attempts: await readAttempts(pool, projectId, deliveryId) };
}

async function readAttempts(pool: Queryable, projectId: string, deliveryId: string): Promise<JournalAttempt[]> {
  const { rows } = await pool.query<{
    attempt: number;
    started_at: Date;
    duration_ms: number;
    response_status: number | null;
    error_code: DeliveryErrorCode | null;
    error: string | null;
  }>(
    `select attempt, started_at, duration_ms, response_status, error_code, error
       from delivery_attempts where project_id = $1 and delivery_id = $2 order by attempt`,
    [projectId, deliveryId],
  );
  return rows.map((row) => ({
    attempt: row.attempt,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    errorCode: row.error_code,
    error: row.error,
  }));
}

function toEntry(row: JournalRow): JournalEntry {
  const content = { projectId: row.project_id, deliveryId: row.id, event: row.event, item: row.item };
  return {
    webhookId: row.webhook_id,
    deliveryId: row.id,
    event: row.event,
    itemId: row.item_id,
    status: row.status,
    attempt: row.attempt,
    scheduleStart: row.schedule_start,
    responseStatus: row.response_status,
    errorCode: row.error_code,
    error: row.error,
    nextAttemptAt: row.next_try_at,
    requestBody: row.last_started_at === null ? null : requestBody(content, row.last_started_at),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    position: { createdAt: row.created_position, deliveryId: row.id },
  };
}
