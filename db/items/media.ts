/** The media rows of items, synchronised with changed items in bulk. */
import type pg from 'pg';
import type { StoredMediumIdentity } from '../../domain/items/mediaIdentity.ts';
import { DEPENDENCIES, isFinished, MEDIA_STEPS, STEP_TABLE, type MediaStep } from '../../domain/analysis/steps.ts';
import { deleteDraftsOfMedia, moveDraftsOfMedia, type RenewedStep } from '../analysis/drafts.ts';
import { textList } from '../arrays.ts';
import { discardMedia } from '../blobGarbage.ts';
import type { ItemChange } from './bulkRows.ts';

type Medium = StoredMediumIdentity & { itemId: string };

/**
 * Stores the media lists of changed items. A removed medium loses its frames and transcript, and what is saved of an
 * unfinished transcript; a kept one keeps them, wherever it moved, unless a step is to be done again.
 */
export async function storeMedia(
  client: pg.PoolClient,
  projectId: string,
  changes: readonly ItemChange[],
): Promise<void> {
  const removed = changes.flatMap(({ before, after }) => without(before?.media ?? [], after.media, after.id));
  const added = changes.flatMap(({ before, after }) => without(after.media, before?.media ?? [], after.id));
  const moved = changes.flatMap(movedIn);
  if (removed.length > 0) await deleteMedia(client, projectId, removed);
  if (moved.length > 0) await moveMedia(client, projectId, moved);
  await redoSteps(
    client,
    projectId,
    changes.filter(({ after }) => after.redo.size > 0),
  );
  if (added.length > 0) {
    await addMedia(client, projectId, added);
    await moveDraftsOfMedia(client, projectId, changes.flatMap(renewedSteps));
  }
}

/**
 * Returns the unfinished media steps that have a new revision only because a medium was added: what was paid for the
 * others stays valid.
 */
function renewedSteps({ before, after }: ItemChange): RenewedStep[] {
  if (before === null) return [];
  return MEDIA_STEPS.flatMap((step) => {
    const [from, to] = [before.steps[step].revision, after.steps[step].revision];
    const isSameWork = !isFinished(before.steps[step].state) && !after.redo.has(step);
    return from !== to && isSameWork ? [{ itemId: after.id, step, from, to }] : [];
  });
}

function without(
  media: readonly StoredMediumIdentity[],
  others: readonly StoredMediumIdentity[],
  itemId: string,
): Medium[] {
  if (media === others) return [];
  const known = new Set(others.map(({ mediumId }) => mediumId));
  return media.filter(({ mediumId }) => !known.has(mediumId)).map((medium) => ({ ...medium, itemId }));
}

function movedIn({ before, after }: ItemChange): Medium[] {
  const positions = new Map(before?.media.map(({ mediumId, position }) => [mediumId, position]));
  return after.media
    .filter(({ mediumId, position }) => (positions.get(mediumId) ?? position) !== position)
    .map((medium) => ({ ...medium, itemId: after.id }));
}

const itemIds = (media: readonly Medium[]): string[] => media.map(({ itemId }) => itemId);
const mediumIds = (media: readonly Medium[]): string[] => media.map(({ mediumId }) => mediumId);

async function deleteMedia(client: pg.PoolClient, projectId: string, removed: readonly Medium[]): Promise<void> {
  await discardMedia(client, projectId, mediumIds(removed));
  await client.query(
    `delete from item_media m using unnest($2::text[], $3::uuid[]) as r (item_id, medium_id)
      where m.project_id = $1 and m.item_id = r.item_id and m.medium_id = r.medium_id and m.item_id = any($2)`,
    [projectId, itemIds(removed), mediumIds(removed)],
  );
  await deleteDraftsOfMedia(client, projectId, itemIds(removed), mediumIds(removed));
}

async function moveMedia(client: pg.PoolClient, projectId: string, moved: readonly Medium[]): Promise<void> {
  await client.query(
    `update item_media m set position = k.position
       from unnest($2::text[], $3::uuid[], $4::int[]) as k (item_id, medium_id, position)
      where m.project_id = $1 and m.item_id = k.item_id and m.medium_id = k.medium_id and m.item_id = any($2)`,
    [projectId, itemIds(moved), mediumIds(moved), moved.map(({ position }) => position)],
  );
}

async function addMedia(client: pg.PoolClient, projectId: string, added: readonly Medium[]): Promise<void> {
  await client.query(
    `insert into item_media (project_id, item_id, medium_id, position, kind, url, version)
     select $1, a.* from unnest($2::text[], $3::uuid[], $4::int[], $5::text[], $6::text[], $7::text[]) as a`,
    [
      projectId,
      itemIds(added),
      mediumIds(added),
      added.map(({ position }) => position),
      added.map(({ kind }) => kind),
      added.map(({ url }) => url),
      added.map(({ version }) => version),
    ],
  );
}

/**
 * Returns the condition on a medium `m` that a step may have something to do for it, when the steps in `r` are done
 * again: it is of a kind that the step works on, and what the step reads has not failed.
 */
function mayApply(step: MediaStep): string {
  const reads = DEPENDENCIES[step].map((read) => ` and (r.${read} or m.${read} <> 'failed')`).join('');
  return `m.kind in ${textList(STEP_TABLE[step].kinds)}${reads}`;
}

/**
 * Marks for the media the steps that a reprocess has to do again. Media for which a step has nothing to do keep its
 * state: they would only use up analysis volume until the step skips them.
 */
async function redoSteps(client: pg.PoolClient, projectId: string, changes: readonly ItemChange[]): Promise<void> {
  if (changes.length === 0) return;
  const redoes = MEDIA_STEPS.map((step) => changes.map(({ after }) => after.redo.has(step)));
  await client.query(
    `update item_media m set
            status  = case when r.prepare then 'new' else m.status end,
            ${MEDIA_STEPS.map((step) => `${step} = case when r.${step} and ${mayApply(step)} then 'todo' else m.${step} end`).join(', ')}
       from unnest($2::text[], ${MEDIA_STEPS.map((_, index) => `$${index + 3}::boolean[]`).join(', ')}) as r (item_id, ${MEDIA_STEPS.join(', ')})
      where m.project_id = $1 and m.item_id = r.item_id and m.item_id = any($2)`,
    [projectId, changes.map(({ after }) => after.id), ...redoes],
  );
}
