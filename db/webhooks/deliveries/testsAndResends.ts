/**
 * Attempts that a person requests: tests and resends. They go ahead of the others, even when the webhook is held back.
 */
import { TEST_EVENT } from '../../../domain/webhooks/webhookRequest.ts';
import { TEST_ITEM } from '../../../domain/webhooks/testItem.ts';
import type { DeliveryErrorCode } from '../../../domain/webhooks/deliveryStates.ts';
import { DROPPED_WITH_ITEM } from './droppedWithItem.ts';
import { DELIVERIES_CHANNEL } from './recordItemEvent.ts';
import { secondsUntilNextTest } from './testLimit.ts';
import { inTransaction, type Queryable } from '../../pool.ts';
import type pg from 'pg';

export type TestRequest =
  | { kind: 'queued'; deliveryId: string }
  | { kind: 'unknown_webhook' }
  /** @property retryAfterSeconds whole seconds, at least 1 */
  | { kind: 'limited'; retryAfterSeconds: number };

/**
 * Queues one `webhook.test`: one attempt, no retries. A disabled webhook can be tested, so that its
 * address can be tried out before it is enabled.
 */
export async function requestTest(
  pool: pg.Pool,
  request: { projectId: string; webhookId: string; requestId: string | null },
): Promise<TestRequest> {
  return inTransaction(pool, async (client) => {
    // Tests of one project are counted one at a time; the lock ends with the transaction.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('webhook-test/' || $1, 0))`, [request.projectId]);
    const retryAfterSeconds = await secondsUntilNextTest(client, request.projectId);
    if (retryAfterSeconds > 0) return { kind: 'limited', retryAfterSeconds };
    const deliveryId = await insertTest(client, request);
    return deliveryId === null ? { kind: 'unknown_webhook' } : { kind: 'queued', deliveryId };
  });
}

/** Locks the webhook against its removal; null when it is unknown, or removed in the meantime. */
async function insertTest(
  client: Queryable,
  request: { projectId: string; webhookId: string; requestId: string | null },
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `with added as (
       insert into deliveries (project_id, webhook_id, event, item_id, item, lane, request_id)
       select project_id, id, '${TEST_EVENT}', $3, $4, 'urgent', $5 from webhooks
        where project_id = $1 and id = $2 and deleted_at is null for key share
       returning id
     ), counted as (
       insert into webhook_tests (project_id) select $1 from added
     )
     select id, pg_notify('${DELIVERIES_CHANNEL}', '') from added`,
    [request.projectId, request.webhookId, TEST_ITEM.id, TEST_ITEM, request.requestId],
  );
  return rows[0]?.id ?? null;
}

/** The cabinet's response to a test. */
export interface TestOutcome {
  ok: boolean;
  status: number | null;
  code: DeliveryErrorCode | null;
  error: string | null;
}

/** Returns the outcome of a test, or null while its attempt has not ended. */
export async function readTestOutcome(
  pool: Queryable,
  projectId: string,
  deliveryId: string,
): Promise<TestOutcome | null> {
  const { rows } = await pool.query<{
    status: string;
    response_status: number | null;
    error_code: DeliveryErrorCode | null;
    error: string | null;
  }>('select status, response_status, error_code, error from deliveries where project_id = $1 and id = $2', [
    projectId,
    deliveryId,
  ]);
  const row = rows[0];
  if (row === undefined || row.status === 'pending') return null;
  return { ok: row.status === 'delivered', status: row.response_status, code: row.error_code, error: row.error };
}

export type ResendRequest = 'queued' | 'unknown_delivery' | 'not_resent';

/**
 * Requests one more immediate attempt of a delivery, whatever its state, under the same delivery id. It is the
 * delivery's next attempt and is shown as such. When it fails and the schedule has attempts left, they follow as usual;
 * otherwise the delivery fails again. A delivery that would only be dropped is refused (the webhook is disabled, the
 * project or its client not active, the item deleted): the drop would replace its outcome in the journal, which may be
 * a 2xx. A test is refused too, because it is a single attempt: another one is requested with the button, and is
 * counted. A delivery that is being attempted now is attempted once.
 */
export async function resendDelivery(
  pool: Queryable,
  request: { projectId: string; webhookId: string; deliveryId: string },
): Promise<ResendRequest> {
  const { rows } = await pool.query<{ resent: boolean }>(
    `with found as (
       select d.project_id, d.id,
              w.enabled and p.state = 'active' and c.state = 'active' and not ${DROPPED_WITH_ITEM} and d.event <> '${TEST_EVENT}' as resent
         from deliveries d
         join webhooks w on w.project_id = d.project_id and w.id = d.webhook_id
         join projects p on p.id = d.project_id
         join clients c on c.id = p.client_id
         left join items i on i.project_id = d.project_id and i.id = d.item_id
        where d.project_id = $1 and d.webhook_id = $2 and d.id = $3 and w.deleted_at is null
     ), asked as (
       update deliveries d set status = 'pending', lane = 'urgent', next_attempt_at = null, updated_at = now()
         from found f where d.project_id = f.project_id and d.id = f.id and f.resent
       returning d.id
     )
     select f.resent, case when f.resent then pg_notify('${DELIVERIES_CHANNEL}', '') end
       from found f left join asked a on a.id = f.id`,
    [request.projectId, request.webhookId, request.deliveryId],
  );
  const row = rows[0];
  if (row === undefined) return 'unknown_delivery';
  return row.resent ? 'queued' : 'not_resent';
}
