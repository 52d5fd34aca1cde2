/** What the reconciler looks through: work that should be running. */
import type { OutboxEntry } from './outbox.ts';
import type { Queryable } from './pool.ts';

export interface UnfinishedItem {
  projectId: string;
  itemId: string;
  updatedAt: string;
}

/**
 * Unfinished items that have rested for a minute and have no outbox row, oldest first, after the
 * given one. Times are compared as the database's own text, which keeps its microseconds.
 */
export async function listUnfinishedItems(pool: Queryable, after: UnfinishedItem | null, limit: number): Promise<UnfinishedItem[]> {
  const { rows } = await pool.query<UnfinishedItem>(
    `select project_id as "projectId", id as "itemId", updated_at::text as "updatedAt"
       from items i
      where status in ('queued', 'processing', 'deferred') and not deleted and updated_at < now() - interval '1 minute'
        and ($1::timestamptz is null or (updated_at, project_id, id) > ($1::timestamptz, $2, $3))
        and not exists (select 1 from outbox o where o.kind = 'item' and o.project_id = i.project_id and o.entity_id = i.id)
      order by updated_at, project_id, id limit $4`,
    [after?.updatedAt ?? null, after?.projectId ?? null, after?.itemId ?? null, limit],
  );
  return rows;
}

/** Puts work back into the outbox. */
export async function enqueueAll(pool: Queryable, entries: readonly Pick<OutboxEntry, 'kind' | 'projectId' | 'entityId'>[], priority: number): Promise<void> {
  await pool.query(
    `insert into outbox (kind, project_id, entity_id, priority)
     select e.kind, e.project_id, e.entity_id, $4 from unnest($1::text[], $2::text[], $3::text[]) as e (kind, project_id, entity_id)`,
    [entries.map((entry) => entry.kind), entries.map((entry) => entry.projectId), entries.map((entry) => entry.entityId), priority],
  );
}

/** Runs `work` unless another process does the same right now; false when it did. */
export async function withReconcilerLock(pool: { connect(): Promise<LockClient> }, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [RECONCILER_LOCK]);
    if (!rows[0]?.locked) return false;
    await work();
    return true;
  } finally {
    // Closing the session frees the lock even when the database can no longer be asked to.
    client.release(true);
  }
}

const RECONCILER_LOCK = 4_817_231_906;

interface LockClient extends Queryable {
  release(destroy: boolean): void;
}
