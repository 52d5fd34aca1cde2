/** One page of a recovery: it goes along the journal of its webhook, as far as there is room before new events. */
import type pg from 'pg';
import type { DeliveryStatus, Lane } from '../../../domain/webhooks/deliveryStates.ts';
import { MAX_LEASE_MS } from '../../../domain/webhooks/claimLease.ts';
import { TEST_EVENT, type WebhookEvent } from '../../../domain/webhooks/webhookRequest.ts';
import {
  freeSlots,
  nextRoom,
  pagePauseMs,
  RECOVERY_COUNTED,
  MAX_RECOVERY_RETRIES,
  RECOVERY_ROOM,
  type LaneLoad,
  type RecoveryPage,
  type RecoveryState,
} from '../../../domain/webhooks/recovery.ts';
import { DROPPED_WITH_ITEM } from './droppedWithItem.ts';
import { DELIVERIES_CHANNEL } from './recordItemEvent.ts';
import { closeJob } from '../../jobs/jobs.ts';
import { inTransaction } from '../../pool.ts';
import { RECOVERY_COLUMNS, type StoredRecovery } from './recoveries.ts';

/** Number of deliveries that one page reads, whether or not it queues them. */
const SCAN = 1_000;

/** Below all ids: the position before the first delivery. */
const START_ID = '00000000-0000-0000-0000-000000000000';

interface LockedRecovery extends StoredRecovery {
  webhookId: string;
  /** Text, to keep the microseconds of the time. */
  positionAt: string;
  positionId: string;
  room: number;
  /** True when all transactions and claims that were in progress at the request have ended. None lasts a minute. */
  mayBegin: boolean;
  /** Milliseconds since its last progress. */
  idleMs: number;
}

/**
 * Processes the next page in one transaction, which also moves the position: after a crash the page runs as if for the
 * first time, and a finished page never runs again. The last page closes the job.
 */
export function recoverPage(pool: pg.Pool, projectId: string, recoveryId: string): Promise<RecoveryPage> {
  return inTransaction(pool, async (client) => {
    const recovery = await lockRecovery(client, projectId, recoveryId);
    const page =
      recovery === null
        ? GONE
        : recovery.state === 'running'
          ? await doPage(client, projectId, recovery)
          : progressOf(recovery);
    if (page.state !== 'running') await closeJob(client, { projectId, kind: 'webhook-recovery', entityId: recoveryId });
    return page;
  });
}

/** The recovery was deleted with its webhook. */
const GONE: RecoveryPage = { state: 'cancelled', total: null, done: 0, skipped: 0, pauseMs: 0 };

function progressOf({ state, total, done, skipped }: StoredRecovery, pauseMs = 0): RecoveryPage {
  return { state, total, done, skipped, pauseMs };
}

async function doPage(client: pg.PoolClient, projectId: string, recovery: LockedRecovery): Promise<RecoveryPage> {
  const load = await readLoad(client, projectId, recovery.webhookId);
  if (!load.isSending) return move(client, projectId, recovery, { state: 'cancelled' });
  if (!recovery.mayBegin) return progressOf(recovery, pagePauseMs('nothing', recovery.idleMs));
  const room = nextRoom(recovery.room, load.waiting);
  const slots = freeSlots(room, load);
  if (slots === 0) {
    await keepRoom(client, projectId, recovery.id, room);
    return progressOf(recovery, pagePauseMs('nothing', recovery.idleMs));
  }
  const total = recovery.positionId === START_ID ? await countFound(client, projectId, recovery) : recovery.total;
  return queueNext(client, projectId, { ...recovery, room, total }, slots);
}

async function queueNext(
  client: pg.PoolClient,
  projectId: string,
  recovery: LockedRecovery,
  slots: number,
): Promise<RecoveryPage> {
  const scan = await readJournal(client, projectId, recovery);
  const matching = scan.filter(
    ({ status, event }) => event !== TEST_EVENT && recovery.statuses.some((asked) => asked === status),
  );
  const sendable = matching.filter(({ isDropped }) => !isDropped).slice(0, slots);
  const isFull = sendable.length === slots;
  const last = isFull ? sendable.at(-1) : scan.at(-1);
  const seen = last ? scan.findIndex(({ id }) => id === last.id) + 1 : 0;
  const skipped = scan.slice(0, seen).filter((row) => row.isDropped && matching.includes(row)).length;
  const queued = await queue(
    client,
    projectId,
    recovery,
    sendable.map(({ id }) => id),
  );
  const isEnd = scan.length < SCAN && seen === scan.length;
  return move(client, projectId, recovery, {
    ...(last && { last }),
    queued,
    skipped,
    state: isEnd ? 'done' : 'running',
    isFull,
  });
}

/**
 * A claim of the recovery's webhook whose lease may be older than the recovery: if it found the webhook disabled, its
 * delivery will be dropped, although it is still pending.
 */
const heldSinceBefore = (lane: Lane): string => `exists (
                select from deliveries d
                 where d.lane = '${lane}' and d.project_id = r.project_id and d.webhook_id = r.webhook_id
                   and d.leased_until < r.created_at + ${MAX_LEASE_MS} * interval '1 millisecond')`;

async function lockRecovery(client: pg.PoolClient, projectId: string, id: string): Promise<LockedRecovery | null> {
  const { rows } = await client.query<LockedRecovery>(
    `select ${RECOVERY_COLUMNS}, webhook_id as "webhookId", position_at::text as "positionAt", position_id as "positionId", room,
            position_id <> '${START_ID}' or created_at < now() - interval '1 minute'
              or not (exists (select from pg_stat_activity a where a.datname = current_database() and a.backend_xid = any(under_way))
                or ${heldSinceBefore('first')} or ${heldSinceBefore('urgent')} or ${heldSinceBefore('retry')}) as "mayBegin",
            (extract(epoch from now() - updated_at) * 1000)::float8 as "idleMs"
       from webhook_recoveries r where project_id = $1 and id = $2 for update`,
    [projectId, id],
  );
  return rows[0] ?? null;
}

/** Counts are bounded, and their bounds are literals, so that the planner knows them. */
async function readLoad(
  client: pg.PoolClient,
  projectId: string,
  webhookId: string,
): Promise<LaneLoad & { isSending: boolean }> {
  const { rows } = await client.query<LaneLoad & { isSending: boolean }>(
    `select w.enabled and p.state = 'active' and c.state = 'active' as "isSending", w.backlog_since is not null as "isOverBacklog",
            (select count(*)::int from (
               select from deliveries d where d.lane = 'first' and d.project_id = $1 and d.webhook_id = $2 limit ${RECOVERY_ROOM.most + 1}) first) as waiting,
            (select count(*)::int from (
               select from deliveries d where d.lane = 'retry' and d.project_id = $1 and d.webhook_id = $2 limit ${MAX_RECOVERY_RETRIES}) retry) as retrying
       from webhooks w
       join projects p on p.id = w.project_id
       join clients c on c.id = p.client_id
      where w.project_id = $1 and w.id = $2`,
    [projectId, webhookId],
  );
  return rows[0] ?? { isSending: false, isOverBacklog: false, waiting: 0, retrying: 0 };
}

/** Reads at most RECOVERY_COUNTED undelivered rows, whether they match or not: null when there are more. */
async function countFound(
  client: pg.PoolClient,
  projectId: string,
  { webhookId, since, until, statuses }: LockedRecovery,
): Promise<number | null> {
  const { rows } = await client.query<{ seen: number; found: number }>(
    `select count(*)::int as seen, count(*) filter (where o.status = any($5) and o.event <> '${TEST_EVENT}')::int as found
       from (select d.status, d.event from deliveries d
              where d.project_id = $1 and d.webhook_id = $2 and d.status in ('failed', 'dropped') and d.created_at >= $3 and d.created_at < $4
              limit ${RECOVERY_COUNTED + 1}) o`,
    [projectId, webhookId, since, until, statuses],
  );
  const { seen, found } = rows[0] ?? { seen: 0, found: 0 };
  return seen > RECOVERY_COUNTED ? null : found;
}

interface JournalRow {
  id: string;
  createdAt: string;
  status: DeliveryStatus;
  event: WebhookEvent;
  /** True if it would be dropped again, because its item is deleted. */
  isDropped: boolean;
}

/**
 * Reads the next rows of the index `deliveries_undelivered`, whatever the request selects, so that a page stays short.
 */
async function readJournal(
  client: pg.PoolClient,
  projectId: string,
  { webhookId, until, positionAt, positionId }: LockedRecovery,
): Promise<JournalRow[]> {
  const { rows } = await client.query<JournalRow>(
    `select d.id, d.created_at::text as "createdAt", d.status, d.event, ${DROPPED_WITH_ITEM} as "isDropped"
       from (select d.id, d.created_at, d.status, d.event, d.item_id from deliveries d
              where d.project_id = $1 and d.webhook_id = $2 and d.status in ('failed', 'dropped')
                and (d.created_at, d.id) > ($3::timestamptz, $4::uuid) and d.created_at < $5
              order by d.created_at, d.id limit ${SCAN}) d
       left join items i on i.project_id = $1 and i.id = d.item_id
      order by d.created_at, d.id`,
    [projectId, webhookId, positionAt, positionId, until],
  );
  return rows;
}

/**
 * Queues deliveries that are still final once they are locked, with a new schedule: all attempts again, whose
 * numbers continue from the previous ones. Returns how many.
 */
async function queue(
  client: pg.PoolClient,
  projectId: string,
  { statuses }: LockedRecovery,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const { rows } = await client.query<{ queued: number }>(
    `with over as materialized (
       select id from deliveries
        where project_id = $1 and id = any($2::uuid[]) and lane is null and status = any($3)
        order by id for no key update
     ), queued as (
       update deliveries d
          set status = 'pending', lane = 'first', schedule_start = d.attempt, next_attempt_at = null,
              error = case when d.status = 'failed' then d.error end, updated_at = now()
         from over o where d.project_id = $1 and d.id = o.id
       returning 1
     )
     select count(*)::int as queued, case when count(*) > 0 then pg_notify('${DELIVERIES_CHANNEL}', '') end from queued`,
    [projectId, ids, statuses],
  );
  return rows[0]?.queued ?? 0;
}

/** A change of room alone is not progress, so `updated_at` stays. */
async function keepRoom(client: pg.PoolClient, projectId: string, id: string, room: number): Promise<void> {
  await client.query('update webhook_recoveries set room = $3 where project_id = $1 and id = $2', [
    projectId,
    id,
    room,
  ]);
}

interface Move {
  state: RecoveryState;
  last?: JournalRow;
  queued?: number;
  skipped?: number;
  isFull?: boolean;
}

async function move(
  client: pg.PoolClient,
  projectId: string,
  recovery: LockedRecovery,
  { state, last, queued = 0, skipped = 0, isFull = false }: Move,
): Promise<RecoveryPage> {
  const { rows } = await client.query<StoredRecovery>(
    `update webhook_recoveries
        set position_at = coalesce($3::timestamptz, position_at), position_id = coalesce($4::uuid, position_id), room = $5, total = $6,
            done = done + $7, skipped = skipped + $8, state = $9, updated_at = now(), finished_at = case when $9 <> 'running' then now() end
      where project_id = $1 and id = $2
     returning ${RECOVERY_COLUMNS}`,
    [
      projectId,
      recovery.id,
      last?.createdAt ?? null,
      last?.id ?? null,
      recovery.room,
      recovery.total,
      queued,
      skipped,
      state,
    ],
  );
  return rows[0] ? progressOf(rows[0], state === 'running' ? pagePauseMs(isFull ? 'full' : 'part', 0) : 0) : GONE;
}
