/** Checks trainings: every accepted one has ended, none has failed, and at least one was published. */
import type { ModelState } from '../../../domain/training/models.ts';
import type { CheckContext } from './context.ts';

export async function checkTrainings({ pool, trainingProject, expected, findings }: CheckContext): Promise<void> {
  const { rows } = await pool.query<{ id: string; state: ModelState; reason: string | null }>(
    'select id, state, reason from output_models where project_id = $1',
    [trainingProject.id],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  findings.countCompared('trainings', expected.trainings.size);
  for (const id of expected.trainings) {
    const model = stored.get(id);
    if (!model) findings.add('lost', `training ${id} is not there`);
    else if (model.state === 'training') findings.add('unfinished', `training ${id} has not ended`);
    else if (model.state === 'failed') findings.add('lost', `training ${id} failed: ${model.reason}`);
  }
  if (expected.trainings.size > 0 && !rows.some(({ state }) => state === 'published'))
    findings.add('lost', 'no training was published');
}
