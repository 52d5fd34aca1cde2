/** The changes that wait to be counted (migrations/0069_popularity.sql). */
import type { Queryable } from '../pool.ts';
import { DAY_OF } from './recordChanges.ts';

/** Items of one project whose events, or states, have changed on some days. */
export interface ChangedDays {
  projectId: string;
  ofStates: boolean;
  itemId: string;
  firstDay: number;
  lastDay: number;
}

export interface WaitingChange {
  projectId: string;
  id: string;
  /** Number of items that it concerns; null: it concerns people, or all items. */
  items: number | null;
  identityIds: string[] | null;
  /** For a change of all items: the last item that was counted. */
  afterItem: string | null;
}

/** Returns the changes that have waited longest. */
export async function listWaitingChanges(pool: Queryable, limit: number): Promise<WaitingChange[]> {
  const { rows } = await pool.query<WaitingChange>({
    name: 'event-changes-waiting',
    text: `select project_id as "projectId", id, cardinality(item_ids) as items, identity_ids as "identityIds", after_item as "afterItem"
             from event_changes where due_at <= now() order by due_at, id limit $1`,
    values: [limit],
  });
  return rows;
}

/** Returns for how many seconds the oldest due change has waited; 0 when none is due. */
export async function readCountingLag(pool: Queryable): Promise<number> {
  const { rows } = await pool.query<{ seconds: number }>(
    `select greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as seconds from event_changes`,
  );
  return rows[0]?.seconds ?? 0;
}

type Key = Pick<WaitingChange, 'projectId' | 'id'>;

const keysOf = (changes: readonly Key[]): [string[], string[]] => [
  changes.map(({ projectId }) => projectId),
  changes.map(({ id }) => id),
];

/** Returns the content of several changes: each item once for its events, and once for its states. */
export async function readChangedDays(pool: Queryable, changes: readonly Key[]): Promise<ChangedDays[]> {
  if (changes.length === 0) return [];
  const { rows } = await pool.query<ChangedDays>(
    `select c.project_id as "projectId", c.of_states as "ofStates", i.item_id as "itemId", min(c.first_day) as "firstDay", max(c.last_day) as "lastDay"
       from unnest($1::text[], $2::bigint[]) as k (project_id, id)
       join event_changes c on c.project_id = k.project_id and c.id = k.id
      cross join unnest(c.item_ids) as i (item_id)
      group by 1, 2, 3`,
    keysOf(changes),
  );
  return rows;
}

/**
 * Deletes exactly the counted changes, by their keys: others with smaller keys may have been committed in the meantime.
 */
export async function deleteChanges(pool: Queryable, changes: readonly Key[]): Promise<void> {
  if (changes.length === 0) return;
  await pool.query(
    `delete from event_changes c using unnest($1::text[], $2::bigint[]) as k (project_id, id)
      where c.project_id = k.project_id and c.id = k.id`,
    keysOf(changes),
  );
}

/** Returns, by item, the days of the events and states of people, including those of their devices. */
export async function readPeoplesDays(
  pool: Queryable,
  projectId: string,
  identityIds: readonly string[],
): Promise<ChangedDays[]> {
  const { rows } = await pool.query<ChangedDays>(
    `with member as materialized (
       select unnest($2::bigint[]) as id
       union select id from identities where project_id = $1 and merged_into = any($2::bigint[])),
     touched as (
       select false as of_states, e.item_id, e.occurred_at from member m
         cross join lateral (select item_id, occurred_at from events where project_id = $1 and identity_id = m.id) e
       union all
       select true, s.item_id, s.occurred_at from member m
         cross join lateral (select item_id, occurred_at from event_states where project_id = $1 and identity_id = m.id) s)
     select $1 as "projectId", of_states as "ofStates", item_id as "itemId", min(${DAY_OF('occurred_at')}) as "firstDay", max(${DAY_OF('occurred_at')}) as "lastDay"
       from touched group by of_states, item_id`,
    [projectId, identityIds],
  );
  return rows;
}

/** Returns ids of a project's items, ascending, including deleted ones. */
export async function listItemIds(
  pool: Queryable,
  projectId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'event-changes-items',
    text: `select id from items where project_id = $1 and id > coalesce($2, '') order by id limit $3`,
    values: [projectId, after, limit],
  });
  return rows.map(({ id }) => id);
}

/** Records the item after which a change of all items continues. */
export async function advanceChange(pool: Queryable, { projectId, id }: Key, afterItem: string): Promise<void> {
  await pool.query('update event_changes set after_item = $3 where project_id = $1 and id = $2', [
    projectId,
    id,
    afterItem,
  ]);
}
