import { describe, expect, it } from '@jest/globals';
import { createTestUser, tokenOf } from '../api/support/people.ts';
import { clientOf } from '../api/support/testApi.ts';
import { eventually } from '../support/eventually.ts';
import { stageOutput } from './support/outputStage.ts';
import { stageSurfaces } from './support/surfaces.ts';

const stage = stageOutput();
const surfaces = stageSurfaces(stage);

const preview = (request: object, path = 'similar') =>
  surfaces.cabinet('POST', surfaces.of('/output/preview'), { path, request });
const addTrams = async () => {
  await stage.addItems(Array.from({ length: 6 }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}` })));
  await stage.followed();
};
async function snapshots(): Promise<string[]> {
  const { rows } = await stage.api.pool.query<{ id: string }>('select id from output_snapshots where project_id = $1', [
    stage.project.id,
  ]);
  return rows.map(({ id }) => id);
}

describe('a preview', () => {
  // proves: output-cabinet/preview
  it('returns what the person would get, with its explanation and without a trace', async () => {
    await addTrams();
    await surfaces.putSurface('feed', { defaults: { limit: 3 } });
    const user = { user_id: 'u-1' };
    await stage.call('POST', '/events', { events: [{ id: 'h-1', type: 'hide', item: 't-2', user, value: 1 }] });
    const request = { item: 't-0', surface: 'feed', user };
    const counted = await stage.api.registry.getSingleMetricAsString('attune_output_answers_total');
    const { status, body } = await preview(request);
    expect(status).toBe(200);
    expect(await stage.api.registry.getSingleMetricAsString('attune_output_answers_total')).toBe(counted);
    const real = (await stage.call('POST', '/recommendations/similar', { ...request, explain: true })).body;
    expect(body.items).toEqual(real.items);
    expect(body.items.map(({ id }: { id: string }) => id)).not.toContain('t-2');
    expect(body.items[0].explain).toMatchObject({ subject: 't-0' });
    expect([body.next_cursor, typeof real.next_cursor]).toEqual([null, 'string']);
    // This answer was given after the preview, whose snapshot would be stored by then.
    await eventually(
      async () => (await snapshots()).includes(real.recommendation_id),
      'the snapshot of the real answer',
    );
    expect(await snapshots()).toEqual([real.recommendation_id]);
  });

  it.each([
    // proves: output-cabinet/preview
    ['feed', {}],
    // proves: output-cabinet/preview
    ['next', { item: 't-0' }],
    ['together', { items: ['t-0'] }],
    ['popular', {}],
    // proves: output-cabinet/preview
    ['search', { query: 'трамвай' }],
  ])('returns items and no cursor for the path %s', async (path, request) => {
    await addTrams();
    const { status, body } = await preview(request, path);
    expect([status, body.items.length > 0, body.next_cursor]).toEqual([200, true, null]);
  });

  it('returns completions of a query', async () => {
    await addTrams();
    const { status, body } = await preview({ query: 'трамвай' }, 'search/suggest');
    expect([status, body.suggestions.length > 0, 'next_cursor' in body]).toEqual([200, true, false]);
  });

  it('returns what the person would get without personalization, with the exclusions', async () => {
    await addTrams();
    const user = { user_id: 'u-2' };
    await stage.send([{ who: 'u-2', item: 't-0' }]);
    await stage.call('POST', '/events', { events: [{ id: 'h-2', type: 'hide', item: 't-2', user, value: 1 }] });
    const ask = async (personalization?: boolean) =>
      (
        await surfaces.cabinet('POST', surfaces.of('/output/preview'), {
          path: 'feed',
          request: { user },
          personalization,
        })
      ).body;
    const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
    const [own, without] = [await ask(), await ask(false)];
    expect([own.mode, ids(own).includes('t-0')]).toEqual(['personal', false]);
    expect(without.mode).not.toBe('personal');
    expect([ids(without).includes('t-0'), ids(without).includes('t-2')]).toEqual([true, false]);
  });

  // proves: output-cabinet/preview
  it('is a read: viewers may request it, and it is not in the audit trail', async () => {
    await addTrams();
    const { pool } = stage.database;
    const user = await createTestUser(pool, 'viewer', { projects: [stage.project.id] });
    const viewer = clientOf(stage.api.cabinet, await tokenOf(pool, user));
    const body = { path: 'similar', request: { item: 't-0', user: { user_id: 'u-1' } } };
    expect((await viewer('POST', surfaces.of('/output/preview'), body)).status).toBe(200);
    const { rows } = await pool.query('select from audit_log where project_id = $1', [stage.project.id]);
    expect(rows).toEqual([]);
    expect((await viewer('POST', '/projects/zzzzzzzzzzzz/output/preview', body)).status).toBe(404);
  });

  // proves: output-cabinet/preview
  it.each<[string, object, string, string]>([
    // proves: output-request/limit
    ['similar', { item: 't-0', limit: 0 }, 'request.limit', 'invalid_value'],
    ['similar', {}, 'request.item', 'required'],
    ['similar', { item: 't-0', unknown: 1 }, 'request.unknown', 'unknown_field'],
    ['elsewhere', { item: 't-0' }, 'path', 'invalid_value'],
    // Faults that only stored data can show.
    ['feed', { filters: [{ property: 'no', op: 'eq', value: 1 }] }, 'request.filters[0].property', 'unknown_filter'],
    ['search', { query: 'x', facets: ['no'] }, 'request.facets[0]', 'unknown_filter'],
  ])('refuses %s %j', async (path, request, field, code) => {
    const { status, body } = await preview(request, path);
    expect([status, body.error.details]).toMatchObject([422, [{ field, code }]]);
  });

  it('refuses a cursor that no answer gave', async () => {
    const { status, body } = await preview({ cursor: 'no' }, 'feed');
    expect([status, body.error.details]).toMatchObject([400, [{ field: 'request.cursor', code: 'invalid_value' }]]);
  });

  it('is 404 for a subject that never existed', async () => {
    expect((await preview({ item: 'nothing' })).status).toBe(404);
  });
});
