import { describe, expect, it } from '@jest/globals';
import { QUEUES } from '../../domain/jobs/queues.ts';
import type { ModelKind } from '../../domain/training/models.ts';
import { plantProject } from '../output/support/plantedProject.ts';
import { publishedFile } from '../output/support/trainedModels.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { remove } from '../support/people/people.ts';
import { keepHistory } from '../support/workflows/replay.ts';
import { PLANTING, settle, stageTrainings } from './trainProject/trainingStage.ts';

const stage = stageTrainings();

describe('startTrainings', () => {
  const round = async (name: string, keep?: string) => {
    const handle = await stage.temporal.client.workflow.start('startTrainings', {
      workflowId: `startTrainings-${name}-${stage.projectId}-${Math.random()}`,
      taskQueue: QUEUES.workflow,
      args: [name],
    });
    await handle.result();
    if (keep !== undefined) await keepHistory(keep, handle);
    const { rows } = await stage.pool.query<{ id: string; kind: ModelKind }>(
      `select id, kind from output_models where project_id = $1 and state = 'training'`,
      [stage.projectId],
    );
    await relayOnce(stage.pool, stage.temporal.client);
    for (const { id } of rows) await stage.handleOf(id).result();
    return rows.map(({ kind }) => kind);
  };

  it('trains a project if there is something new, or something to forget', async () => {
    await stage.start();
    expect(await round('changes')).toEqual([]);
    await plantProject(stage.pool, stage.projectId, PLANTING);
    expect(await round('changes', 'start-trainings')).toEqual(['full']);
    expect(await round('changes')).toEqual([]);
    expect(await round('night')).toEqual([]);
    await remove(stage, 'user', 'u-3');
    await settle(stage, 'user-delete');
    expect(await round('changes')).toEqual(['changes']);
    expect(await round('changes')).toEqual([]);
    expect(await round('night')).toEqual(['full']);
    await stage.pool.query(`update items set deleted = true, updated_at = now() where project_id = $1 and id = 'i-1'`, [
      stage.projectId,
    ]);
    expect(await round('changes')).toEqual(['changes']);
    expect((await publishedFile(stage)).ids).not.toContain('i-1');
  });
});
