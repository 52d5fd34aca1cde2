/** Stores the moderations of items. They are separate results, although the step `summary` makes them. */
import type pg from 'pg';
import type { Moderation, Provenance } from '../../../domain/analysis/results.ts';
import type { ItemRef } from '../../../domain/items/item.ts';
import type { StepWork } from '../../../domain/jobs/workflowMessages.ts';
import { inTransaction } from '../../pool.ts';
import { lockForResult } from './fence.ts';
import { storable } from './storable.ts';

/** A moderation and the model that made it. Both are null when the providers that were asked will never answer. */
export interface Judgement {
  moderation: Moderation | null;
  provenance: Provenance | null;
}

/** Replaces the stored moderation; null removes it, because no provider was asked. */
export async function replaceModeration(
  client: pg.PoolClient,
  ref: ItemRef,
  judgement: Judgement | null,
): Promise<void> {
  if (!judgement) {
    await client.query('delete from item_moderations where project_id = $1 and item_id = $2', [
      ref.projectId,
      ref.itemId,
    ]);
    return;
  }
  await client.query({
    name: 'moderation-replace',
    text: `insert into item_moderations (project_id, item_id, moderation, provenance) values ($1, $2, $3, $4)
           on conflict (project_id, item_id) do update set moderation = excluded.moderation, provenance = excluded.provenance`,
    values: [ref.projectId, ref.itemId, storable(judgement.moderation), judgement.provenance],
  });
}

/** Stores a moderation while its step continues. Does nothing when the step is outdated or finished. */
export function storeModeration(pool: pg.Pool, work: StepWork, judgement: Judgement | null): Promise<void> {
  return inTransaction(pool, async (client) => {
    if (await lockForResult(client, work, work.step, work.revision)) await replaceModeration(client, work, judgement);
  });
}
