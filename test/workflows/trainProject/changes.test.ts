import { describe, expect, it } from '@jest/globals';
import { writeProfiles } from '../../../db/people/profiles.ts';
import { companionsOf } from '../../../output/training/companions.ts';
import { largestDifference, weightsByName } from '../../output/support/modelWeights.ts';
import { plantProject } from '../../output/support/plantedProject.ts';
import { publishedFile, trainedAnew } from '../../output/support/trainedModels.ts';
import { link, remove } from '../../support/people/people.ts';
import { keepHistory } from '../../support/workflows/replay.ts';
import { PLANTING, settle, stageTrainings, storedCompanions } from './trainingStage.ts';

const stage = stageTrainings();

const forgotten = async (): Promise<number> => {
  const { rows } = await stage.pool.query<{ n: number }>(
    'select count(*)::int as n from output_forgotten where project_id = $1',
    [stage.projectId],
  );
  return rows[0]?.n ?? NaN;
};

describe('a pass over changes', () => {
  it('leaves weights as if a deleted person had never been there', async () => {
    await plantProject(stage.pool, stage.projectId, PLANTING);
    await stage.start();
    await stage.train();
    const before = weightsByName(await publishedFile(stage), 'taste');
    expect(await remove(stage, 'user', 'u-17')).toBe(true);
    await settle(stage, 'user-delete');
    expect(await forgotten()).toBeGreaterThan(5);
    const model = await stage.train('changes');
    expect(model).toMatchObject({ state: 'published', kind: 'changes', people: 239 });
    const [after, anew] = [await publishedFile(stage), await trainedAnew(stage)];
    for (const part of ['taste', 'transition'] as const)
      expect(largestDifference(weightsByName(after, part), weightsByName(anew, part))).toBeLessThan(1e-6);
    expect(await storedCompanions(stage)).toEqual(
      new Map(companionsOf(after).map((row) => [row.item, row.companions])),
    );
    // The check is effective: the difference is measurable.
    expect(largestChange(before, weightsByName(after, 'taste'))).toBeGreaterThan(1e-4);
    expect(await forgotten()).toBe(0);
    await keepHistory('train-project-changes', stage.handleOf(model.id));
  });

  it("leaves weights as if a linked device had been its user's from the beginning", async () => {
    await plantProject(stage.pool, stage.projectId, PLANTING);
    await stage.pool.query(`update identities set kind = 'anonymous' where project_id = $1 and external_id = 'u-30'`, [
      stage.projectId,
    ]);
    await stage.start();
    await stage.train();
    expect(await link(stage, 'u-31', 'u-30')).toMatchObject({ merged: true });
    await settle(stage, 'user-link');
    await stage.train('changes');
    const [after, anew] = [await publishedFile(stage), await trainedAnew(stage)];
    for (const part of ['taste', 'transition'] as const)
      expect(largestDifference(weightsByName(after, part), weightsByName(anew, part))).toBeLessThan(1e-6);
    expect(await forgotten()).toBe(0);
  });

  it('leaves weights as if somebody who turned personalization off had never been there', async () => {
    await plantProject(stage.pool, stage.projectId, PLANTING);
    await stage.start();
    await stage.train();
    const identifier = { kind: 'user', externalId: 'u-17' } as const;
    const setTo = (personalization: boolean) =>
      writeProfiles(
        stage.pool,
        stage.projectId,
        [{ identifier, seenOn: null, change: { personalization } }],
        new Date(),
      );
    await setTo(true);
    expect(await forgotten()).toBe(0);
    await setTo(false);
    expect(await forgotten()).toBeGreaterThan(5);
    expect(await stage.train('changes')).toMatchObject({ state: 'published', people: 239 });
    const [after, anew] = [await publishedFile(stage), await trainedAnew(stage)];
    for (const part of ['taste', 'transition'] as const)
      expect(largestDifference(weightsByName(after, part), weightsByName(anew, part))).toBeLessThan(1e-6);
    expect(await forgotten()).toBe(0);
  });

  it('leaves deletions made during it to the next one', async () => {
    await plantProject(stage.pool, stage.projectId, PLANTING);
    await stage.start((activities) => ({
      ...activities,
      publish: async (...args) => {
        await remove(stage, 'user', 'u-9');
        await settle(stage, 'user-delete');
        return activities.publish(...args);
      },
    }));
    await stage.train();
    expect(await forgotten()).toBeGreaterThan(0);
    await stage.stop();
    await stage.start();
    await stage.train('changes');
    expect(await forgotten()).toBe(0);
    const [after, anew] = [await publishedFile(stage), await trainedAnew(stage)];
    expect(largestDifference(weightsByName(after, 'taste'), weightsByName(anew, 'taste'))).toBeLessThan(1e-6);
  });

  it('is rejected if there is no model to update', async () => {
    await plantProject(stage.pool, stage.projectId, { ...PLANTING, people: 5 });
    await stage.start();
    expect(await stage.train('changes')).toMatchObject({ state: 'rejected', reason: 'too_little_data' });
  });
});

function largestChange(a: Map<string, number>, b: Map<string, number>): number {
  return Math.max(...[...a].map(([key, weight]) => Math.abs(weight - (b.get(key) ?? 0))));
}
