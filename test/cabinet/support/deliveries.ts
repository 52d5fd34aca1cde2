/** Attempts in the journal, as the lanes would have recorded them. */
import type pg from 'pg';
import { MAX_ATTEMPTS } from '../../../domain/webhooks/retrySchedule.ts';
import type { TestWebhook } from '../../support/webhooks/webhooks.ts';

/**
 * Stores attempts of the delivery of an item, each answered 503; the next one is due in four minutes, unless none
 * is left.
 */
export async function storeAttempts(
  pool: pg.Pool,
  { projectId, webhookId }: TestWebhook,
  itemId: string,
  count: number,
): Promise<void> {
  await pool.query(
    `insert into delivery_attempts (project_id, delivery_id, attempt, started_at, duration_ms, response_status, error_code, error)
     select project_id, id, n, now() - ($4::int - n) * interval '5 minutes', 84, 503, 'http_status', 'неожиданный код ответа: 503'
       from deliveries, generate_series(1, $4::int) n where project_id = $1 and webhook_id = $2 and item_id = $3`,
    [projectId, webhookId, itemId, count],
  );
  const isOver = count >= MAX_ATTEMPTS;
  await pool.query(
    `update deliveries
        set attempt = $4, status = $5, lane = $6, response_status = 503, error_code = 'http_status', error = 'неожиданный код ответа: 503',
            next_attempt_at = case when $6::text is not null then now() + interval '4 minutes' end
      where project_id = $1 and webhook_id = $2 and item_id = $3`,
    [projectId, webhookId, itemId, count, isOver ? 'failed' : 'pending', isOver ? null : 'retry'],
  );
}
