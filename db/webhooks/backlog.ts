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
 * interval than lie between the two bounds. No webhook is counted beyond the limit, and one process counts at a time:
 * the others find nothing to do.
 */
export function reviewBacklogs(
  pool: pg.Pool,
  limits: BacklogLimits = { pauseAbove: BACKLOG_LIMIT, resumeBelow: BACKLOG_RESUME },
): Promise<BacklogChange[]> {
  return inTransaction(pool, async (client) => {
    if (!(await isOurTurn(client))) return [];
    const locked = await lockWebhooks(client, limits);
    const changes = await review(client, limits);
    await measureRoom(client, limits, locked);
    return changes;
  });
}

/** The lock ends with the transaction. */
async function isOurTurn(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('webhook-backlogs', 0)) as locked`,
  );
  return rows[0]?.locked ?? false;
}

/** The limit of the count is a literal, so that a cached plan knows it. */
async function review(client: Queryable, { pauseAbove, resumeBelow }: BacklogLimits): Promise<BacklogChange[]> {
  const { rows } = await client.query<{ project_id: string; id: string; paused: boolean }>({
    name: `webhooks-backlog-${pauseAbove}`,
    text: `
      with recursive first_heads as (${headsOf('first', 'first_heads')}
      ), retry_heads as (${headsOf('retry', 'retry_heads')}
      ), backlogs as materialized (
        select h.project_id, h.webhook_id, (
                 select count(*) from (
                   select from deliveries d where d.lane = 'first' and d.project_id = h.project_id and d.webhook_id = h.webhook_id
                   union all
                   select from deliveries d where d.lane = 'retry' and d.project_id = h.project_id and d.webhook_id = h.webhook_id
                   limit ${pauseAbove + 1}) counted) as events
          from (select * from first_heads
                union
                select * from retry_heads
                union
                select project_id, id from webhooks where backlog_since is not null) h
      ), recorded as (
        ${RECORD_BACKLOGS}
      ), changed as materialized (
        select w.project_id, w.id, w.backlog_since is null as paused
          from webhooks w
          join backlogs b on b.project_id = w.project_id and b.webhook_id = w.id
         where w.deleted_at is null and case when w.backlog_since is null then b.events > $1 else b.events < $2 end
         order by w.project_id, w.id
           for no key update of w
      )
      update webhooks w set backlog_since = case when c.paused then now() end
        from changed c where w.project_id = c.project_id and w.id = c.id
      returning w.project_id, w.id, c.paused`,
    values: [pauseAbove, resumeBelow],
  });
  return rows.map((row) => ({ projectId: row.project_id, webhookId: row.id, paused: row.paused }));
}

/**
 * Locks the webhooks that may change, all at once and in the order of everybody who locks several
 * (db/webhooks/addressHealth.ts, recordItemEvent.ts): those near the limit, and those without intake.
 */
async function lockWebhooks(client: Queryable, { resumeBelow }: BacklogLimits): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: `webhooks-near-limit-${resumeBelow}`,
    text: `
      with recursive first_heads as (${headsOf('first', 'first_heads')}
      ), retry_heads as (${headsOf('retry', 'retry_heads')}
      ), near as materialized (
        select h.project_id, h.webhook_id from (select * from first_heads union select * from retry_heads) h
         where (${undelivered('h.project_id', 'h.webhook_id', resumeBelow)}) >= ${resumeBelow}
         union
        select project_id, id from webhooks where backlog_room is not null
         union
        select project_id, id from webhooks where backlog_since is not null
      )
      select w.id from near n join webhooks w on w.project_id = n.project_id and w.id = n.webhook_id
       where w.deleted_at is null order by w.project_id, w.id for no key update of w`,
  });
  return rows.map(({ id }) => id);
}

/**
 * Events that take one of the free slots lock the row of their webhook, so a count made after locking it includes them
 * all. The statements belong to one transaction, each with a snapshot of its own.
 */
async function measureRoom(
  client: Queryable,
  { pauseAbove, resumeBelow }: BacklogLimits,
  locked: readonly string[],
): Promise<void> {
  if (locked.length === 0) return;
  await client.query({
    name: `webhooks-room-${pauseAbove}-${resumeBelow}`,
    text: `
      update webhooks w set backlog_room = c.room
        from (select n.project_id, n.id,
                     case when n.events >= ${resumeBelow} then greatest(0, ${pauseAbove} - n.events) end as room
                from (select project_id, id, (${undelivered('o.project_id', 'o.id', pauseAbove)}) as events
                        from webhooks o where id = any($1)) n) c
       where w.project_id = c.project_id and w.id = c.id and w.backlog_room is distinct from c.room`,
    values: [locked],
  });
}

/** Returns a count that stops at `limit`; the bounds are literals, so that a cached plan knows them. */
function undelivered(projectId: string, webhookId: string, limit: number): string {
  const inLane = (lane: string): string =>
    `select from deliveries d where d.lane = '${lane}' and d.project_id = ${projectId} and d.webhook_id = ${webhookId}`;
  return `select count(*)::int from (${inLane('first')} union all ${inLane('retry')} limit ${limit}) counted`;
}
