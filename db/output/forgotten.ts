/**
 * Notes for the next training: items of which events were taken away or given to somebody else (migrations/0073). The
 * training reads them (trainingEvents.ts) and solves their columns anew (output/training/plan.ts); older models that know
 * the events go when its model is published (models.ts).
 */
import type { Queryable } from '../pool.ts';

/** A project without a model, and without one that may know the events, has nothing to forget. */
const HAS_MODEL = `exists (select from output_models m where m.project_id = $1 and m.state in ('published', 'training'))`;

/**
 * A part of a statement over rows with an `item_id`, of the project $1. Rows of their own, so that nobody waits for another.
 * @param why a deleted person must not be in older models either; after a link all are still alive
 */
export const noteForgotten = (rows: string, why: 'deletion' | 'link'): string => `forgotten as (
  insert into output_forgotten (project_id, item_id, deleted)
  select distinct $1::text, item_id, ${why === 'deletion'} from ${rows} where ${HAS_MODEL})`;

/** Notes everything that is stored of a person: after a link it is the history of somebody who was not there before. */
export async function noteHistoryOf(client: Queryable, projectId: string, identityId: string): Promise<void> {
  await client.query(
    `with history as (
       select item_id from events where project_id = $1 and identity_id = $2 and ${HAS_MODEL}
       union all
       select item_id from event_states where project_id = $1 and identity_id = $2 and ${HAS_MODEL}
     ), ${noteForgotten('history', 'link')}
     select 1`,
    [projectId, identityId],
  );
}
