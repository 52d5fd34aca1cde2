/** Paid answers of an unfinished step, kept for its next attempt. */
import type pg from 'pg';
import type { Step } from '../../domain/analysis/steps.ts';
import type { StepWork } from '../../domain/jobs/workflowMessages.ts';
import type { ItemRef } from '../../domain/items/item.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { storable } from './results/storable.ts';

/** A step of an item, or of one medium of it, at a revision. */
export type DraftWork = StepWork & { mediumId?: string };

/** Reads what an attempt at the same revision kept; undefined when it kept nothing. */
export async function readDraft(pool: Queryable, ref: DraftWork, part: string): Promise<unknown> {
  const { rows } = await pool.query<{ value: unknown }>(
    'select value from analysis_drafts where project_id = $1 and item_id = $2 and step = $3 and subject = $4 and revision = $5 and part = $6',
    [ref.projectId, ref.itemId, ref.step, ref.mediumId ?? '', ref.revision, part],
  );
  return rows[0]?.value;
}

/**
 * Keeps a part, unless the revision is outdated or the medium was removed. Drafts of older revisions of the step are
 * deleted. A part is progress (an answer, or a size that a provider has learned), so the step's schedule of deferrals
 * begins anew: long work is given up only if it stands still.
 * @param isProgress false for a note about the work, which leaves the schedule as it is
 */
export async function saveDraft(
  pool: pg.Pool,
  ref: DraftWork,
  part: string,
  value: object,
  isProgress = true,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // A write of the item may remove the medium or give the step a new revision at this moment.
    await client.query('select from items where project_id = $1 and id = $2 for no key update', [
      ref.projectId,
      ref.itemId,
    ]);
    await client.query(
      `with outdated as (
         delete from analysis_drafts where project_id = $1 and item_id = $2 and step = $3 and revision < $5),
       progress as (
         update items set steps = jsonb_set(steps, array[$3, 'deferrals'], '0')
          where $8 and project_id = $1 and id = $2 and not deleted and steps -> $3 ->> 'state' = 'running'
            and (steps -> $3 ->> 'revision')::bigint = $5 and (steps -> $3 ->> 'deferrals')::int > 0)
       insert into analysis_drafts (project_id, item_id, step, subject, revision, part, value)
       select $1, $2, $3, $4, $5, $6, $7 from items i
        where i.project_id = $1 and i.id = $2 and not i.deleted and i.steps -> $3 ->> 'state' = 'running'
          and (i.steps -> $3 ->> 'revision')::bigint = $5
          and ($4 = '' or exists (select from item_media m where m.project_id = $1 and m.item_id = $2 and m.medium_id::text = $4))
       on conflict (project_id, item_id, step, subject, revision, part) do update set value = excluded.value`,
      [
        ref.projectId,
        ref.itemId,
        ref.step,
        ref.mediumId ?? '',
        ref.revision,
        part,
        JSON.stringify(storable(value)),
        isProgress,
      ],
    );
  });
}

/** Removes the drafts of a step, of every revision; with a medium only those of that medium. */
export async function deleteDrafts(client: Queryable, ref: ItemRef & { step: Step; mediumId?: string }): Promise<void> {
  await client.query(
    'delete from analysis_drafts where project_id = $1 and item_id = $2 and step = $3 and ($4::text is null or subject = $4)',
    [ref.projectId, ref.itemId, ref.step, ref.mediumId ?? null],
  );
}

/** Removes the drafts of media that their items no longer have. */
export async function deleteDraftsOfMedia(
  client: Queryable,
  projectId: string,
  itemIds: readonly string[],
  mediumIds: readonly string[],
): Promise<void> {
  await client.query(
    'delete from analysis_drafts where project_id = $1 and item_id = any($2) and subject = any($3::text[])',
    [projectId, itemIds, mediumIds],
  );
}

/** A step that has a new revision although what it does with the media that stay is the same. */
export interface RenewedStep {
  itemId: string;
  step: Step;
  from: number;
  to: number;
}

/** Moves the drafts of media to the new revisions of their steps. */
export async function moveDraftsOfMedia(
  client: Queryable,
  projectId: string,
  renewed: readonly RenewedStep[],
): Promise<void> {
  if (renewed.length === 0) return;
  await client.query(
    `update analysis_drafts d set revision = r.later
       from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) as r (item_id, step, earlier, later)
      where d.project_id = $1 and d.item_id = r.item_id and d.item_id = any($2) and d.step = r.step
        and d.revision = r.earlier and d.subject <> ''`,
    [
      projectId,
      renewed.map(({ itemId }) => itemId),
      renewed.map(({ step }) => step),
      renewed.map(({ from }) => from),
      renewed.map(({ to }) => to),
    ],
  );
}
