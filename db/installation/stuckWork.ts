/** Work whose row says that it is in progress although no process does it, for the health of the service. */
import { headsOf } from '../webhooks/deliveries/webhooksInLane.ts';
import type { Queryable } from '../pool.ts';

export interface StuckThresholds {
  /**
   * Seconds for which a text may be `processing` without a change of its row, which changes when that state begins,
   * when a step with a shown result ends, and when it is final. A result is progress, so the time begins anew with it.
   */
  textSeconds: number;
  /** The same limit for an item with media. */
  mediaSeconds: number;
  /** Seconds for which a delivery may be overdue while nothing at all is sent to its webhook. */
  deliverySeconds: number;
}

export interface StuckWork {
  items: boolean;
  deliveries: boolean;
}

/** Number of deliveries in the lane of a webhook that are searched for one in progress: the oldest are sent first. */
const WINDOW = 500;

/**
 * A delivery of the lane is overdue, and none of its webhook's deliveries there is under lease: a slow address always
 * has some.
 */
const overdueIn = (lane: 'first' | 'retry', due: string, order: string): string => `
  exists (
    select from ${lane}_heads h
      join webhooks w on w.project_id = h.project_id and w.id = h.webhook_id
     cross join lateral (
       select bool_or(o.due < now() - $3::int * interval '1 second') as overdue, bool_or(o.leased_until > now()) as busy
         from (select ${due} as due, d.leased_until from deliveries d
                where d.lane = '${lane}' and d.project_id = h.project_id and d.webhook_id = h.webhook_id
                order by ${order} limit ${WINDOW}) o) d
     where d.overdue and d.busy is not true
       and (w.held_until is null or w.held_until < now() - $3::int * interval '1 second'))`;

/**
 * Reports whether some work is stuck. A delivery that its webhook's breaker holds back is not stuck, nor is one behind
 * many others to a slow address, because something is sent to that address.
 */
export async function readStuckWork(pool: Queryable, thresholds: StuckThresholds): Promise<StuckWork> {
  const { rows } = await pool.query<StuckWork>({
    name: 'stuck-work',
    text: `
      with recursive first_heads as (${headsOf('first', 'first_heads')}
      ), retry_heads as (${headsOf('retry', 'retry_heads')}
      )
      select exists (
               select from items
                where status = 'processing' and not deleted and not waiting
                  and updated_at < now() - case type when 'text' then $1::int else $2::int end * interval '1 second') as items,
             ${overdueIn('first', 'd.created_at', 'd.id')}
             or ${overdueIn('retry', 'd.next_attempt_at', 'd.next_attempt_at')} as deliveries`,
    values: [thresholds.textSeconds, thresholds.mediaSeconds, thresholds.deliverySeconds],
  });
  if (!rows[0]) throw new Error('the query of the stuck work returned no row');
  return rows[0];
}
