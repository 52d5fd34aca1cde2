/** Reads what the database and the cabinet API report about one webhook. */
import type pg from 'pg';
import type { WholeStack } from '../../../test/support/whole/stack.ts';

export interface AttemptRow {
  delivery_id: string;
  attempt: number;
  duration_ms: number;
  error_code: string | null;
  response_status: number | null;
  /** True when the delivery will not be sent any more: the item or the webhook was deleted. */
  is_dropped: boolean;
  /** Milliseconds from the end of the previous attempt, both by the journal; null for a first one. */
  waited_ms: number | null;
}

/** Returns the attempts of a webhook that the journal has recorded since a time (wall-clock milliseconds). */
export function attemptsSince(pool: pg.Pool, webhookId: string, since: number): Promise<AttemptRow[]> {
  return readAttempts(pool, 'd.updated_at', webhookId, since);
}

/** Returns the attempts of deliveries that began since a time, without those that an earlier fault has left waiting. */
export function attemptsOfNew(pool: pg.Pool, webhookId: string, since: number): Promise<AttemptRow[]> {
  return readAttempts(pool, 'd.created_at', webhookId, since);
}

async function readAttempts(
  pool: pg.Pool,
  moment: 'd.updated_at' | 'd.created_at',
  webhookId: string,
  since: number,
): Promise<AttemptRow[]> {
  const { rows } = await pool.query<AttemptRow>(
    `select a.delivery_id::text, a.attempt, a.duration_ms, a.error_code, a.response_status, d.status = 'dropped' as is_dropped,
            extract(epoch from a.started_at - b.started_at)::float8 * 1000 - b.duration_ms as waited_ms
       from deliveries d
       join delivery_attempts a on a.project_id = d.project_id and a.delivery_id = d.id
       left join delivery_attempts b on b.project_id = a.project_id and b.delivery_id = a.delivery_id and b.attempt = a.attempt - 1
      where d.webhook_id = $1 and ${moment} >= to_timestamp($2 / 1000.0)`,
    [webhookId, since],
  );
  return rows;
}

export interface Breaker {
  failuresInRow: number;
  isHeld: boolean;
}

export async function breakerOf(pool: pg.Pool, webhookId: string): Promise<Breaker> {
  const { rows } = await pool.query<Breaker>(
    `select failures_in_row as "failuresInRow", held_until is not null as "isHeld" from webhooks where id = $1`,
    [webhookId],
  );
  return rows[0] ?? { failuresInRow: 0, isHeld: false };
}

/**
 * Presses the button "test", as its owner does once an address works again. Its 2xx releases held deliveries at once.
 */
export async function sendTestWebhook({ dev }: WholeStack, webhookId: string): Promise<void> {
  const response = await fetch(`${dev.cabinet_url}/api/projects/${dev.project.id}/webhooks/${webhookId}/test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${dev.cabinet_token}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the test of the webhook was answered by ${response.status} ${text}`);
}
