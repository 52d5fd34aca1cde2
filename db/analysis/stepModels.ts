/** The last known models of the installation, and the consequences of a change. */
import type pg from 'pg';
import type { StepModels } from '../../domain/analysis/stepModels.ts';
import { PRIORITY } from '../../domain/jobs/queues.ts';
import { STEPS, type Step } from '../../domain/analysis/steps.ts';
import { openJob } from '../jobs/jobs.ts';
import { INSERT_INTO_OUTBOX, WAKE_RELAY } from '../jobs/outbox.ts';
import { inTransaction } from '../pool.ts';

/**
 * Records the configured models. For those that changed, every project gets a rerun of the steps that the change
 * outdates. When several processes start at once, the first sees the change and the others see none: the table is
 * locked. A step that is turned off keeps its results and its model. The first model ever recorded for a step outdates
 * nothing. Running reruns are locked before the models: a page of a rerun locks items (db/reruns/reruns.ts), and a
 * transaction that has locked items may wait for the models ({@link readCurrentModels}).
 * @returns the steps whose model changed
 */
export function recordModels(pool: pg.Pool, configured: StepModels): Promise<Step[]> {
  return inTransaction(pool, async (client) => {
    // One change at a time: another could open a rerun after this one has locked those that run.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('step-models', 0))`);
    await client.query(
      `select from reruns where state = 'running' and reason = 'model' order by project_id, id for update`,
    );
    await client.query('lock table step_models in share row exclusive mode');
    const known = await readModels(client);
    const seen = STEPS.flatMap((step) => (configured[step] === null ? [] : [{ step, model: configured[step] }]));
    const changed = seen.filter(({ step, model }) => known.has(step) && known.get(step) !== model);
    await storeModels(
      client,
      seen.filter(({ step, model }) => known.get(step) !== model),
    );
    if (changed.length > 0)
      await openModelReruns(client, Object.fromEntries(changed.map(({ step, model }) => [step, model])));
    return changed.map(({ step }) => step);
  });
}

/**
 * Returns the last recorded models, for a transaction that compares them with stored ones. Until that transaction ends,
 * no change of a model is recorded. So an item that it restores is either compared with these models or found by the
 * rerun that the next change opens.
 */
export async function readCurrentModels(client: pg.PoolClient): Promise<Partial<Record<Step, string>>> {
  const { rows } = await client.query<{ step: Step; model: string }>(
    'select step, model from step_models order by step for share',
  );
  return Object.fromEntries(rows.map(({ step, model }) => [step, model]));
}

/** Opens a rerun for a project that returns from the archive, because it missed changes of models. */
export async function compareModelsAgain(client: pg.PoolClient, projectId: string): Promise<void> {
  const models = await readCurrentModels(client);
  const { rows } = await client.query<{ id: string }>(
    `insert into reruns (project_id, reason, filter)
     select $1, 'model', $2 where $3 and exists (select from items where project_id = $1) returning id`,
    [projectId, { models }, Object.keys(models).length > 0],
  );
  for (const { id } of rows)
    await openJob(client, { kind: 'rerun', projectId, entityId: id, priority: PRIORITY.job, requestId: null });
}

async function readModels(client: pg.PoolClient): Promise<Map<Step, string>> {
  const { rows } = await client.query<{ step: Step; model: string }>('select step, model from step_models');
  return new Map(rows.map(({ step, model }) => [step, model]));
}

/** Rows are written in the order in which {@link readCurrentModels} locks them, so that the two never deadlock. */
async function storeModels(client: pg.PoolClient, models: readonly { step: Step; model: string }[]): Promise<void> {
  if (models.length === 0) return;
  await client.query(
    `insert into step_models (step, model) select step, model from unnest($1::text[], $2::text[]) as m (step, model) order by step
     on conflict (step) do update set model = excluded.model`,
    [models.map(({ step }) => step), models.map(({ model }) => model)],
  );
}

/**
 * Opens one rerun for each project. It takes over items that the rerun of an earlier change has not reached yet, so
 * that no item is computed for an outdated model.
 */
async function openModelReruns(client: pg.PoolClient, changed: Partial<Record<Step, string>>): Promise<void> {
  await client.query(
    `with replaced as (
       update reruns set state = 'replaced', updated_at = now() where state = 'running' and reason = 'model'
       returning project_id, id, filter -> 'models' as models),
     closed as (
       delete from jobs j using replaced r where j.project_id = r.project_id and j.kind = 'rerun' and j.entity_id = r.id::text),
     earlier as (
       select project_id, jsonb_object_agg(m.key, s.model) as models
         from replaced r cross join jsonb_each_text(r.models) m join step_models s on s.step = m.key group by project_id),
     opened as (
       insert into reruns (project_id, reason, filter)
       select p.id, 'model', jsonb_build_object('models', coalesce(e.models, '{}') || $1::jsonb)
         from projects p left join earlier e on e.project_id = p.id
        where p.state <> 'archived' -- compareModelsAgain sees to those when they come back
          and exists (select from items i where i.project_id = p.id)
       returning project_id, id),
     jobs as (
       insert into jobs (project_id, kind, entity_id, priority) select project_id, 'rerun', id::text, $2 from opened
       returning project_id, entity_id),
     added as (${INSERT_INTO_OUTBOX} select 'rerun', project_id, entity_id, $2, null from jobs)
     select ${WAKE_RELAY}`,
    [changed, PRIORITY.job],
  );
}
