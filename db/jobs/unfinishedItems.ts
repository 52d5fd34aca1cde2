/** The items that the reconciler checks: those whose analysis should be running. */
import { IS_UNFINISHED } from '../itemStatuses.ts';
import type { Queryable } from '../pool.ts';

export interface UnfinishedItem {
  projectId: string;
  itemId: string;
  requestId: string | null;
  updatedAt: string;
}

export interface UnfinishedPage {
  /** Milliseconds for which an item has not changed, or for which its next try is overdue. */
  graceMs: number;
  /** The last one of the previous page, null for the first page. */
  after: UnfinishedItem | null;
  limit: number;
  /** True to include items that only wait for the time of their next try. */
  withDeferred: boolean;
}

/**
 * SQL condition: a deferred step is overdue by more than the grace period. All unfinished steps of an item of status `deferred` are deferred
 * (domain/analysis/steps.ts statesOf), so without such a step nothing is due.
 */
const HAS_DUE_STEP = `exists (
  select 1 from jsonb_each(i.steps) as s
   where s.value ->> 'state' = 'deferred'
     and coalesce((s.value ->> 'retryAt')::timestamptz, '-infinity') < now() - $6::int * interval '1 millisecond')`;

/**
 * Returns unfinished items that have not changed for the grace period and have no outbox row, oldest first. Those that only
 * wait for analysis volume are left out: loops/relay/resumeVolume.ts handles them. Times are compared as the database's
 * own text, which keeps its microseconds.
 */
export async function listUnfinishedItems(
  pool: Queryable,
  { graceMs, after, limit, withDeferred }: UnfinishedPage,
): Promise<UnfinishedItem[]> {
  const { rows } = await pool.query<UnfinishedItem>(
    `select project_id as "projectId", id as "itemId", request_id as "requestId", updated_at::text as "updatedAt"
       from items i
      where ${IS_UNFINISHED} and not deleted and not waiting and updated_at < now() - $6::int * interval '1 millisecond'
        and ($1::timestamptz is null or (updated_at, project_id, id) > ($1::timestamptz, $2, $3))
        and ($5 or status <> 'deferred' or ${HAS_DUE_STEP})
        and not exists (select 1 from outbox o where o.kind = 'item' and o.project_id = i.project_id and o.entity_id = i.id)
      order by updated_at, project_id, id limit $4`,
    [after?.updatedAt ?? null, after?.projectId ?? null, after?.itemId ?? null, limit, withDeferred, graceMs],
  );
  return rows;
}
