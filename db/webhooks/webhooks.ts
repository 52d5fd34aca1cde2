/** Webhooks of a project, the destinations of its events. */
import type pg from 'pg';
import type { ItemEvent } from '../../domain/webhooks/webhookRequest.ts';
import { ALERT_AFTER_HOURS, type WebhookAlert } from '../../domain/webhooks/failureAlerts.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { cancelRecoveries } from './deliveries/recoveries.ts';

/** The documented maximum. */
export const WEBHOOKS_PER_PROJECT = 5;

export interface StoredWebhook {
  id: string;
  url: string;
  events: ItemEvent[];
  enabled: boolean;
  /** The time until which first attempts are held back, because the address was down several times in a row. */
  heldUntil: Date | null;
  /** The time since which new events are dropped, because too many are undelivered. */
  backlogSince: Date | null;
  /** Start of the first failed attempt since the last 2xx, not counting tests. */
  failingSince: Date | null;
  alert: WebhookAlert | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Returns the SQL condition that the webhook `w` has failed for as long as the alert requires. */
export function failsFor(alert: WebhookAlert): string {
  return `w.failing_since <= now() - interval '${ALERT_AFTER_HOURS[alert]} hours'`;
}

/** Columns of the table `webhooks`, called `w`. */
export const WEBHOOK_COLUMNS = `
  w.id, w.url, w.events, w.enabled, case when w.held_until > now() then w.held_until end as "heldUntil",
  w.backlog_since as "backlogSince", w.failing_since as "failingSince",
  case when not w.enabled then null
       when ${failsFor('failing_24h')} then 'failing_24h'
       when ${failsFor('failing_1h')} then 'failing_1h' end as alert,
  w.created_at as "createdAt", w.updated_at as "updatedAt"`;

export interface WebhookWrite {
  /** A UUIDv7. It is chosen before the row exists, since the secret is bound to it. */
  id: string;
  url: string;
  events: readonly ItemEvent[];
  enabled: boolean;
  /** Encrypted (domain/accounts/secretKeys.ts). */
  secret: Buffer;
}

/** Adds a webhook; `full` when the project is at its maximum, even under concurrent requests. */
export function insertWebhook(
  pool: pg.Pool,
  projectId: string,
  webhook: WebhookWrite,
): Promise<StoredWebhook | 'full' | 'unknown_project'> {
  return inTransaction(pool, async (client) => {
    const project = await client.query('select 1 from projects where id = $1 for no key update', [projectId]);
    if (project.rowCount === 0) return 'unknown_project';
    const { rows } = await client.query<StoredWebhook>(
      `insert into webhooks as w (project_id, id, url, events, enabled, secret)
       select $1, $7, $2, $3, $4, $5 where (select count(*) from webhooks where project_id = $1 and deleted_at is null) < $6
       returning ${WEBHOOK_COLUMNS}`,
      [projectId, webhook.url, webhook.events, webhook.enabled, webhook.secret, WEBHOOKS_PER_PROJECT, webhook.id],
    );
    return rows[0] ?? 'full';
  });
}

export async function listWebhooks(pool: Queryable, projectId: string): Promise<StoredWebhook[]> {
  const { rows } = await pool.query<StoredWebhook>(
    `select ${WEBHOOK_COLUMNS} from webhooks w where project_id = $1 and deleted_at is null order by id`,
    [projectId],
  );
  return rows;
}

export async function findWebhook(
  pool: Queryable,
  projectId: string,
  webhookId: string,
): Promise<StoredWebhook | null> {
  const { rows } = await pool.query<StoredWebhook>(
    `select ${WEBHOOK_COLUMNS} from webhooks w where project_id = $1 and id = $2 and deleted_at is null`,
    [projectId, webhookId],
  );
  return rows[0] ?? null;
}

export interface WebhookChange {
  url?: string;
  events?: readonly ItemEvent[];
  enabled?: boolean;
}

/**
 * Changes the named fields; null when the project has no such webhook. A new address starts with a clean record,
 * because failures of the old one say nothing about it. Likewise, `failing_since` of a webhook that is enabled again
 * does not reach back to before it was disabled. Disabling ends its recovery.
 */
export function updateWebhook(
  pool: pg.Pool,
  projectId: string,
  webhookId: string,
  change: WebhookChange,
): Promise<StoredWebhook | null> {
  return inTransaction(pool, async (client) => {
    const stored = await writeChange(client, projectId, webhookId, change);
    if (stored && change.enabled === false) await cancelRecoveries(client, { projectId, webhookId });
    return stored;
  });
}

async function writeChange(
  client: Queryable,
  projectId: string,
  webhookId: string,
  change: WebhookChange,
): Promise<StoredWebhook | null> {
  const { rows } = await client.query<StoredWebhook>(
    `update webhooks w set
            failing_since = case when ($3::text is distinct from url and $3 is not null) or ($5 and not enabled) then null else failing_since end,
            failures_in_row = case when $3::text is distinct from url and $3 is not null then 0 else failures_in_row end,
            held_until = case when $3::text is distinct from url and $3 is not null then null else held_until end,
            url = coalesce($3, url), events = coalesce($4, events), enabled = coalesce($5, enabled), updated_at = now()
      where project_id = $1 and id = $2 and deleted_at is null returning ${WEBHOOK_COLUMNS}`,
    [projectId, webhookId, change.url ?? null, change.events ?? null, change.enabled ?? null],
  );
  return rows[0] ?? null;
}

/**
 * Deletes a webhook: from now on it is hidden, no attempt begins, and its recovery ends. Its journal may have millions
 * of rows, so these are removed gradually, and its own row last (db/webhooks/deliveries/deleteDeliveries.ts). Returns
 * false when it is unknown.
 */
export function deleteWebhook(pool: pg.Pool, projectId: string, webhookId: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update webhooks
          set deleted_at = now(), enabled = false, events = '{}', failures_in_row = 0, held_until = null, backlog_since = null, failing_since = null
        where project_id = $1 and id = $2 and deleted_at is null`,
      [projectId, webhookId],
    );
    await cancelRecoveries(client, { projectId, webhookId });
    return rowCount === 1;
  });
}

/** Stores the same secret in a new encryption, unless another one has replaced it. */
export async function renewWebhookSecret(
  pool: Queryable,
  { projectId, webhookId }: { projectId: string; webhookId: string },
  secret: { old: Buffer; fresh: Buffer },
): Promise<void> {
  await pool.query('update webhooks set secret = $4 where project_id = $1 and id = $2 and secret = $3', [
    projectId,
    webhookId,
    secret.old,
    secret.fresh,
  ]);
}

/** Replaces the secret; every request from the next one on is signed with the new one. False when unknown. */
export async function replaceWebhookSecret(
  pool: Queryable,
  projectId: string,
  webhookId: string,
  secret: Buffer,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update webhooks set secret = $3, updated_at = now() where project_id = $1 and id = $2 and deleted_at is null',
    [projectId, webhookId, secret],
  );
  return rowCount === 1;
}
