/**
 * The sample of the people of each experiment (migrations/0112_experiment_people.sql, 0113_forgotten_lots.sql);
 * db/output/snapshots.ts adds to it.
 */
import { lotOf } from '../../domain/experiments/samplePeople.ts';
import { PAUSE_BETWEEN_PASSES } from '../../domain/people/historyPasses.ts';
import { identifierKey, type Identifier } from '../../domain/people/identity.ts';
import type { Queryable } from '../pool.ts';

/** The order in which db/output/snapshots.ts writes the rows too, so that transactions never deadlock. */
const LOCK_ORDER = 'p.project_id, p.experiment, p.since, p.slot';

/**
 * Deletes deleted people from the samples. Their slots are empty until somebody else comes, which changes no ratio. An
 * answer of theirs may still be on its way to the database, so {@link deleteLateSampledPeople} looks again.
 */
export async function deleteSampledPeople(
  client: Queryable,
  projectId: string,
  identifiers: readonly Identifier[],
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id from output_experiments e where project_id = $1
        and (coalesce(detached_at, now()) > now() - interval '${PAUSE_BETWEEN_PASSES}'
             or exists (select from experiment_people p where p.project_id = $1 and p.experiment = e.id))`,
    [projectId],
  );
  const keys = [...new Set(identifiers.map(identifierKey))];
  const lots = rows.flatMap(({ id }) => keys.map((key) => ({ id, ...lotOf(id, key) })));
  if (lots.length === 0) return;
  await client.query({
    name: 'experiment-people-forget',
    text: `with drawn as materialized (
             select $1::text as project_id, n.* from unnest($2::text[], $3::smallint[], $4::bigint[]) as n (experiment, slot, mark)
           ), recorded as (
             insert into forgotten_lots (project_id, experiment, slot, mark) select project_id, experiment, slot, mark from drawn
           ), ${removalOf('drawn')} select`,
    values: [projectId, lots.map(({ id }) => id), lots.map(({ slot }) => slot), lots.map(({ mark }) => mark)],
  });
}

/**
 * Deletes deleted people whose answers were stored after {@link deleteSampledPeople}. Somebody who has come back since is
 * sampled again with the next answer.
 * @returns how many lots were looked for, at most `limit`
 */
export async function deleteLateSampledPeople(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `with due as (
       delete from forgotten_lots where ctid = any(array(
         select ctid from forgotten_lots where forgotten_at < now() - interval '${PAUSE_BETWEEN_PASSES}' limit $1))
       returning project_id, experiment, slot, mark
     ), ${removalOf('due')} select from due`,
    [limit],
  );
  return rowCount ?? 0;
}

/** Returns the common table expressions that remove from the samples the lots in the expression named `lots`. */
const removalOf = (lots: string): string => `named as materialized (
  select p.ctid as tid from ${lots} n
    join experiment_people p on p.project_id = n.project_id and p.experiment = n.experiment and p.slot = n.slot and p.mark = n.mark
   order by ${LOCK_ORDER} for update of p
), removed as (delete from experiment_people where ctid = any(array(select tid from named)))`;

/** Deletes the samples from before the last change of an experiment. */
export async function deleteEarlierSamples(client: Queryable, projectId: string, experiment: string): Promise<void> {
  await client.query(
    `with earlier as materialized (
       select p.ctid as tid from experiment_people p join output_experiments e on e.project_id = $1 and e.id = $2
        where p.project_id = $1 and p.experiment = $2 and p.since <> e.changed_at
        order by ${LOCK_ORDER} for update of p)
     delete from experiment_people where ctid = any(array(select tid from earlier))`,
    [projectId, experiment],
  );
}

/**
 * Deletes all samples. After a restore they may contain visitors who were deleted after the backup. The ledger does not
 * name those who were unknown when they were deleted.
 */
export async function deleteAllSamples(pool: Queryable): Promise<void> {
  await pool.query('delete from experiment_people');
}

/** Deletes the samples of experiments that are gone. */
export async function deleteOrphanedSamples(pool: Queryable): Promise<void> {
  await pool.query(
    `delete from experiment_people p where not exists (
       select from output_experiments e where e.project_id = p.project_id and e.id = p.experiment)`,
  );
}
