import { describe, expect, it } from '@jest/globals';
import { clientOf } from '../api/support/testApi.ts';
import { createTestUser, tokenOf } from '../api/support/people.ts';
import { stageOutput } from './support/outputStage.ts';
import { at, experimentOf, stageSurfaces } from './support/surfaces.ts';

const stage = stageOutput();
const surfaces = stageSurfaces(stage);

const similar = (body: object) => stage.call('POST', '/recommendations/similar', { item: 't-0', ...body });
const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);
const addTrams = (count: number) =>
  stage.addItems(
    Array.from({ length: count }, (_, n) => ({
      id: `t-${n}`,
      title: `Трамвай номер ${n}`,
      properties: { level: n },
      ageRating: n % 2 === 0 ? ('6+' as const) : ('18+' as const),
    })),
  );
const inFifths = (count: number) => Array.from({ length: count }, (_, n) => [`v-${n}`, 0.2] as const);
const declareLevel = (filterable = true) =>
  surfaces.cabinet('PUT', surfaces.of('/properties/level'), { type: 'number', filterable });

describe('surfaces', () => {
  // proves: surfaces/endpoints, surfaces/surface
  it('are created, replaced as a whole, listed by name and removed', async () => {
    const { cabinet, of, putSurface } = surfaces;
    const feed = {
      defaults: { limit: 5, max_age_rating: '12+' },
      boosts: [],
      pins: [{ item: 't-1', position: 0 }],
      experiment: experimentOf([
        ['a', 0.5],
        ['b', 0.5, { limit: 7 }],
      ]),
    };
    const made = await putSurface('feed', feed);
    expect(made).toMatchObject({ status: 201, body: { name: 'feed', ...feed } });
    expect((await cabinet('GET', of('/surfaces/feed'))).body).toEqual(made.body);
    expect((await putSurface('cart', {})).status).toBe(201);
    const empty = { defaults: {}, boosts: [], pins: [], experiment: null };
    expect((await cabinet('GET', of('/surfaces'))).body).toMatchObject({
      items: [{ name: 'cart', ...empty }, { name: 'feed' }],
      next_cursor: null,
    });
    const replaced = await putSurface('feed', { defaults: { limit: 6 } });
    expect(replaced).toMatchObject({ status: 200, body: { ...empty, defaults: { limit: 6 } } });
    expect(Date.parse(replaced.body.updated_at)).toBeGreaterThan(Date.parse(made.body.updated_at));
    expect((await cabinet('GET', of('/surfaces/feed'))).body).toEqual(replaced.body);
    expect((await cabinet('DELETE', of('/surfaces/feed'))).body).toEqual({ name: 'feed', deleted: true });
    for (const method of ['GET', 'DELETE']) expect((await cabinet(method, of('/surfaces/feed'))).status).toBe(404);
    expect((await cabinet('PUT', '/projects/zzzzzzzzzzzz/surfaces/feed', {})).status).toBe(404);
    expect((await cabinet('GET', '/projects/zzzzzzzzzzzz/surfaces')).status).toBe(404);
  });

  // proves: surfaces/endpoints
  it('are read by viewers, and changed by owners, as the audit trail records', async () => {
    const { pool } = stage.database;
    const clientFor = async (role: 'owner' | 'viewer') =>
      clientOf(
        stage.api.cabinet,
        await tokenOf(pool, await createTestUser(pool, role, { projects: [stage.project.id] })),
      );
    const [owner, viewer] = [await clientFor('owner'), await clientFor('viewer')];
    const path = surfaces.of('/surfaces/feed');
    expect((await viewer('PUT', path, {})).status).toBe(403);
    expect((await owner('PUT', path, { defaults: { limit: 3 } })).status).toBe(201);
    expect((await viewer('GET', path)).status).toBe(200);
    expect((await viewer('DELETE', path)).status).toBe(403);
    const trail = (await owner('GET', '/audit')).body.items;
    expect(trail.filter(({ status }: { status: number }) => status === 201)).toMatchObject([
      { operation: 'putSurface', params: { id: stage.project.id, surface: 'feed' }, fields: ['defaults'] },
    ]);
  });

  // proves: surfaces/endpoints
  it.each<[object, string, string]>([
    // proves: output-request/limit
    [{ defaults: { limit: 101 } }, 'defaults.limit', 'invalid_value'],
    [{ defaults: { user: { user_id: 'u' } } }, 'defaults.user', 'unknown_field'],
    [{ defaults: { surface: 'feed' } }, 'defaults.surface', 'unknown_field'],
    [{ defaults: { cursor: null } }, 'defaults.cursor', 'unknown_field'],
    [{ defaults: { boosts: [] } }, 'defaults.boosts', 'unknown_field'],
    [
      { defaults: { filters: [{ property: 'level', op: 'eq', value: 1 }] } },
      'defaults.filters[0].property',
      'unknown_filter',
    ],
    [
      { boosts: [{ filter: { property: 'level', op: 'eq', value: 1 }, factor: 2 }] },
      'boosts[0].filter.property',
      'unknown_filter',
    ],
    [
      { boosts: [{ filter: { property: 'level', op: 'eq', value: 1 }, factor: 11 }] },
      'boosts[0].factor',
      'invalid_value',
    ],
    [{ pins: [{ item: 'a', position: -1 }] }, 'pins[0].position', 'invalid_value'],
    // proves: surfaces/experiment
    [{ experiment: experimentOf([['a', 1]]) }, 'experiment.variants', 'invalid_value'],
    // proves: surfaces/most-variants
    [{ experiment: experimentOf(inFifths(5)) }, 'experiment.variants', 'too_long'],
    // proves: surfaces/experiment
    [
      {
        experiment: experimentOf([
          ['a', 0.5],
          ['b', 0.4],
        ]),
      },
      'experiment.variants',
      'invalid_value',
    ],
    [
      {
        experiment: experimentOf([
          ['a', 0.5],
          ['a', 0.5],
        ]),
      },
      'experiment.variants[1].name',
      'invalid_value',
    ],
    [
      {
        experiment: experimentOf([
          ['a', 1.5],
          ['b', -0.5],
        ]),
      },
      'experiment.variants[0].share',
      'invalid_value',
    ],
    [
      {
        experiment: experimentOf(
          [
            ['a', 0.5],
            ['b', 0.5],
          ],
          { id: 'E-1' },
        ),
      },
      'experiment.id',
      'invalid_value',
    ],
    [
      {
        experiment: experimentOf(
          [
            ['a', 0.5],
            ['b', 0.5],
          ],
          { until: at(-2) },
        ),
      },
      'experiment.until',
      'invalid_value',
    ],
    [
      {
        experiment: experimentOf(
          [
            ['a', 0.5],
            ['b', 0.5],
          ],
          { from: '2026-11-20' },
        ),
      },
      'experiment.from',
      'invalid_datetime',
    ],
    [
      {
        experiment: experimentOf([
          ['a', 0.5],
          ['b', 0.5, { limit: 0 }],
        ]),
      },
      'experiment.variants[1].settings.limit',
      'invalid_value',
    ],
    [
      {
        experiment: experimentOf([
          ['a', 0.5],
          ['b', 0.5, { filters: [{ property: 'level', op: 'eq', value: 1 }] }],
        ]),
      },
      'experiment.variants[1].settings.filters[0].property',
      'unknown_filter',
    ],
    [
      {
        experiment: experimentOf([
          ['a', 0.5],
          ['b', 0.5, { model: 'nothing' }],
        ]),
      },
      'experiment.variants[1].settings.model',
      'invalid_value',
    ],
  ])('refuse %j', async (body, field, code) => {
    const answer = await surfaces.putSurface('feed', body);
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { details: expect.arrayContaining([expect.objectContaining({ field, code })]) } },
    });
    expect((await surfaces.cabinet('GET', surfaces.of('/surfaces'))).body.items).toEqual([]);
  });

  // proves: surfaces/most-variants
  it('accept four variants', async () => {
    const experiment = experimentOf([['rest', 0.4], ...inFifths(3)]);
    expect((await surfaces.putSurface('feed', { experiment })).body.experiment.variants).toHaveLength(4);
  });

  // proves: surfaces/experiment
  it('accept three shares of 0.333 as everybody', async () => {
    const experiment = experimentOf([
      ['a', 0.333],
      ['b', 0.333],
      ['c', 0.333],
    ]);
    expect((await surfaces.putSurface('feed', { experiment })).status).toBe(201);
  });
});

describe('a request on a surface', () => {
  // proves: output-request/surface, surfaces/own-fields
  it('uses the settings of the surface as its defaults', async () => {
    await addTrams(12);
    await stage.followed();
    await surfaces.putSurface('feed', {
      defaults: { limit: 3, max_age_rating: '12+', fields: ['title'], explain: true },
    });
    const plain = await similar({ surface: 'feed' });
    expect(plain.body.items).toHaveLength(3);
    expect(idsOf(plain.body).every((id) => Number(id.slice(2)) % 2 === 0)).toBe(true);
    expect(plain.body.items[0]).toMatchObject({ fields: { title: expect.any(String) }, explain: { subject: 't-0' } });
    const own = await similar({ surface: 'feed', limit: 4, max_age_rating: null, fields: [] });
    expect(own.body.items).toHaveLength(4);
    expect(idsOf((await similar({ surface: 'feed', limit: 20, max_age_rating: null })).body)).toHaveLength(11);
    for (const surface of ['other', '', null]) expect((await similar({ surface })).body.items).toHaveLength(11);
    expect((await similar({})).body.items).toHaveLength(11);
  });

  // proves: surfaces/own-fields
  it.each([['types', ['video']] as const, ['authors', ['a-1']] as const])(
    'drops the restriction of its surface to some %s if its own field is null',
    async (field, value) => {
      await addTrams(4);
      await stage.followed();
      await surfaces.putSurface('feed', { defaults: { [field]: value } });
      expect((await similar({ surface: 'feed' })).body.items).toEqual([]);
      expect((await similar({ surface: 'feed', [field]: null })).body.items).toHaveLength(3);
      const search = await stage.call('POST', '/search', { query: '', surface: 'feed', [field]: null });
      expect(search.body.total).toEqual({ value: 4, relation: 'eq' });
    },
  );

  it('follows a change of its surface at once, and so does its next page, under the same id', async () => {
    await addTrams(30);
    await stage.followed();
    const request = { surface: 'feed', user: { user_id: 'u-1' } };
    await surfaces.putSurface('feed', { defaults: { limit: 4 } });
    const first = (await similar(request)).body;
    expect(first.items).toHaveLength(4);
    await surfaces.putSurface('feed', { defaults: { limit: 6, max_age_rating: '12+' } });
    const second = (await similar({ ...request, cursor: first.next_cursor })).body;
    expect(second.recommendation_id).toBe(first.recommendation_id);
    expect(second.items.map(({ position }: { position: number }) => position)).toEqual([4, 5, 6, 7, 8, 9]);
    expect(idsOf(second).every((id) => Number(id.slice(2)) % 2 === 0)).toBe(true);
    expect(idsOf(second).filter((id) => idsOf(first).includes(id))).toEqual([]);
    await surfaces.cabinet('DELETE', surfaces.of('/surfaces/feed'));
    const third = (await similar({ ...request, cursor: second.next_cursor })).body;
    expect(third.items).toHaveLength(19);
    expect((await similar({ ...request, limit: 4, cursor: first.next_cursor })).status).toBe(400);
  });

  // proves: surfaces/surface, surfaces/own-fields
  it('uses the boosts and pins of the surface, unless it has its own', async () => {
    await declareLevel();
    await addTrams(6);
    await stage.followed();
    const filter = { property: 'level', op: 'eq', value: 5 };
    await surfaces.putSurface('feed', {
      defaults: { diversity: 0 },
      boosts: [{ filter, factor: 10 }],
      pins: [{ item: 't-4', position: 1 }],
    });
    const { items } = (await similar({ surface: 'feed' })).body;
    expect(items.slice(0, 2)).toMatchObject([{ id: 't-5' }, { id: 't-4', reason: { code: 'pinned' } }]);
    const own = (await similar({ surface: 'feed', pins: [], boosts: [{ filter, factor: 0.1 }] })).body;
    expect(idsOf(own).at(-1)).toBe('t-5');
    expect(own.items.map(({ reason }: { reason: { code: string } }) => reason.code)).not.toContain('pinned');
  });

  // proves: output-request/max_per_author
  it('ignores settings that its path does not use: a limit by author does not apply to similar items', async () => {
    const trams = Array.from({ length: 5 }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}`, author: 'one' }));
    await stage.addItems(trams);
    await stage.followed();
    await surfaces.putSurface('feed', { defaults: { max_per_author: 1 } });
    expect((await similar({ surface: 'feed' })).body.items).toHaveLength(4);
    const popular = await stage.call('POST', '/recommendations/popular', { surface: 'feed' });
    expect(popular.body.items).toHaveLength(1);
  });

  it('is refused if a filter of the surface no longer fits the project, unless its own filters replace it', async () => {
    await declareLevel();
    await addTrams(6);
    await stage.followed();
    const filters = [{ property: 'level', op: 'gte', value: 3 }];
    await surfaces.putSurface('feed', { defaults: { filters } });
    expect(idsOf((await similar({ surface: 'feed' })).body).toSorted()).toEqual(['t-3', 't-4', 't-5']);
    await declareLevel(false);
    const { status, body } = await similar({ surface: 'feed' });
    expect([status, body.error.details]).toMatchObject([422, [{ field: 'surface', code: 'unknown_filter' }]]);
    expect((await similar({ surface: 'feed', filters })).body.error.details).toMatchObject([
      { field: 'filters[0].property', code: 'unknown_filter' },
    ]);
    expect((await similar({ surface: 'feed', filters: [] })).status).toBe(200);
  });
});
