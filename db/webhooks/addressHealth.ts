/**
 * The health of each webhook: its breaker and the time since which it has been failing, stored in its row and changed
 * atomically.
 */
import { BREAKER_FALLBACK_MS, BREAKER_THRESHOLD, type AddressTally } from '../../domain/webhooks/breaker.ts';
import { DELIVERIES_CHANNEL } from './deliveries/recordItemEvent.ts';
import type { Queryable } from '../pool.ts';

export interface WebhookTally extends AddressTally {
  projectId: string;
  webhookId: string;
  /** The address of the attempts. */
  url: string;
  /**
   * Start of its first failed attempt of any kind since its last 2xx, within the batch, not counting tests; null
   * without one.
   */
  failingSince: Date | null;
}

/**
 * Adds the results of a batch of attempts to their addresses' tallies. From {@link BREAKER_THRESHOLD} failures in a row
 * on, first attempts are held until the webhook's nearest retry; a 2xx releases them and wakes the workers. Call it
 * after the batch's retries are scheduled, so that the nearest one is known.
 *
 * `failing_since` is stored as well, for every kind of failure except that of a test. Nothing is written for a webhook
 * that answers and is known to answer, nor for one that is known to fail and fails again in a way that says nothing
 * about its address. Attempts that were under way to an address when another one replaced it say nothing about the new
 * one, so they are not counted. Rows are locked in one order, so two workers never deadlock, and neither do a worker
 * and a transaction that records an event for the webhook.
 * @returns the number of webhooks whose first attempts are held from now on
 */
export async function recordAddressSigns(pool: Queryable, tallies: readonly WebhookTally[]): Promise<number> {
  const { rows } = await pool.query<{ held: number }>({
    name: 'webhooks-breaker',
    text: `
      with tally as (
        select * from unnest($1::text[], $2::uuid[], $3::bool[], $4::int[], $5::timestamptz[], $6::text[])
                        as t (project_id, id, up, down, failing_since, url)
      ), locked as materialized (
        select w.project_id, w.id, w.held_until as was_held_until,
               case when t.up then t.down else w.failures_in_row + t.down end as in_row,
               case when t.up then t.failing_since else coalesce(w.failing_since, t.failing_since) end as failing_since,
               t.up or t.down > 0 as is_sign
          from webhooks w
          join tally t on t.project_id = w.project_id and t.id = w.id
         where w.url = t.url
           and (t.down > 0
             or t.failing_since is not null and (t.up or w.failing_since is null)
             or t.up and (w.failures_in_row > 0 or w.held_until is not null or w.failing_since is not null))
         order by w.project_id, w.id
           for no key update of w
      ), recorded as (
        update webhooks w
           set failures_in_row = l.in_row,
               failing_since = l.failing_since,
               held_until = case when not l.is_sign then w.held_until when l.in_row >= ${BREAKER_THRESHOLD} then coalesce(
                 (select min(d.next_attempt_at) from deliveries d
                   where d.lane = 'retry' and d.project_id = w.project_id and d.webhook_id = w.id and d.next_attempt_at > now()),
                 now() + ${BREAKER_FALLBACK_MS} * interval '1 millisecond') end
          from locked l
         where w.project_id = l.project_id and w.id = l.id
        returning w.held_until, l.was_held_until
      )
      select count(held_until)::int as held,
             case when bool_or(held_until is null and was_held_until is not null) then pg_notify('${DELIVERIES_CHANNEL}', '') end
        from recorded`,
    values: [
      tallies.map((t) => t.projectId),
      tallies.map((t) => t.webhookId),
      tallies.map((t) => t.up),
      tallies.map((t) => t.down),
      tallies.map((t) => t.failingSince),
      tallies.map((t) => t.url),
    ],
  });
  return rows[0]?.held ?? 0;
}
