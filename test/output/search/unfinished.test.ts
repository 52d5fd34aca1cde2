/** Items in the middle of their analysis: what is known of them already counts in totals and facets. */
import { expect, it } from '@jest/globals';
import { replaceSummary } from '../../../db/analysis/results/summaries.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { completeStep, startStep } from '../../../db/analysis/steps.ts';
import { PROVENANCE, snapshot, summaryOf } from '../../support/items/items.ts';
import { idsOf, stageSearch } from './support/searchStage.ts';

const stage = stageSearch();

/** Begins the summary of an item without vectors. @returns a function that stores the summary with the given labels */
async function beginSummary(itemId: string) {
  const { pool } = stage.api;
  const ref = { projectId: stage.project.id, itemId };
  await planItem(pool, ref, {});
  const { steps } = await snapshot(pool, ref.projectId, itemId);
  const work = { ...ref, step: 'summary' as const, revision: steps.summary.revision };
  await startStep(pool, work);
  return (labels: { topics: string[]; tags: string[]; ageRating: '6+' }) =>
    completeStep(pool, work, { state: 'done', error: null }, (client) =>
      replaceSummary(client, work, {
        summary: { ...summaryOf('Машины'), ...labels },
        moderation: null,
        provenance: PROVENANCE,
      }),
    );
}

// proves: search/total, search/facets, output-shown/excluded_interests
it('a summary that is stored while the vectors are awaited counts at once', async () => {
  const user = { user_id: 'u-1' };
  await stage.call('PUT', '/items/cars', { type: 'text', title: 'Машины' });
  await stage.call('POST', '/users/profile', { user, excluded_interests: ['Автомобили'] });
  const store = await beginSummary('cars');
  await stage.indexed();
  const search = async (body: object = {}) => {
    const found = await stage.find('машины', { facets: ['tags'], ...body });
    expect([found.mode, found.total.value]).toEqual(['lexical', idsOf(found).length]);
    return [found.total.value, found.facets['tags']?.map(({ value }) => value)];
  };
  expect(await search({ user })).toEqual([1, []]);
  expect(await search({ max_age_rating: '12+' })).toEqual([0, []]);
  await store({ topics: ['Автомобили'], tags: ['седан'], ageRating: '6+' });
  expect((await snapshot(stage.api.pool, stage.project.id, 'cars')).status).toBe('processing');
  expect(await search({ user })).toEqual([0, []]);
  expect(await search({ max_age_rating: '12+' })).toEqual([1, ['седан']]);
  expect((await stage.find('седан')).total.value).toBe(1);
});
