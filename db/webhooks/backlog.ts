/** Webhooks with too many undelivered events: their new events are dropped until the backlog is shorter. */
import type pg from 'pg';
import { BACKLOG_LIMIT, BACKLOG_RESUME } from '../../domain/webhooks/backlog.ts';
import { headsOf } from './deliveries/webhooksInLane.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { RECORD_BACKLOGS } from './deliveries/hourlyStatistics.ts';

export interface BacklogChange {
  projectId: string;
  webhookId: string;
  /** True: new events are dropped from now on; false: they are queued again. */
  paused: boolean;
}

export interface BacklogLimits {
  pauseAbove: number;
  resumeBelow: number;
}

/**
 * Counts undelivered events per webhook and turns intake off above {@link BACKLOG_LIMIT}, and on again below {@link
 * BACKLOG_RESUME}. A count at every event would cost more the longer the backlog is, so this runs every few seconds.
 * From {@link BACKLOG_RESUME} on it tells the intake how much room is left, which the intake counts down itself
 * (db/webhooks/deliveries/recordItemEvent.ts). The limit can only be exceeded when more events arrive within one
 * interval than lie between the two bounds. No webhook is counted beyond the limit. One process at a time counts all
 * webhooks: the others find nothing to do. Two may review the same webhook afterwards, one after the other.
 *
 * All webhooks are counted without a lock. Those that may change are then locked one after another, each for a count of
 * its own events only: whoever records an event for one, or changes it, does not wait for the others' counts.
 */
export async function reviewBacklogs(
  pool: pg.Pool,
  limits: BacklogLimits = { pauseAbove: BACKLOG_LIMIT, resumeBelow: BACKLOG_RESUME },
): Promise<BacklogChange[]> {
  const near = await inTransaction(pool, async (client) => ((await isOurTurn(client)) ? findNear(client, limits) : []));
  const changes: BacklogChange[] = [];
  for (const webhook of near) {
    const change = await inTransaction(pool, (client) => reviewOne(client, webhook, limits));
    if (change) changes.push(change);
  }
  return changes;
}

/** The lock ends with the transaction. */
async function isOurTurn(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('webhook-backlogs', 0)) as locked`,
  );
  return rows[0]?.locked ?? false;
}

type WebhookRef = Omit<BacklogChange, 'paused'>;

/**
 * Counts all undelivered events, records the counts, and returns the webhooks that may change: those near the limit,
 * those that were, and those without intake. The limit of the count is a literal, so that a cached plan knows it.
 */
async function findNear(client: Queryable, { pauseAbove, resumeBelow }: BacklogLimits): Promise<WebhookRef[]> {
  const { rows } = await client.query<WebhookRef>({
    name: `webhooks-backlog-${pauseAbove}`,
    text: `
      with recursive first_heads as (${headsOf('first', 'first_heads')}
      ), retry_heads as (${headsOf('retry', 'retry_heads')}
      ), backlogs as materialized (
        select h.project_id, h.webhook_id, (${undelivered('h.project_id', 'h.webhook_id', pauseAbove + 1)}) as events
          from (select * from first_heads union select * from retry_heads) h
      ), recorded as (
        ${RECORD_BACKLOGS}
      )
      select w.project_id as "projectId", w.id as "webhookId"
        from (select project_id, webhook_id as id from backlogs where events >= $1
              union
              select project_id, id from webhooks where backlog_room is not null
              union
              select project_id, id from webhooks where backlog_since is not null) w
       order by 1, 2`,
    values: [resumeBelow],
  });
  return rows;
}

/**
 * Events that take one of the free slots lock the row of their webhook, so a count made after locking it includes them
 * all. The statements belong to one transaction, each with a snapshot of its own.
 * @returns null when the intake stays as it is
 */
async function reviewOne(
  client: Queryable,
  { projectId, webhookId }: WebhookRef,
  { pauseAbove, resumeBelow }: BacklogLimits,
): Promise<BacklogChange | null> {
  const { rows } = await client.query<{ wasPaused: boolean }>({
    name: 'webhook-backlog-lock',
    text: `select backlog_since is not null as "wasPaused" from webhooks
            where project_id = $1 and id = $2 and deleted_at is null for no key update`,
    values: [projectId, webhookId],
  });
  if (!rows[0]) return null;
  const { wasPaused } = rows[0];
  const updated = await client.query<{ paused: boolean }>({
    name: `webhook-backlog-${pauseAbove}-${resumeBelow}`,
    text: `
      update webhooks w set backlog_room = n.room, backlog_since = case when n.paused then coalesce(w.backlog_since, now()) end
        from (select case when c.events >= ${resumeBelow} then greatest(0, ${pauseAbove} - c.events) end as room,
                     c.events > case when $3 then ${resumeBelow - 1} else ${pauseAbove} end as paused
                from (${undelivered('$1', '$2', pauseAbove + 1)}) c (events)) n
       where w.project_id = $1 and w.id = $2
         and (w.backlog_room is distinct from n.room or (w.backlog_since is not null) <> n.paused)
      returning w.backlog_since is not null as paused`,
    values: [projectId, webhookId, wasPaused],
  });
  const paused = updated.rows[0]?.paused ?? wasPaused;
  return paused === wasPaused ? null : { projectId, webhookId, paused };
}

/** Returns a count that stops at `limit`; the bounds are literals, so that a cached plan knows them. */
function undelivered(projectId: string, webhookId: string, limit: number): string {
  const inLane = (lane: string): string =>
    `select from deliveries d where d.lane = '${lane}' and d.project_id = ${projectId} and d.webhook_id = ${webhookId}`;
  return `select count(*)::int from (${inLane('first')} union all ${inLane('retry')} limit ${limit}) counted`;
}
