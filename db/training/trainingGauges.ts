/** The state of all projects' trainings, for gauges. */
import type { Queryable } from '../pool.ts';
import { IS_DUE_BY_DAY } from './currentModels.ts';

export interface TrainingsState {
  failedProjects: number;
  /** All fields are 0 when there is no training of the kind. */
  oldestSeconds: number;
  nightSeconds: number;
  /** Age of the oldest record that does not wait for the night. */
  forgottenSeconds: number;
}

const AGE = (moment: string): string => `coalesce(extract(epoch from clock_timestamp() - ${moment}), 0)::float8`;

/** A training in progress does not count as the last one yet. */
export async function readTrainings(pool: Queryable): Promise<TrainingsState> {
  const { rows } = await pool.query<TrainingsState>({
    name: 'training-gauges',
    text: `
      select (select count(*)::int from (
                select distinct on (project_id) state from output_models where state <> 'training' order by project_id, id desc) last
               where state = 'failed') as "failedProjects",
             (select ${AGE('min(started_at)')} from output_models where state = 'training') as "oldestSeconds",
             (select ${AGE('min(ended_at)')} from output_training_rounds where round = 'night') as "nightSeconds",
             (select ${AGE('min(noted_at)')} from output_forgotten f
               where exists (select from output_models m where m.project_id = f.project_id and ${IS_DUE_BY_DAY})) as "forgottenSeconds"`,
  });
  const [state] = rows;
  if (!state) throw new Error('the query of the trainings returned no row');
  return state;
}
