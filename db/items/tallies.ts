/**
 * Counts of a project's items by state (migrations/0090_item_tallies.sql). Triggers record what every statement
 * changes. One process adds the changes up here, and reads combine the sums with the changes that are not added up yet.
 */
import type pg from 'pg';
import { ITEM_HOURS_KEPT, PIPELINE_HOURS, type PipelineHour } from '../../domain/analysis/pipelineCounts.ts';
import { inTransaction, type Queryable } from '../pool.ts';

/** Timeout for a count; enough for a hundred times as many items as a large project has. */
const MAX_COUNT_MS = 600_000;
/** The client's own timeout. pg accepts it for a single query too, although its types do not say so. */
const PATIENT = { query_timeout: MAX_COUNT_MS };

export interface ItemTally {
  /** '' stands for the item itself. */
  step: string;
  /** The state of the step, or the status of the item; 'deleted' for a deleted item. */
  state: string;
  code: string;
  items: number;
}

/** Reads a dozen rows for each step, and the changes of the last second or two. */
export async function readItemTallies(pool: Queryable, projectId: string): Promise<ItemTally[]> {
  const { rows } = await pool.query<ItemTally>({
    name: 'item-tallies',
    text: `select step, state, code, sum(items)::float8 as items
             from (select step, state, code, items from item_tallies where project_id = $1
                    union all
                   select step, state, code, items from item_tally_changes where project_id = $1 and hour is null) t
            group by step, state, code having sum(items) > 0 order by items desc, step, state, code`,
    values: [projectId],
  });
  return rows;
}

/** Returns true when the project's items from before the migration are included in the counts. */
export async function isCounted(pool: Queryable, projectId: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from uncounted_projects where project_id = $1', [projectId]);
  return rowCount === 0;
}

/** Returns the last hours in which any item arrived or finished, in order. */
export async function readItemHours(pool: Queryable, projectId: string): Promise<PipelineHour[]> {
  const { rows } = await pool.query<PipelineHour>({
    name: 'item-hours',
    text: `select hour, ${['queued', 'ready', 'partial', 'failed'].map((status) => `coalesce(sum(items) filter (where status = '${status}'), 0)::float8 as ${status}`).join(', ')}
             from (select hour, status, items from item_hours where project_id = $1 and hour > now() - interval '${PIPELINE_HOURS} hours'
                    union all
                   select hour, state, items from item_tally_changes where project_id = $1 and hour > now() - interval '${PIPELINE_HOURS} hours') h
            group by hour order by hour`,
    values: [projectId],
  });
  return rows;
}

/**
 * Adds up changes, at most `limit` of them. Changes of projects that are not counted yet stay: their count sees the
 * items themselves (`countProject`).
 * @returns how many
 */
export async function addUpTallies(pool: Queryable, limit: number): Promise<number> {
  const { rows } = await pool.query<{ changes: number }>({
    name: 'item-tallies-add-up',
    text: `with gone as (
             delete from item_tally_changes where ctid = any(array(
               select c.ctid from item_tally_changes c
                where not exists (select from uncounted_projects u where u.project_id = c.project_id) limit $1))
             returning project_id, step, state, code, hour, items),
           tallied as (
             insert into item_tallies as t (project_id, step, state, code, items)
             select project_id, step, state, code, sum(items) from gone where hour is null group by 1, 2, 3, 4
             on conflict (project_id, step, state, code) do update set items = t.items + excluded.items),
           of_hours as (
             insert into item_hours as h (project_id, hour, status, items)
             select project_id, hour, state, sum(items) from gone where hour is not null group by 1, 2, 3
             on conflict (project_id, hour, status) do update set items = h.items + excluded.items)
           select count(*)::int as changes from gone`,
    values: [limit],
  });
  return rows[0]?.changes ?? 0;
}

/** Returns the projects whose items from before the migration are not counted yet. */
export async function listUncountedProjects(pool: Queryable): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'select project_id as id from uncounted_projects order by project_id limit 100',
  );
  return rows.map(({ id }) => id);
}

/**
 * Counts all items of a project, once. The changes so far are included in the count and are deleted; the statement sees
 * both at the same moment, so writers need not wait. A million items take a few seconds.
 */
export function countProject(pool: pg.Pool, projectId: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = ${MAX_COUNT_MS}`);
    await client.query({
      ...PATIENT,
      text: `with counted as (
         select k.step, k.state, k.code, count(*) as items
           from items i cross join lateral item_tally_keys(i.status, i.deleted, i.steps) k
          where i.project_id = $1 group by 1, 2, 3),
       recorded as (delete from item_tally_changes where project_id = $1 and hour is null),
       done as (delete from uncounted_projects where project_id = $1)
       insert into item_tallies (project_id, step, state, code, items) select $1, step, state, code, items from counted
       on conflict (project_id, step, state, code) do update set items = excluded.items`,
      values: [projectId],
    });
  });
}

/** Deletes hours that are no longer shown, at most `limit` rows; returns how many. */
export async function deleteOldItemHours(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from item_hours where ctid = any(array(
       select ctid from item_hours where hour < now() - interval '${ITEM_HOURS_KEPT} hours' limit $1))`,
    [limit],
  );
  return rowCount ?? 0;
}
