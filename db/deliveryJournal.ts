/** The delivery journal as the cabinet shows it, and how long it is kept. */
import { requestBody, type WebhookEvent, type WebhookItem } from '../domain/webhook.ts';
import type { DeliveryErrorCode, DeliveryStatus } from '../domain/webhookDelivery.ts';
import type { Queryable } from './pool.ts';

export interface JournalEntry {
  deliveryId: string;
  event: WebhookEvent;
  itemId: string;
  status: DeliveryStatus;
  /** Attempts made so far. */
  attempt: number;
  responseStatus: number | null;
  errorCode: DeliveryErrorCode | null;
  error: string | null;
  nextAttemptAt: Date | null;
  /** The body of the last attempt; null before the first. */
  requestBody: string | null;
  createdAt: Date;
  updatedAt: Date;
  position: JournalPosition;
}

/** A place in the journal's order; the time is text, because a Date would lose its microseconds. */
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
  /** Created at or after. */
  since?: Date;
  /** Created before. */
  until?: Date;
  /** Position of the last entry of the previous page. */
  before?: JournalPosition;
}

interface JournalRow {
  project_id: string;
  id: string;
  event: WebhookEvent;
  item_id: string;
  item: WebhookItem;
  status: DeliveryStatus;
  attempt: number;
  response_status: number | null;
  error_code: DeliveryErrorCode | null;
  error: string | null;
  next_attempt_at: Date | null;
  last_started_at: Date | null;
  created_at: Date;
  created_position: string;
  updated_at: Date;
}

const ENTRY = `
  select d.project_id, d.id, d.event, d.item_id, d.item, d.status, d.attempt, d.response_status, d.error_code, d.error,
         d.next_attempt_at, d.created_at, d.created_at::text as created_position, d.updated_at,
         (select a.started_at from delivery_attempts a
           where a.project_id = d.project_id and a.delivery_id = d.id order by a.attempt desc limit 1) as last_started_at
    from deliveries d`;

/** The deliveries of one webhook, newest first. */
export async function listDeliveries(
  pool: Queryable, projectId: string, webhookId: string, filter: JournalFilter, limit: number,
): Promise<JournalEntry[]> {
  const { conditions, values } = conditionsOf(filter, [projectId, webhookId]);
  const { rows } = await pool.query<JournalRow>(
    `${ENTRY} where d.project_id = $1 and d.webhook_id = $2${conditions}
      order by d.created_at desc, d.id desc limit $${values.length + 1}`,
    [...values, limit],
  );
  return rows.map(toEntry);
}

/** Literals, not parameters: only those let the planner choose a partial index. */
const STATUS_CONDITIONS: Record<DeliveryStatus, string> = {
  pending: 'd.lane is not null',
  delivered: `d.status = 'delivered'`,
  failed: `d.status = 'failed'`,
  dropped: `d.status = 'dropped'`,
};

function conditionsOf(filter: JournalFilter, given: readonly unknown[]): { conditions: string; values: unknown[] } {
  const values = [...given];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (filter.status !== undefined) conditions.push(STATUS_CONDITIONS[filter.status]);
  if (filter.event !== undefined) conditions.push(`d.event = ${add(filter.event)}`);
  if (filter.itemId !== undefined) conditions.push(`d.item_id = ${add(filter.itemId)}`);
  if (filter.since) conditions.push(`d.created_at >= ${add(filter.since)}`);
  if (filter.until) conditions.push(`d.created_at < ${add(filter.until)}`);
  if (filter.before) {
    conditions.push(`(d.created_at, d.id) < (${add(filter.before.createdAt)}::timestamptz, ${add(filter.before.deliveryId)}::uuid)`);
  }
  return { conditions: conditions.map((condition) => ` and ${condition}`).join(''), values };
}

/** One delivery with its attempts, first to last; null when the webhook has no such delivery. */
export async function readDelivery(
  pool: Queryable, projectId: string, webhookId: string, deliveryId: string,
): Promise<(JournalEntry & { attempts: JournalAttempt[] }) | null> {
  const { rows } = await pool.query<JournalRow>(
    `${ENTRY} where d.project_id = $1 and d.webhook_id = $2 and d.id = $3`,
    [projectId, webhookId, deliveryId],
  );
  const row = rows[0];
  return row === undefined ? null : { ...toEntry(row), attempts: await readAttempts(pool, projectId, deliveryId) };
}

async function readAttempts(pool: Queryable, projectId: string, deliveryId: string): Promise<JournalAttempt[]> {
  const { rows } = await pool.query<{
    attempt: number; started_at: Date; duration_ms: number; response_status: number | null;
    error_code: DeliveryErrorCode | null; error: string | null;
  }>(
    `select attempt, started_at, duration_ms, response_status, error_code, error
       from delivery_attempts where project_id = $1 and delivery_id = $2 order by attempt`,
    [projectId, deliveryId],
  );
  return rows.map((row) => ({
    attempt: row.attempt, startedAt: row.started_at, durationMs: row.duration_ms,
    responseStatus: row.response_status, errorCode: row.error_code, error: row.error,
  }));
}

/**
 * Removes finished deliveries that are older than `days`, at most `limit` of them, so that one call
 * stays short; call again while it removes that many. Webhook by webhook, from the old end of the
 * journal's index: an index by age alone would cost every delivery a further write, and one of block
 * ranges would blur as new rows fill the pages of removed ones.
 */
export async function deleteOldDeliveries(pool: Queryable, days: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from deliveries d using (
       select o.project_id, o.id from webhooks w
        cross join lateral (
          select f.project_id, f.id from deliveries f
           where f.project_id = w.project_id and f.webhook_id = w.id
             and f.created_at < now() - $1::int * interval '1 day' and f.lane is null
           order by f.created_at, f.id limit $2) o
        limit $2) old
      where d.project_id = old.project_id and d.id = old.id`,
    [days, limit],
  );
  return rowCount ?? 0;
}

function toEntry(row: JournalRow): JournalEntry {
  const content = { projectId: row.project_id, deliveryId: row.id, event: row.event, item: row.item };
  return {
    deliveryId: row.id, event: row.event, itemId: row.item_id, status: row.status, attempt: row.attempt,
    responseStatus: row.response_status, errorCode: row.error_code, error: row.error, nextAttemptAt: row.next_attempt_at,
    requestBody: row.last_started_at === null ? null : requestBody(content, row.last_started_at),
    createdAt: row.created_at, updatedAt: row.updated_at,
    position: { createdAt: row.created_position, deliveryId: row.id },
  };
}
