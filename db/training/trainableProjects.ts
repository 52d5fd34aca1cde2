/** The projects to train, and the state of their trainings. */
import type pg from 'pg';
import type { TrainingRound, TrainingState } from '../../domain/training/dueTraining.ts';
import type { Queryable } from '../pool.ts';
import { countEventRows, inSnapshot, type ReadPace } from './trainingEvents.ts';
import { IS_USED, selectPublished } from './currentModels.ts';

/** Returns active projects that have events, or had some when they were trained; by id, after the given one. */
export async function listTrainableProjects(pool: Queryable, after: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'training-projects',
    text: `select p.id from projects p
            where p.id > $1 and p.state = 'active'
              and (exists (select from events e where e.project_id = p.id)
                or exists (select from event_states s where s.project_id = p.id)
                or exists (select from output_models m where m.project_id = p.id and ${IS_USED}))
            order by p.id limit $2`,
    values: [after, limit],
  });
  return rows.map(({ id }) => id);
}

type StateRow = Omit<TrainingState, 'rows' | 'lastFull' | 'published'> & {
  lastFullRows: number | null;
  publishedRows: number | null;
};

/** @param pace the pace at which the project's events are counted */
export async function readTrainingState(pool: pg.Pool, projectId: string, pace: ReadPace): Promise<TrainingState> {
  const { rows } = await pool.query<StateRow>({
    name: 'training-state',
    text: `
      with published as (${selectPublished('rows_read, read_at')}),
      used as (select from output_models m where m.project_id = $1 and ${IS_USED} limit 1)
      select exists (select from output_models where project_id = $1 and state = 'training') as "isTraining",
             (select rows_read::float8 from output_models
               where project_id = $1 and kind = 'full' and state in ('published', 'rejected') order by id desc limit 1) as "lastFullRows",
             (select rows_read::float8 from published) as "publishedRows",
             (exists (select from used) and exists (select from output_forgotten where project_id = $1))
             or exists (select from items i where i.project_id = $1 and i.updated_at > (select read_at from published) and i.deleted)
             as "hasRemovedData",
             (exists (select from used) and exists (select from output_forgotten where project_id = $1 and deleted))
             as "hasDeletedPerson"`,
    values: [projectId],
  });
  const [stored] = rows;
  const { lastFullRows = null, publishedRows = null } = stored ?? {};
  return {
    rows: await inSnapshot(pool, (client) => countEventRows(client, projectId, pace)),
    isTraining: stored?.isTraining ?? false,
    hasRemovedData: stored?.hasRemovedData ?? false,
    hasDeletedPerson: stored?.hasDeletedPerson ?? false,
    lastFull: lastFullRows === null ? null : { rows: lastFullRows },
    published: publishedRows === null ? null : { rows: publishedRows },
  };
}

/** Records that all projects were checked. */
export async function endRound(pool: Queryable, round: TrainingRound): Promise<void> {
  await pool.query('update output_training_rounds set ended_at = clock_timestamp() where round = $1', [round]);
}
