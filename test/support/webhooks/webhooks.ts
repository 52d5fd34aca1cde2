/** Projects, webhooks and running lanes for the tests of delivery. */
import { uuidv7 } from 'uuidv7';
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type pg from 'pg';
import { Registry } from 'prom-client';
import type { WebhookActivities } from '../../../activities/webhook/index.ts';
import { recordItemEvent } from '../../../db/webhooks/deliveries/recordItemEvent.ts';
import { startLanes, type Lanes, type LanesDeps } from '../../../loops/delivery/lanes.ts';
import { newKey } from '../../../domain/accounts/keyFormats.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { encryptSigningSecret, signingSecretKeys, webhookSecretContext } from '../../../domain/accounts/secretKeys.ts';
import type { ItemEvent, WebhookItem } from '../../../domain/webhooks/webhookRequest.ts';
import { TEST_ITEM } from '../../../domain/webhooks/testItem.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { startAgent } from '../../platform/outgoing/support/servers.ts';
import type { TestDatabase } from '../database.ts';
import { HANG_MS } from '../eventually.ts';

/** The secret key: as a process gets it in SECRET_KEY, and as config.ts reads it. */
export const TEST_SECRET_TEXT = 'a secret key of the tests, long enough';
export const TEST_SECRET_KEY = createHash('sha256').update(TEST_SECRET_TEXT).digest();

export async function addProject(pool: pg.Pool): Promise<string> {
  const projectId = newTenantId();
  await pool.query(
    `with client as (insert into clients (title) values ('a client') returning id)
     insert into projects (id, client_id, title) select $1, id, 'a project' from client`,
    [projectId],
  );
  return projectId;
}

export interface TestWebhook {
  projectId: string;
  webhookId: string;
  secret: string;
}

export async function addWebhook(
  pool: pg.Pool,
  projectId: string,
  url: string,
  events: ItemEvent[] = ['item.processed', 'item.failed'],
): Promise<TestWebhook & { url: string }> {
  const secret = newKey('webhook');
  const webhookId = uuidv7();
  await pool.query('insert into webhooks (project_id, id, url, events, secret) values ($1, $2, $3, $4, $5)', [
    projectId,
    webhookId,
    url,
    events,
    encrypted(secret, webhookSecretContext(projectId, webhookId)),
  ]);
  return { projectId, webhookId, url, secret };
}

/** Rotates the webhook's secret. */
export async function rotateSecret(pool: pg.Pool, webhook: TestWebhook): Promise<string> {
  const secret = newKey('webhook');
  await pool.query('update webhooks set secret = $3 where project_id = $1 and id = $2', [
    webhook.projectId,
    webhook.webhookId,
    encrypted(secret, webhookSecretContext(webhook.projectId, webhook.webhookId)),
  ]);
  return secret;
}

function encrypted(secret: string, context: string): Buffer {
  return encryptSigningSecret(signingSecretKeys(TEST_SECRET_KEY), secret, context);
}

export function testItem(id: string): WebhookItem {
  return {
    ...TEST_ITEM,
    id,
    summary: { summary: 'О чём это', topics: ['a'], tags: ['b'], age_rating: '6+', moderation: { level: 'none' } },
  };
}

/** Records `item.processed` for an item, as the analysis does. */
export function recordEvent(
  pool: pg.Pool,
  projectId: string,
  itemId: string,
  event: ItemEvent = 'item.processed',
): Promise<number> {
  return recordItemEvent(pool, { projectId, itemId, event, item: testItem(itemId), requestId: null });
}

/**
 * Gives the project's deliveries ids in the order of their items, whose ids have to be single hex digits. Delivery ids
 * made within one millisecond have no order of their own.
 */
export async function numberDeliveries(pool: pg.Pool, projectId: string): Promise<void> {
  await pool.query(
    `update deliveries d set id = (lpad(right(webhook_id::text, 4), 8, '0') || '-0000-7000-8000-00000000000' || item_id)::uuid where project_id = $1`,
    [projectId],
  );
}

/** Starts lanes that may connect to loopback. Close them before the database is dropped. */
export function startTestLanes(database: TestDatabase, more: Partial<LanesDeps> = {}): Lanes {
  return startLanes({
    pool: database.pool,
    databaseUrl: database.url,
    agent: startAgent(),
    secretKey: TEST_SECRET_KEY,
    publicUrl: 'https://attune.example',
    logger: createLogger('test', 'warn'),
    registry: new Registry(),
    ...more,
  });
}

export interface DeliveryRow {
  id: string;
  status: string;
  lane: string | null;
  attempt: number;
  schedule_start: number;
  error_code: string | null;
  error: string | null;
  response_status: number | null;
  next_attempt_at: Date | null;
  leased_until: Date | null;
}

/** Makes attempt number `attempt` due now if the delivery waits for it. */
async function makeDue(
  pool: pg.Pool,
  retry: { projectId: string; deliveryId: string; attempt: number },
): Promise<void> {
  await pool.query(
    `update deliveries set next_attempt_at = least(next_attempt_at, now()) where project_id = $1 and id = $2 and lane = 'retry' and attempt = $3 - 1`,
    [retry.projectId, retry.deliveryId, retry.attempt],
  );
}

/**
 * Returns the activities with each retry made due as soon as its workflow attempts it: the clock of the test server of
 * Temporal skips the wait, but the database's clock does not.
 */
export function makeDueWhenAttempted(pool: pg.Pool, { attemptDelivery }: WebhookActivities): WebhookActivities {
  return {
    attemptDelivery: async (input) => {
      await makeDue(pool, input);
      return attemptDelivery(input);
    },
  };
}

export async function readDeliveries(pool: pg.Pool, webhook: TestWebhook): Promise<DeliveryRow[]> {
  const { rows } = await pool.query<DeliveryRow>(
    'select * from deliveries where project_id = $1 and webhook_id = $2 order by id',
    [webhook.projectId, webhook.webhookId],
  );
  return rows;
}

const PAUSE_MS = 10;

/**
 * Polls until the rows are as expected.
 * @throws after {@link HANG_MS}, with the rows in the message
 */
export async function deliveriesUntil(
  pool: pg.Pool,
  webhook: TestWebhook,
  isExpected: (rows: DeliveryRow[]) => boolean,
): Promise<DeliveryRow[]> {
  const deadline = performance.now() + HANG_MS;
  for (;;) {
    const rows = await readDeliveries(pool, webhook);
    if (isExpected(rows)) return rows;
    if (performance.now() > deadline) throw new Error(`deliveries are still ${JSON.stringify(rows.slice(0, 20))}`);
    // Reading many rows is expensive, and the lanes share this process.
    await pause(Math.min(PAUSE_MS + rows.length, 250));
  }
}

export const allSettled = (rows: DeliveryRow[]): boolean => rows.every((row) => row.status !== 'pending');

/**
 * Returns the failure with which the workflow of a permanently failed delivery closes.
 * @throws when it closes in another way
 */
export async function failureOf(
  result: Promise<unknown>,
): Promise<Pick<ApplicationFailure, 'type' | 'message' | 'details'>> {
  const error = await result.then(
    (value) => new Error(`it completed with ${JSON.stringify(value)}`),
    (cause: unknown) => (cause instanceof WorkflowFailedError ? cause.cause : cause),
  );
  if (!(error instanceof ApplicationFailure)) throw error;
  const { type, message, details } = error;
  return { type, message, details };
}
