/** Journals of undelivered events, for the tests of recoveries. */
import type pg from 'pg';
import { openRecovery, type RecoveryRequest, type StoredRecovery } from '../../../db/webhooks/deliveries/recoveries.ts';
import { recoverPage } from '../../../db/webhooks/deliveries/recoveryPages.ts';
import type { RecoveryPage } from '../../../domain/webhooks/recovery.ts';
import { testItem, type TestWebhook } from './webhooks.ts';

export interface UndeliveredRows {
  count: number;
  status?: 'failed' | 'dropped';
  /** Number of attempts made of each. */
  attempt?: number;
  /** Age in minutes; the rows of one call are a millisecond apart. */
  minutesAgo?: number;
  event?: string;
  /** Prefix of the item ids, before the number. */
  prefix?: string;
}

/** Adds undelivered rows to the webhook's journal, each with its own item. */
export async function addUndelivered(
  pool: pg.Pool,
  { projectId, webhookId }: TestWebhook,
  {
    count,
    status = 'failed',
    attempt = status === 'failed' ? 7 : 0,
    minutesAgo = 60,
    event = 'item.processed',
    prefix = 'item',
  }: UndeliveredRows,
): Promise<void> {
  await pool.query(
    `insert into deliveries (project_id, webhook_id, event, item_id, item, status, lane, attempt, error, response_status, error_code, created_at, updated_at)
     select $1, $2, $3, $4 || '-' || n, jsonb_set($5, '{id}', to_jsonb($4 || '-' || n)), $6::text, null, $7,
            case when $6::text = 'failed' then 'неожиданный код ответа: 500' else 'вебхук выключен' end,
            case when $6::text = 'failed' then 500 end, case when $6::text = 'failed' then 'http_status' end, at, at
       from generate_series(1, $8::int) n, lateral (select now() - $9::int * interval '1 minute' + n * interval '1 millisecond' as at) t`,
    [projectId, webhookId, event, prefix, testItem(prefix), status, attempt, count, minutesAgo],
  );
}

/** Requests the recovery of everything undelivered, as far back as the journal goes. */
export function askRecovery(
  pool: pg.Pool,
  { projectId, webhookId }: TestWebhook,
  more: Partial<RecoveryRequest> = {},
): ReturnType<typeof openRecovery> {
  return openRecovery(pool, {
    projectId,
    webhookId,
    since: new Date(0),
    until: null,
    statuses: ['failed', 'dropped'],
    requestId: 'asked',
    ...more,
  });
}

export async function openTestRecovery(
  pool: pg.Pool,
  webhook: TestWebhook,
  more: Partial<RecoveryRequest> = {},
): Promise<StoredRecovery> {
  const recovery = await askRecovery(pool, webhook, more);
  if (typeof recovery === 'string') throw new Error(recovery);
  return recovery;
}

/** Recovers page after page without the pauses. Queued rows are delivered between pages, so that there is room. */
export async function recoverAll(
  pool: pg.Pool,
  { projectId, webhookId }: TestWebhook,
  id: string,
): Promise<RecoveryPage[]> {
  const pages: RecoveryPage[] = [];
  do {
    pages.push(await recoverPage(pool, projectId, id));
    await pool.query(
      `update deliveries set status = 'delivered', lane = null, attempt = attempt + 1 where project_id = $1 and webhook_id = $2 and lane = 'first'`,
      [projectId, webhookId],
    );
  } while (pages.at(-1)?.state === 'running');
  return pages;
}
