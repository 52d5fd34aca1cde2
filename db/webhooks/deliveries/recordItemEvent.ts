/**
 * Queues deliveries for the rest of the product: the event of an item, for every webhook that subscribes to it.
 * domain/webhooks/announcedEvent.ts decides which change of an item's status is announced.
 */
import type { ItemEvent, WebhookItem } from '../../../domain/webhooks/webhookRequest.ts';
import { OBSTACLE_PHRASES } from '../../../domain/webhooks/journalPhrases.ts';
import type { Queryable } from '../../pool.ts';

/** NOTIFY channel on which the webhook worker listens. */
export const DELIVERIES_CHANNEL = 'deliveries';

export interface ItemEventWrite {
  projectId: string;
  itemId: string;
  event: ItemEvent;
  /** The item as it is at the end of the transaction. */
  item: WebhookItem;
  requestId: string | null;
}

/**
 * Records an event for every webhook of the project that subscribes to it, in the caller's transaction, and wakes the
 * webhook worker at commit. Nothing is recorded for a project that is not active or for a blocked client. A webhook
 * that is disabled or has too long a backlog gets the event as `dropped`: it is not sent, and a recovery finds it
 * (db/webhooks/deliveries/recoveries.ts). Near the limit of the backlog each event takes one of the free slots
 * (db/webhooks/backlog.ts): the row of the webhook stays locked until the caller commits, so that concurrent events do
 * not share a slot. The first event without a slot stops the intake. The webhooks are locked against their removal,
 * which would otherwise fail the events of the others too: one that is deleted in the meantime is left out. The caller
 * has made sure that the item is neither deleted nor of origin `order`.
 * @returns how many deliveries were queued
 */
export async function recordItemEvent(client: Queryable, write: ItemEventWrite): Promise<number> {
  const { rows } = await client.query<{ queued: number }>({
    name: 'deliveries-record',
    text: `with wanted as materialized (
       select w.project_id, w.id, w.enabled, w.backlog_since is null as is_open, w.backlog_room is not null as is_counted
       from webhooks w
       join projects p on p.id = w.project_id and p.state = 'active'
       join clients c on c.id = p.client_id and c.state = 'active'
       where w.project_id = $1 and $2 = any (w.events)
       order by w.id for key share of w
     ), locked as materialized (
       select w.project_id, w.id from wanted o join webhooks w on w.project_id = o.project_id and w.id = o.id
        where o.enabled and o.is_open and o.is_counted and w.backlog_since is null
        order by w.id for no key update of w
     ), counted as (
       update webhooks w set backlog_room = greatest(0, w.backlog_room - 1),
              backlog_since = case when w.backlog_room = 0 then now() end
         from locked l where w.project_id = l.project_id and w.id = l.id
       returning w.id, w.backlog_since is null as has_slot
     ), judged as (
       select o.*, o.is_open and (not o.is_counted or coalesce(c.has_slot, false)) as has_slot
         from wanted o left join counted c on c.id = o.id
     ), recorded as (
       insert into deliveries (project_id, webhook_id, event, item_id, item, request_id, status, lane, error)
       select w.project_id, w.id, $2, $3, $4, $5,
              case when w.enabled and w.has_slot then 'pending' else 'dropped' end,
              case when w.enabled and w.has_slot then 'first' end,
              case when not w.enabled then '${OBSTACLE_PHRASES.webhook}' when not w.has_slot then '${OBSTACLE_PHRASES.backlog}' end
       from judged w
       returning lane
     )
     select count(lane)::int as queued, case when count(lane) > 0 then pg_notify('${DELIVERIES_CHANNEL}', '') end
     from recorded`,
    values: [write.projectId, write.event, write.itemId, write.item, write.requestId],
  });
  return rows[0]?.queued ?? 0;
}
