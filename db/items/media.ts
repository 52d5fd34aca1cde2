/** The media rows of an item, as writes change them. */
import type pg from 'pg';
import { uuidv7 } from 'uuidv7';
import type { MediaDifference } from '../../domain/mediaIdentity.ts';
import { discardMedia } from '../blobGarbage.ts';

/**
 * Brings the rows in line with a new list. A removed medium takes its frames and transcript with
 * it; a kept one keeps them, wherever it moved.
 */
export async function applyMedia(client: pg.PoolClient, projectId: string, itemId: string, difference: MediaDifference): Promise<void> {
  if (difference.removed.length > 0) await removeMedia(client, projectId, itemId, difference.removed);
  if (difference.moved) await moveMedia(client, projectId, itemId, difference.kept);
  if (difference.added.length > 0) await addMedia(client, projectId, itemId, difference.added);
}

async function removeMedia(client: pg.PoolClient, projectId: string, itemId: string, mediumIds: string[]): Promise<void> {
  await discardMedia(client, projectId, mediumIds);
  await client.query('delete from item_media where project_id = $1 and item_id = $2 and medium_id = any($3::uuid[])', [projectId, itemId, mediumIds]);
}

async function moveMedia(client: pg.PoolClient, projectId: string, itemId: string, kept: MediaDifference['kept']): Promise<void> {
  await client.query(
    `update item_media m set position = k.position
       from unnest($3::uuid[], $4::int[]) as k (medium_id, position)
      where m.project_id = $1 and m.item_id = $2 and m.medium_id = k.medium_id`,
    [projectId, itemId, kept.map((medium) => medium.mediumId), kept.map((medium) => medium.position)],
  );
}

async function addMedia(client: pg.PoolClient, projectId: string, itemId: string, added: MediaDifference['added']): Promise<void> {
  await client.query(
    `insert into item_media (project_id, item_id, medium_id, position, kind, url, version)
     select $1, $2, a.* from unnest($3::uuid[], $4::int[], $5::text[], $6::text[], $7::text[]) as a`,
    [projectId, itemId, added.map(() => uuidv7()), added.map((medium) => medium.position),
      added.map((medium) => medium.kind), added.map((medium) => medium.url), added.map((medium) => medium.version)],
  );
}

/** Marks what the given steps owe every medium again, so that a reprocess recomputes it. */
export async function resetMediaSteps(client: pg.PoolClient, projectId: string, itemId: string, steps: ReadonlySet<string>): Promise<void> {
  await client.query(
    `update item_media set
            status  = case when $3 then 'new' else status end,
            prepare = case when $3 then 'todo' else prepare end,
            speech  = case when $4 then 'todo' else speech end,
            vision  = case when $5 then 'todo' else vision end
      where project_id = $1 and item_id = $2`,
    [projectId, itemId, steps.has('prepare'), steps.has('speech'), steps.has('vision')],
  );
}
