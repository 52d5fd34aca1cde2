import { describe, expect, it } from '@jest/globals';
import { planItem } from '../../../db/analysis/plan.ts';
import { startStep } from '../../../db/analysis/steps.ts';
import type { MediaStep } from '../../../domain/analysis/steps.ts';
import { Analyst } from '../../support/items/items.ts';
import { declare, idsOf, stageSearch, TRAMS } from './support/searchStage.ts';

const stage = stageSearch();

describe('in the very next search after a write', () => {
  // proves: output-shown/queued, output-shown/eligible-at-once
  it('items that are deleted, withdrawn or changed until they no longer match are neither shown nor counted', async () => {
    await declare(stage, 'level', 'string');
    await stage.addItems(TRAMS.map((item) => ({ ...item, properties: { level: 'easy' } })));
    await stage.indexed();
    const search = () =>
      stage.find('трамвай', { filters: [{ property: 'level', op: 'eq', value: 'easy' }], facets: ['level'] });
    const countOf = async () => {
      const found = await search();
      expect(found.mode).toBe('lexical');
      expect(found.facets['level']?.[0]?.count ?? 0).toBe(found.total.value);
      expect(idsOf(found).length).toBe(found.total.value);
      return found.total.value;
    };
    expect(await countOf()).toBe(3);
    await stage.call('DELETE', '/items/tram-1');
    expect(await countOf()).toBe(2);
    await stage.call('PATCH', '/items/tram-2', { available: false });
    expect(await countOf()).toBe(1);
    await stage.call('PATCH', '/items/tram-3', { properties: { level: 'hard' } });
    expect(await countOf()).toBe(0);
    await stage.call('PATCH', '/items/tram-2', { available: true });
    expect(await countOf()).toBe(1);
    await stage.call('PUT', '/items/tram-4', { type: 'text', title: 'Новый трамвай', properties: { level: 'easy' } });
    expect(await countOf()).toBe(2);
    await stage.call('PATCH', '/items/tram-4', { title: 'Троллейбус' });
    expect(await countOf()).toBe(1);
    expect((await stage.find('троллейбус')).total.value).toBe(1);
  });

  // proves: search/total, search/minus-words
  it('speech is found although the pictures are still being described', async () => {
    const { pool } = stage.api;
    const ref = { projectId: stage.project.id, itemId: 'film' };
    const media = [{ kind: 'video', url: 'https://media.test/a.mp4' }];
    await stage.call('PUT', '/items/film', { type: 'video', title: 'Фильм', media });
    await stage.indexed();
    const analyst = new Analyst(pool, ref.projectId);
    const running: { vision?: number } = {};
    const planned = async (step: MediaStep) => {
      const plan = await planItem(pool, ref, running);
      const revision = plan?.steps[step].revision ?? 0;
      return (plan?.todo[step] ?? []).map((mediumId) => ({ ...ref, step, revision, mediumId }));
    };
    for (const work of await planned('prepare')) await analyst.doMedium(work);
    for (const work of await planned('vision')) {
      await startStep(pool, work);
      running.vision = work.revision;
    }
    const speech = await planned('speech');
    expect((await stage.find('фильм')).total.value).toBe(1);
    for (const work of speech) await analyst.doMedium(work);
    expect((await planItem(pool, ref, running))?.steps).toMatchObject({
      speech: { state: 'done' },
      vision: { state: 'running' },
    });
    expect((await stage.find('речь')).total.value).toBe(1);
    expect((await stage.find('фильм -речь')).total.value).toBe(0);
  });

  // proves: output-shown/eligible-at-once
  it('deleted items are not found even while another transaction keeps the list of changes open', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const other = await stage.api.pool.connect();
    try {
      await other.query('begin');
      await other.query(`update items set updated_at = now() where project_id = $1 and id = 'soup-1'`, [
        stage.project.id,
      ]);
      await stage.call('DELETE', '/items/tram-1');
      expect((await stage.find('трамвай')).total.value).toBe(2);
      await stage.call('DELETE', '/items/tram-2');
      expect((await stage.find('трамвай')).total.value).toBe(1);
    } finally {
      await other.query('rollback');
      other.release();
    }
    expect((await stage.find('борщ')).total.value).toBe(1);
  });

  // proves: search/total, search/include_seen
  it('items that a person hides or does not want, and on request those already seen, are neither shown nor counted', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const user = { user_id: 'u-1' };
    const totalOf = async (body: object = {}) => {
      const found = await stage.find('трамвай', { user, ...body });
      expect(idsOf(found).length).toBe(found.total.value);
      return found.total.value;
    };
    const event = (id: string, type: string, item: string) =>
      stage.call('POST', '/events', {
        events: [{ id, type, item, user, value: 1, occurred_at: new Date().toISOString() }],
      });
    expect(await totalOf()).toBe(3);
    await event('e-1', 'open', 'tram-3');
    expect([await totalOf(), await totalOf({ include_seen: false })]).toEqual([3, 2]);
    await event('e-2', 'hide', 'tram-2');
    expect([await totalOf(), await totalOf({ include_seen: false })]).toEqual([2, 1]);
    await stage.call('POST', '/users/profile', { user, hidden_authors: ['a-1'] });
    expect(await totalOf()).toBe(0);
    await stage.call('POST', '/users/delete', { user });
    expect(await totalOf({ include_seen: false })).toBe(3);
  });
});
