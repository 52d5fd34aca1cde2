/** Deliveries as the rest of the product writes them: the event of an item, for every webhook that wants it. */
import type { ItemEvent, WebhookItem } from '../domain/webhook.ts';
import { OBSTACLE_PHRASES } from '../domain/webhookPhrases.ts';
import type { Queryable } from './pool.ts';

/** NOTIFY channel on which the webhook worker listens. */
export const DELIVERIES_CHANNEL = 'deliveries';

export interface ItemEventWrite {
  projectId: string;
  itemId: string;
  event: ItemEvent;
  /** The item as the transaction leaves it. */
  item: WebhookItem;
  requestId: string | null;
}

/**
 * Records an event for every webhook of the project that subscribes to it, in the caller's
 * transaction, and wakes the webhook worker at commit. Nothing is recorded for a project that is not
 * active or a blocked client. A webhook that is disabled or has too long a backlog gets the event as
 * `dropped`: it is not sent, and a recovery finds it (db/webhookRecoveries.ts).
 * The caller has made sure that the item is neither deleted nor of origin `order`.
 * @returns how many deliveries were queued
 */
export async function recordItemEvent(client: Queryable, write: ItemEventWrite): Promise<number> {
  const { rows } = await client.query<{ queued: number }>({
    name: 'deliveries-record',
    text: `with recorded as (
       insert into deliveries (project_id, webhook_id, event, item_id, item, request_id, status, lane, error)
       select w.project_id, w.id, $2, $3, $4, $5,
              case when w.enabled and w.backlog_since is null then 'pending' else 'dropped' end,
              case when w.enabled and w.backlog_since is null then 'first' end,
              case when not w.enabled then '${OBSTACLE_PHRASES.webhook}' when w.backlog_since is not null then '${OBSTACLE_PHRASES.backlog}' end
       from webhooks w
       join projects p on p.id = w.project_id and p.state = 'active'
       join clients c on c.id = p.client_id and c.state = 'active'
       where w.project_id = $1 and $2 = any (w.events)
       returning lane
     )
     select count(lane)::int as queued, case when count(lane) > 0 then pg_notify('${DELIVERIES_CHANNEL}', '') end
     from recorded`,
    values: [write.projectId, write.event, write.itemId, write.item, write.requestId],
  });
  return rows[0]?.queued ?? 0;
}
