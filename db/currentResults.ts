/**
 * Conditions for stored results that describe an item as it is now. A write that changes the content removes the
 * results of the older content, and a step that fails removes its own. The conditions here exclude rows that the
 * previous release leaves behind while it is being replaced (docs/decisions/results.md).
 */
import type pg from 'pg';
import type { Step } from '../domain/analysis/steps.ts';

/**
 * Returns a condition on a row of results that is joined to its item `i`. While the step is in progress, the row of an
 * earlier run counts; when the step is done, the row must have its revision. Rows from before revisions were stored
 * have none.
 */
function isOfRevision(step: Step, row: string): string {
  return `(i.steps #>> '{${step},state}' <> 'done' or ${row}.revision is null or ${row}.revision = (i.steps #>> '{${step},revision}')::bigint)`;
}

function isCurrent(step: Step, row: string): string {
  return `(i.steps #>> '{${step},state}' not in ('failed', 'skipped') and ${isOfRevision(step, row)})`;
}

/** SQL condition: the summary `s` is current. */
export const IS_SUMMARY_CURRENT = isCurrent('summary', 's');

/** SQL condition: the search chunk `c` is current. */
export const IS_CHUNK_CURRENT = isCurrent('embedding', 'c');

/** SQL condition: the vector of a picture `p` is current. */
export const IS_PICTURE_CURRENT = isCurrent('embedding', 'p');

/** Joins the summary `s` and the moderation `m` to the item `i`. */
export const JOIN_RESULTS = `
  left join item_summaries s on s.project_id = i.project_id and s.item_id = i.id and ${IS_SUMMARY_CURRENT}
  left join item_moderations m on m.project_id = i.project_id and m.item_id = i.id
        and (i.steps #>> '{summary,state}' not in ('done', 'skipped', 'failed') or m.revision = (i.steps #>> '{summary,revision}')::bigint)`;

/**
 * SQL of the moderation of the item, after {@link JOIN_RESULTS}. Before it became a result in its own right, it was
 * stored only in the summary.
 */
export const MODERATION = `coalesce(m.moderation, nullif(s.summary -> 'moderation', 'null'))`;

/** Deletes the results of items whose content has changed. The caller holds their locks. */
export async function deleteResults(
  client: pg.PoolClient,
  projectId: string,
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length === 0) return;
  await client.query(
    `with summaries as (delete from item_summaries where project_id = $1 and item_id = any($2)),
          moderations as (delete from item_moderations where project_id = $1 and item_id = any($2)),
          pictures as (delete from item_picture_vectors where project_id = $1 and item_id = any($2))
     delete from item_chunks where project_id = $1 and item_id = any($2)`,
    [projectId, itemIds],
  );
}
