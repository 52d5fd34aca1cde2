/**
 * Records for the next training: items that lost events or whose events now belong to somebody else (migrations/0073).
 * The training reads them (db/training/trainingEvents.ts) and solves the columns of these items again
 * (output/training/solve/columnsToSolve.ts). Older files that were made from the events are given up when its model is
 * published, or rejected while none is (models.ts).
 */
import type { Queryable } from '../pool.ts';
import { IS_USED } from './currentModels.ts';

/**
 * A project needs no record when it has no model, no pairs of items ordered together in its place, and no training that
 * may have read the events.
 */
const HAS_MODEL = `exists (select from output_models m where m.project_id = $1 and (m.state = 'training' or ${IS_USED}))`;

/**
 * Returns a part of a statement over rows with an `item_id`, of the project $1. Each record is a row of its own, so
 * that nobody waits for another.
 * @param why after a `deletion`, older models must not contain the person either; after a `change` they may, because
 * nobody was deleted. After a `loss` they may unless the row's `identity_id`, who lost the event, has been deleted
 */
export const recordForgotten = (rows: string, why: 'deletion' | 'change' | 'loss'): string => `forgotten as (
  insert into output_forgotten (project_id, item_id, deleted)
  select distinct $1::text, item_id, ${why === 'loss' ? isDeleted(`${rows}.identity_id`) : why === 'deletion'} from ${rows} where ${HAS_MODEL})`;

/** People are looked up by their key: for `exists`, a plan without statistics may read all identities. */
const isDeleted = (identityId: string): string =>
  `coalesce((select i.dead_at is not null from identities i where i.project_id = $1 and i.id = ${identityId}), false)`;

/**
 * Records all items of the histories of people: after a link, a history belongs to a person who did not exist before;
 * after somebody has turned personalization off, it is no longer used.
 */
export async function recordHistoryOf(
  client: Queryable,
  projectId: string,
  identityIds: readonly string[],
): Promise<void> {
  if (identityIds.length === 0) return;
  await client.query(
    `with history as (
       select item_id from events where project_id = $1 and identity_id = any($2::bigint[]) and ${HAS_MODEL}
       union all
       select item_id from event_states where project_id = $1 and identity_id = any($2::bigint[]) and ${HAS_MODEL}
     ), ${recordForgotten('history', 'change')}
     select 1`,
    [projectId, identityIds],
  );
}
