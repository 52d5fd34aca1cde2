/** Webhooks with too many undelivered events: their new events are dropped until the backlog is shorter. */
import { BACKLOG_LIMIT, BACKLOG_RESUME } from '../domain/webhookDelivery.ts';
import type { Queryable } from './pool.ts';

export interface BacklogChange {
  projectId: string;
  webhookId: string;
  /** True: new events are dropped from now on; false: they are queued again. */
  paused: boolean;
}

/**
 * Counts what is undelivered per webhook and turns intake off past {@link BACKLOG_LIMIT}, on again
 * below {@link BACKLOG_RESUME}. A count at every event would cost more the longer the backlog is, so
 * this runs every few seconds and the limit can be passed by what comes in meanwhile.
 */
export async function reviewBacklogs(
  pool: Queryable, limits: { pauseAbove: number; resumeBelow: number } = { pauseAbove: BACKLOG_LIMIT, resumeBelow: BACKLOG_RESUME },
): Promise<BacklogChange[]> {
  const { rows } = await pool.query<{ project_id: string; id: string; paused: boolean }>({
    name: 'webhooks-backlog',
    text: `
      with waiting as (
        select project_id, webhook_id, count(*) as events from (
          select project_id, webhook_id from deliveries where lane = 'first'
          union all
          select project_id, webhook_id from deliveries where lane = 'retry') d
         group by project_id, webhook_id
      ), changed as materialized (
        select w.project_id, w.id, w.backlog_since is null as paused
          from webhooks w
          left join waiting d on d.project_id = w.project_id and d.webhook_id = w.id
         where (w.backlog_since is null and d.events > $1) or (w.backlog_since is not null and coalesce(d.events, 0) < $2)
         order by w.project_id, w.id
           for no key update of w
      )
      update webhooks w set backlog_since = case when c.paused then now() end
        from changed c where w.project_id = c.project_id and w.id = c.id
      returning w.project_id, w.id, c.paused`,
    values: [limits.pauseAbove, limits.resumeBelow],
  });
  return rows.map((row) => ({ projectId: row.project_id, webhookId: row.id, paused: row.paused }));
}
