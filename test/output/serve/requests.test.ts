/**
 * Behaviour that the paths of output share: the limits on requests and their fields, the defaults, and the answers
 * while selection or PostgreSQL is unavailable.
 */
import { describe, expect, it } from '@jest/globals';
import { updateProject } from '../../../db/accounts/projects.ts';
import { clientOf, startTestApi, type Answer, type Client } from '../../api/support/testApi.ts';
import { eventually, HANG_MS } from '../../support/eventually.ts';
import { startTcpProxy } from '../../support/servers/tcpProxy.ts';
import { stageOutput } from '../support/outputStage.ts';
import { stageSurfaces } from '../support/surfaces.ts';

const stage = stageOutput();
const surfaces = stageSurfaces(stage);

/** A valid request for each path that returns items. */
const LISTS: Readonly<Record<string, object>> = {
  '/recommendations/feed': {},
  '/recommendations/similar': { item: 't-0' },
  '/recommendations/next': { item: 't-0' },
  '/recommendations/together': { items: ['t-0'] },
  '/recommendations/popular': {},
  '/search': { query: 'трамвай' },
};
const PATHS: typeof LISTS = { ...LISTS, '/search/suggest': { query: 'трамвай' } };

const addTrams = async (count: number) => {
  await stage.addItems(Array.from({ length: count }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}` })));
  await stage.followed();
};
const some = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));
/** Sends all requests at once. */
const askAll = (call: Client, requests = PATHS): Promise<Answer[]> =>
  Promise.all(Object.entries(requests).map(([path, body]) => call('POST', path, body)));
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);
/** Counts the APIs that listen for changes of access. */
async function countListeners(): Promise<number> {
  const { rows } = await stage.database.pool.query(
    `select from pg_stat_activity
      where datname = current_database() and application_name = 'attune-listen-access' and query like 'listen%' and state = 'idle'`,
  );
  return rows.length;
}
const ALL_RIGHT = some(Object.keys(PATHS).length, () => 200);

describe('a request to any path of output', () => {
  // proves: output-limits/64-kb
  it('may have a body of at most 64 KB', async () => {
    await addTrams(1);
    for (const [path, body] of Object.entries(PATHS)) {
      const bytes = Buffer.alloc(64 * 1024 + 1, ' ');
      bytes.write(JSON.stringify(body));
      expect((await stage.call('POST', path, bytes.subarray(0, -1))).status).toBe(200);
      const refused = await stage.call('POST', path, bytes);
      expect([path, refused.status, refused.body.error.code]).toEqual([path, 413, 'payload_too_large']);
    }
  });

  // proves: output-limits/100-a-second
  it("uses up the key's rate for output, whatever the path, but not its rate for other requests", async () => {
    // Runs before the key is used, because its limits are cached with it.
    await updateProject(stage.database.pool, stage.project.id, { limits: { output_per_second: 0.01 } });
    await addTrams(1);
    const answers = await askAll(stage.call);
    expect(statusesOf(answers).toSorted()).toEqual([200, ...ALL_RIGHT.slice(1).map(() => 429)]);
    for (const { headers, body } of answers.filter(({ status }) => status === 429)) {
      expect(body.error.code).toBe('rate_limited');
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    const others = await Promise.all(some(7, () => stage.call('GET', '/items/t-0')));
    expect(statusesOf(others)).toEqual(ALL_RIGHT);
  });

  const filter = (op: string, value: unknown) => ({ property: 'level', op, value });
  it.each<[string, string, (count: number) => object, number]>([
    // proves: output-request/surface-length
    ['characters of a surface', 'surface', (count) => ({ surface: 'x'.repeat(count) }), 16],
    // proves: output-request/most-filters
    ['filters', 'filters', (count) => ({ filters: some(count, (n) => filter('neq', n)) }), 20],
    // proves: output-request/most-filters
    [
      'values of a filter',
      'filters[0].value',
      (count) => ({
        filters: [
          filter(
            'not_in',
            some(count, (n) => n),
          ),
        ],
      }),
      100,
    ],
    // proves: output-request/most-filters
    ['excluded ids', 'exclude', (count) => ({ exclude: some(count, (n) => `x-${n}`) }), 500],
    // proves: output-request/most-pins
    ['pins', 'pins', (count) => ({ pins: some(count, (n) => ({ item: `x-${n}`, position: n })) }), 5],
    // proves: output-request/boosts
    ['boosts', 'boosts', (count) => ({ boosts: some(count, (n) => ({ filter: filter('gte', n), factor: 2 })) }), 10],
  ])('may contain a limited number of %s', async (_what, field, bodyWith, most) => {
    await addTrams(1);
    await stage.api.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'level', 'number', true)`,
      [stage.project.id],
    );
    for (const [path, body] of Object.entries(PATHS)) {
      expect((await stage.call('POST', path, { ...body, ...bodyWith(most) })).status).toBe(200);
      const refused = await stage.call('POST', path, { ...body, ...bodyWith(most + 1) });
      const faults = refused.body.error?.details.map((fault: { field: string; code: string }) => [
        fault.field,
        fault.code,
      ]);
      expect([path, refused.status, faults]).toEqual([path, 422, [[field, 'too_long']]]);
    }
  });

  it.each<[string, string[], string, (count: number) => object, number]>([
    // proves: output-paths/next
    ['items in a session', ['/recommendations/next'], 'items', (count) => ({ items: some(count, () => 't-0') }), 50],
    // proves: output-paths/together
    ['items in a cart', ['/recommendations/together'], 'items', (count) => ({ items: some(count, () => 't-0') }), 20],
    // proves: output-paths/search
    ['characters of a query', ['/search', '/search/suggest'], 'query', (count) => ({ query: '😀'.repeat(count) }), 500],
    // proves: search/facets
    ['facets', ['/search'], 'facets', (count) => ({ facets: some(count, () => 'tags') }), 10],
  ])('may contain a limited number of %s, where the path accepts them', async (_what, paths, field, bodyWith, most) => {
    await addTrams(1);
    for (const path of paths) {
      const { item: _item, ...body } = PATHS[path] as { item?: string };
      expect((await stage.call('POST', path, { ...body, ...bodyWith(most) })).status).toBe(200);
      const { status, body: refused } = await stage.call('POST', path, { ...body, ...bodyWith(most + 1) });
      expect([path, status, refused.error?.details]).toMatchObject([path, 422, [{ field, code: 'too_long' }]]);
    }
  });

  const PERSONAL = ['/recommendations/feed', '/recommendations/next', '/recommendations/popular'];
  const boost = (factor: number) => ({ boosts: [{ filter: filter('gte', 0), factor }] });
  it.each<[string, readonly string[], (value: number) => object, number[], number[]]>([
    // proves: output-request/limit
    ['limit', Object.keys(LISTS), (limit) => ({ limit }), [1, 100], [0, 101]],
    // proves: output-request/diversity
    ['diversity', Object.keys(LISTS), (diversity) => ({ diversity }), [0, 1], [-0.01, 1.01]],
    // proves: output-request/exploration
    ['exploration', Object.keys(LISTS), (exploration) => ({ exploration }), [0, 0.3], [-0.01, 0.31]],
    // proves: output-request/rotation_hours
    ['rotation_hours', Object.keys(LISTS), (hours) => ({ rotation_hours: hours }), [0, 168], [-1, 169]],
    // proves: output-request/boosts
    ['boosts[0].factor', Object.keys(LISTS), boost, [0.1, 10], [0.09, 10.01]],
    // proves: output-request/max_per_author
    ['max_per_author', PERSONAL, (most) => ({ max_per_author: most }), [1, 100], [0, 101]],
    // proves: search/personal
    ['personal', ['/search'], (personal) => ({ personal }), [0, 1], [-0.01, 1.01]],
  ])('may set %s only within its range', async (field, paths, bodyWith, within, outside) => {
    await addTrams(1);
    await stage.api.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'level', 'number', true)`,
      [stage.project.id],
    );
    for (const path of paths) {
      for (const value of within) {
        const { status } = await stage.call('POST', path, { ...PATHS[path], ...bodyWith(value) });
        expect([path, value, status]).toEqual([path, value, 200]);
      }
      for (const value of outside) {
        const { status, body } = await stage.call('POST', path, { ...PATHS[path], ...bodyWith(value) });
        expect([path, value, status, body.error?.details]).toMatchObject([
          path,
          value,
          422,
          [{ field, code: 'invalid_value' }],
        ]);
      }
    }
  });

  // proves: output-paths/unknown-fields
  it('may have only the described fields, at any depth', async () => {
    const more = { more: 1 };
    const condition = { ...filter('gte', 0), ...more };
    const body = {
      ...more,
      user: { user_id: 'u-1', ...more },
      context: more,
      filters: [condition],
      boosts: [{ filter: condition, factor: 2, ...more }],
      pins: [{ item: 't-0', position: 0, ...more }],
    };
    const fields = ['', 'user.', 'context.', 'filters[0].', 'boosts[0].', 'boosts[0].filter.', 'pins[0].'];
    for (const [path, valid] of Object.entries(PATHS)) {
      const { status, body: refused } = await stage.call('POST', path, { ...valid, ...body });
      const faults = refused.error.details.map(
        ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
      );
      expect([path, status, faults.toSorted()]).toEqual([
        path,
        422,
        fields.map((field) => `${field}more unknown_field`).toSorted(),
      ]);
    }
  });

  it('is answered as usual while a property that has just become filterable is read', async () => {
    await stage.addItems(
      Array.from({ length: 6 }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}`, properties: { level: n } })),
    );
    await stage.followed();
    const modesOf = async (more: object = {}) => {
      const requests = Object.fromEntries(Object.entries(LISTS).map(([path, body]) => [path, { ...body, ...more }]));
      return (await askAll(stage.call, requests)).map(({ body }) => body.mode);
    };
    await eventually(async () => !(await modesOf()).includes('fallback'), 'the words');
    const usual = await modesOf();
    await stage.api.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'level', 'number', true)`,
      [stage.project.id],
    );
    const filters = [{ property: 'level', op: 'gte', value: 4 }];
    const filtered = modesOf({ filters });
    expect(await modesOf()).toEqual(usual);
    await filtered;
    expect(await modesOf()).toEqual(usual);
    await eventually(async () => !(await modesOf({ filters })).includes('fallback'), 'the property');
    const { body } = await stage.call('POST', '/recommendations/popular', { filters });
    expect(body.items.map(({ id }: { id: string }) => id).toSorted()).toEqual(['t-4', 't-5']);
    const search = await stage.call('POST', '/search', { query: '', filters });
    expect([search.body.mode, search.body.total.value]).toEqual(['lexical', 2]);
  });

  // proves: output-request/limit-default
  it('returns 20 items by default', async () => {
    await addTrams(23);
    for (const [path, body] of Object.entries(LISTS)) {
      const { items, next_cursor: cursor } = (await stage.call('POST', path, body)).body;
      expect([path, items.length, typeof cursor]).toEqual([path, 20, 'string']);
    }
  });

  // proves: output-paths/suggest-limit
  it('returns 8 suggestions by default, and at most 20', async () => {
    await addTrams(23);
    const suggest = (more: object) => stage.call('POST', '/search/suggest', { query: 'трамвай номер', ...more });
    const countOf = async (more: object) => (await suggest(more)).body.suggestions.length;
    expect([await countOf({}), await countOf({ limit: 1 }), await countOf({ limit: 20 })]).toEqual([8, 1, 20]);
    const { putSurface } = surfaces;
    await putSurface('box', { defaults: { limit: 5 } });
    await putSurface('page', { defaults: { limit: 50 } });
    const onSurfaces = [{ surface: 'box' }, { surface: 'page' }, { surface: 'box', limit: 2 }, { surface: 'other' }];
    expect(await Promise.all(onSurfaces.map(countOf))).toEqual([5, 20, 2, 8]);
    for (const limit of [0, 21]) {
      const { status, body } = await suggest({ limit });
      expect([status, body.error.details]).toMatchObject([422, [{ field: 'limit', code: 'invalid_value' }]]);
    }
  });

  // proves: search/semantic
  it.each([
    [-0.1, 'invalid_value'],
    [1.1, 'invalid_value'],
    ['off', 'invalid_value'],
    [true, 'invalid_type'],
    [null, 'invalid_type'],
  ])('is refused if its weight of meaning is %j, with the code %s', async (semantic, code) => {
    const { status, body } = await stage.call('POST', '/search', { query: 'трамвай', semantic });
    expect([status, body.error?.details]).toMatchObject([422, [{ field: 'semantic', code }]]);
  });

  // proves: output-limits/300-ms, output-answer/mode-fallback
  it('is answered without selection if selection is silent for 300 ms', async () => {
    await addTrams(3);
    const road = await startTcpProxy(`127.0.0.1:${stage.selection.port}`);
    road.mode = 'silent';
    const env = { SELECTION_URLS: `http://${road.address}` };
    const api = await startTestApi({ databaseUrl: stage.database.url, env });
    try {
      const call = clientOf(api.content, stage.project.key);
      const waits: number[] = [];
      for (const [path, body] of Object.entries(PATHS)) {
        const begun = performance.now();
        const { status, body: answer } = await call('POST', path, body);
        const waitedMs = performance.now() - begun;
        expect([path, status, answer.mode]).toEqual([path, 200, path in LISTS ? 'fallback' : undefined]);
        // A timer may fire a little early. Nothing else would end the request for minutes.
        expect(waitedMs).toBeGreaterThan(290);
        expect(waitedMs).toBeLessThan(HANG_MS);
        waits.push(waitedMs);
      }
      // On a busy machine some take longer, but hardly all of them.
      expect(Math.min(...waits)).toBeLessThan(5_000);
    } finally {
      await api.close();
      await road.close();
    }
  });

  // proves: output-answer/503
  it('gets 503 while PostgreSQL is unavailable, even if selection answers, and works again afterwards', async () => {
    await addTrams(3);
    const url = new URL(stage.database.url);
    const road = await startTcpProxy(`${url.hostname}:${url.port}`);
    url.host = road.address;
    const api = await startTestApi({
      databaseUrl: url.href,
      env: { SELECTION_URLS: `http://127.0.0.1:${stage.selection.port}` },
    });
    try {
      const call = clientOf(api.content, stage.project.key);
      // From here on keys are cached, so that only the rules need the missing database.
      await eventually(async () => (await countListeners()) === 2, 'both APIs to hear of changed access');
      expect(statusesOf(await askAll(call))).toEqual(ALL_RIGHT);
      road.mode = 'cut';
      road.breakConnections();
      // LISTS has no suggestions: suggestions name no items, so the selection process has applied all of their rules,
      // over its own connection to PostgreSQL.
      for (const { status, headers, body } of await askAll(call, LISTS)) {
        expect([status, body.error?.code]).toEqual([503, 'unavailable']);
        expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }
      road.mode = 'open';
      expect(statusesOf(await askAll(call))).toEqual(ALL_RIGHT);
    } finally {
      await api.close();
      await road.close();
    }
  });
});
