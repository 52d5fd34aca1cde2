/**
 * The rows of recoveries of webhooks (domain/webhooks/recovery.ts). For the work of a page see
 * db/webhooks/deliveries/recoveryPages.ts.
 */
import type pg from 'pg';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import {
  RECOVERY_ROOM,
  type RecoverableStatus,
  type RecoveryProgress,
  RECOVERY_RECORD_SECONDS,
} from '../../../domain/webhooks/recovery.ts';
import { openJob } from '../../jobs/jobs.ts';
import { inTransaction, type Queryable } from '../../pool.ts';
import { JOURNAL_DAYS } from '../../../domain/webhooks/journalDays.ts';

export interface StoredRecovery extends RecoveryProgress {
  id: string;
  /** Deliveries created at or after this time … */
  since: Date;
  /** … and before this one. */
  until: Date;
  statuses: RecoverableStatus[];
  createdAt: Date;
  /** The time of its last progress. */
  updatedAt: Date;
  finishedAt: Date | null;
}

export const RECOVERY_COLUMNS = `id, since, until, statuses, state, total, done, skipped,
  created_at as "createdAt", updated_at as "updatedAt", finished_at as "finishedAt"`;

export interface RecoveryRequest {
  projectId: string;
  webhookId: string;
  since: Date;
  /** Null, or a time in the future, means now. */
  until: Date | null;
  statuses: readonly RecoverableStatus[];
  requestId: string | null;
}

/**
 * `since_ahead`: it begins in the future, by the database's clock. `not_sending`: the webhook is disabled, or its
 * project or client is not active. `running`: another recovery runs.
 */
export type RecoveryRefusal = 'unknown_webhook' | 'since_ahead' | 'not_sending' | 'running';

/**
 * Opens a recovery with its job. Its period ends at the time of the request at the latest, so deliveries that fail
 * again are not taken twice, and begins no earlier than the journal does. An address that is held back as down is tried
 * at once, one attempt at a time (domain/webhooks/breaker.ts): the request implies that it is up, and the nearest retry
 * may be hours away.
 */
export function openRecovery(pool: pg.Pool, request: RecoveryRequest): Promise<StoredRecovery | RecoveryRefusal> {
  return inTransaction(pool, async (client) => {
    const target = await lockTarget(client, request);
    if (target === null) return 'unknown_webhook';
    if (target.isAhead) return 'since_ahead';
    if (!target.isSending) return 'not_sending';
    const recovery = await insertRecovery(client, request);
    if (recovery === null) return 'running';
    await endHold(client, request);
    const { projectId, requestId } = request;
    await openJob(client, {
      kind: 'webhook-recovery',
      projectId,
      entityId: recovery.id,
      priority: PRIORITY.job,
      requestId,
    });
    return recovery;
  });
}

/**
 * Returns null when there is no such webhook. Otherwise its state stays as returned until the transaction ends: a
 * concurrent call that disables the webhook, archives the project or blocks the client finds the recovery and ends it
 * ({@link cancelRecoveries}).
 */
async function lockTarget(
  client: Queryable,
  { projectId, webhookId, since }: RecoveryRequest,
): Promise<{ isSending: boolean; isAhead: boolean } | null> {
  const { rows } = await client.query<{ isSending: boolean; isAhead: boolean }>(
    `select w.enabled and p.state = 'active' and c.state = 'active' as "isSending", $3::timestamptz > clock_timestamp() as "isAhead"
       from webhooks w
       join projects p on p.id = w.project_id
       join clients c on c.id = p.client_id
      where w.project_id = $1 and w.id = $2 and w.deleted_at is null
        for no key update of w for share of p, c`,
    [projectId, webhookId, since],
  );
  return rows[0] ?? null;
}

async function endHold(client: Queryable, { projectId, webhookId }: RecoveryRequest): Promise<void> {
  await client.query(
    'update webhooks set held_until = null where project_id = $1 and id = $2 and held_until is not null',
    [projectId, webhookId],
  );
}

/**
 * The time is read after the webhook is locked: a claim that is made later cannot have found an obstacle that is gone
 * by now.
 */
async function insertRecovery(
  client: Queryable,
  { projectId, webhookId, since, until, statuses, requestId }: RecoveryRequest,
): Promise<StoredRecovery | null> {
  const { rows } = await client.query<StoredRecovery>(
    `insert into webhook_recoveries (project_id, webhook_id, since, until, statuses, position_at, room, request_id, created_at, updated_at, under_way)
     select $1, $2, r.since, r.until, $5, r.since, $6, $7, r.at, r.at,
            array(select a.backend_xid from pg_stat_activity a
                   where a.datname = current_database() and a.backend_xid is not null and a.pid <> pg_backend_pid())
       from (select least(greatest($3, u.at - $8::int * interval '1 day'), u.until) as since, u.until, u.at
               from (select n.at, least($4, n.at) as until from (select clock_timestamp() as at) n) u) r
     on conflict (project_id, webhook_id) where state = 'running' do nothing
     returning ${RECOVERY_COLUMNS}`,
    [projectId, webhookId, since, until, statuses, RECOVERY_ROOM.first, requestId, JOURNAL_DAYS],
  );
  return rows[0] ?? null;
}

/** The recoveries of one webhook, of a project, or of a client. */
export type RecoveryScope = { projectId: string; webhookId: string } | { projectId: string } | { clientId: string };

/**
 * Ends the running recoveries in the transaction that stops their webhooks, after that change. Deliveries that they
 * have queued are dropped from then on and lie behind their position, so no recovery may continue when the webhook
 * sends again before its next page. Rows are locked in the order of openRecovery (client, project, webhook, recovery,
 * job), several recoveries by their ids.
 */
export async function cancelRecoveries(client: Queryable, scope: RecoveryScope): Promise<void> {
  await client.query(
    `with running as materialized (
       select project_id, id from webhook_recoveries
        where state = 'running' and ($1::text is null or project_id = $1) and ($2::uuid is null or webhook_id = $2)
          and ($3::uuid is null or project_id in (select id from projects where client_id = $3))
        order by project_id, id for no key update
     ), cancelled as (
       update webhook_recoveries r set state = 'cancelled', updated_at = now(), finished_at = now()
         from running o where r.project_id = o.project_id and r.id = o.id
       returning r.project_id, r.id
     )
     delete from jobs j using cancelled c where j.project_id = c.project_id and j.kind = 'webhook-recovery' and j.entity_id = c.id::text`,
    [
      'projectId' in scope ? scope.projectId : null,
      'webhookId' in scope ? scope.webhookId : null,
      'clientId' in scope ? scope.clientId : null,
    ],
  );
}

export async function findRecovery(
  pool: Queryable,
  projectId: string,
  webhookId: string,
  id: string,
): Promise<StoredRecovery | null> {
  const { rows } = await pool.query<StoredRecovery>(
    `select ${RECOVERY_COLUMNS} from webhook_recoveries where project_id = $1 and webhook_id = $2 and id = $3`,
    [projectId, webhookId, id],
  );
  return rows[0] ?? null;
}

/**
 * Returns the recoveries of a webhook, newest first.
 * @param after id of the last one of the previous page, null for the first page
 */
export async function listRecoveries(
  pool: Queryable,
  projectId: string,
  webhookId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<StoredRecovery[]> {
  const { rows } = await pool.query<StoredRecovery>(
    `select ${RECOVERY_COLUMNS} from webhook_recoveries
      where project_id = $1 and webhook_id = $2 and ($3::uuid is null or id < $3)
      order by id desc limit $4`,
    [projectId, webhookId, after, limit],
  );
  return rows;
}

/** Removes recoveries that ended long ago, at most `limit` of them; returns how many. */
export async function deleteOldRecoveries(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from webhook_recoveries where (project_id, id) in (
       select project_id, id from webhook_recoveries
        where state <> 'running' and finished_at < now() - $1::int * interval '1 second' limit $2)`,
    [RECOVERY_RECORD_SECONDS, limit],
  );
  return rowCount ?? 0;
}
