/** The sample of the people of each experiment (migrations/0112_experiment_people.sql); snapshots.ts adds to it. */
import { lotOf } from '../../domain/experiments/samplePeople.ts';
import { identifierKey, type Identifier } from '../../domain/people/identity.ts';
import type { Queryable } from '../pool.ts';

/** The order in which snapshots.ts writes them, so that nobody waits in a circle. */
const LOCK_ORDER = 'p.project_id, p.experiment, p.since, p.slot';

/** Removes deleted people from the samples. Their slots are empty until somebody else comes, which changes no ratio. */
export async function forgetSampled(
  client: Queryable,
  projectId: string,
  identifiers: readonly Identifier[],
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id from output_experiments e where project_id = $1
        and exists (select from experiment_people p where p.project_id = $1 and p.experiment = e.id)`,
    [projectId],
  );
  const keys = [...new Set(identifiers.map(identifierKey))];
  const lots = rows.flatMap(({ id }) => keys.map((key) => ({ id, ...lotOf(id, key) })));
  if (lots.length === 0) return;
  await client.query({
    name: 'experiment-people-forget',
    text: `with named as materialized (
             select p.ctid as place from unnest($2::text[], $3::smallint[], $4::bigint[]) as n (experiment, slot, mark)
               join experiment_people p on p.project_id = $1 and p.experiment = n.experiment and p.slot = n.slot and p.mark = n.mark
              order by ${LOCK_ORDER} for update of p)
           delete from experiment_people where ctid = any(array(select place from named))`,
    values: [projectId, lots.map(({ id }) => id), lots.map(({ slot }) => slot), lots.map(({ mark }) => mark)],
  });
}

/** Removes the samples from before the last change of an experiment. */
export async function removeEarlierSamples(client: Queryable, projectId: string, experiment: string): Promise<void> {
  await client.query(
    `with earlier as materialized (
       select p.ctid as place from experiment_people p join output_experiments e on e.project_id = $1 and e.id = $2
        where p.project_id = $1 and p.experiment = $2 and p.since <> e.changed_at
        order by ${LOCK_ORDER} for update of p)
     delete from experiment_people where ctid = any(array(select place from earlier))`,
    [projectId, experiment],
  );
}

/** Removes the samples of experiments that are gone. */
export async function removeLeftSamples(pool: Queryable): Promise<void> {
  await pool.query(
    `delete from experiment_people p where not exists (
       select from output_experiments e where e.project_id = p.project_id and e.id = p.experiment)`,
  );
}
