/**
 * Why an item is not in an answer: by example, and on random catalogues, checked against the answers and a naive
 * model.
 */
import { describe, expect, it } from '@jest/globals';
import { OBSTACLES } from '../../../output/serve/obstacles.ts';
import { diceOf } from '../../reports/oracle/world/dice.ts';
import { createTestUser, tokenOf } from '../../api/support/people.ts';
import { clientOf } from '../../api/support/testApi.ts';
import type { Asked, OutputAnswer } from '../oracle/requests/asked.ts';
import { describedPaths } from '../oracle/requests/described.ts';
import { History } from '../oracle/world/history.ts';
import { viewOf } from '../oracle/world/people.ts';
import * as pools from '../oracle/world/pools.ts';
import { randomRequest } from '../oracle/requests/requests.ts';
import { breaches, OF_THE_QUERY, type Judged } from '../oracle/rules/rules.ts';
import { prepareProject, storeState, type Place } from '../oracle/world/store.ts';
import type { Rulebook } from '../oracle/world/world.ts';
import { randomState } from '../oracle/world/worlds.ts';
import { randomWrite } from '../oracle/world/writes.ts';
import { modelOf } from '../support/models.ts';
import { stageOutput } from '../support/outputStage.ts';
import { publish } from '../support/published.ts';
import { stageSurfaces } from '../support/surfaces.ts';

const stage = stageOutput();
const surfaces = stageSurfaces(stage);

const ask = (item: string, request: object = {}, path = 'feed', more: object = {}) =>
  surfaces.cabinet('POST', surfaces.of('/output/obstacles'), { item, path, request, ...more });
/** Returns each obstacle as `code value`, or, without obstacles, the state with the rank. */
async function why(...asked: Parameters<typeof ask>): Promise<string> {
  const { status, body } = await ask(...asked);
  if (status !== 200) return `${status}`;
  if (body.state !== 'kept_out') return `${body.state} ${body.position ?? body.rank ?? ''}`.trim();
  return body.obstacles
    .map(({ code, value }: Record<string, string>) => (value ? `${code} ${value}` : code))
    .join(', ');
}

const user = { user_id: 'u-1' };
const addTrams = async () => {
  await stage.addItems(
    ['anna', 'anna', 'anna', 'boris', 'vera', 'vera'].map((author, n) => ({
      id: `t-${n}`,
      title: `Трамвай номер ${n}`,
      author,
      published_at: `2026-01-0${n + 1}T00:00:00Z`,
      properties: { level: n },
      ageRating: n === 3 ? ('16+' as const) : ('6+' as const),
      tags: n === 4 ? ['кино'] : [],
    })),
  );
  await surfaces.cabinet('PUT', surfaces.of('/properties/level'), { type: 'number', filterable: true });
  await stage.followed();
};

describe('an item that is not in an answer', () => {
  it('is explained by each rule of the request that it breaks, and by the value that breaks it', async () => {
    await addTrams();
    const level = (op: string, value: number) => ({ property: 'level', op, value });
    expect(await why('t-3', { types: ['video'], authors: ['anna'], max_age_rating: '12+' })).toBe(
      'type text, author boris, age_rating 16+',
    );
    expect(await why('t-3', { exclude: ['t-3'], exclude_authors: ['boris'] })).toBe('excluded, excluded_author boris');
    expect(await why('t-3', { published_after: '2026-01-05T00:00:00Z' })).toBe(
      'published_after 2026-01-04T00:00:00.000Z',
    );
    expect(await why('t-3', { published_before: '2026-01-04T00:00:00Z' })).toBe(
      'published_before 2026-01-04T00:00:00.000Z',
    );
    expect(await why('t-3', { filters: [level('gte', 2), level('lt', 2), level('eq', 5)] })).toBe(
      'filter level, filter level',
    );
    expect(await why('t-3', { item: 't-3' }, 'similar')).toBe('subject');
    expect(await why('t-9')).toBe('unknown');
  });

  it('may be excluded by the profile and the events of the person, and by the settings of a surface', async () => {
    await addTrams();
    await stage.call('POST', '/users/profile', { user, hidden_authors: ['vera'], excluded_interests: ['фильмы'] });
    await stage.send([{ who: 'u-1', item: 't-0' }]);
    await stage.call('POST', '/events', { events: [{ id: 'h-1', type: 'hide', item: 't-1', user, value: 1 }] });
    expect(await why('t-0', { user })).toBe('seen');
    expect(await why('t-0', { user }, 'feed', { personalization: false })).toMatch(/^shown/);
    expect(await why('t-0', { user, include_seen: true })).toMatch(/^shown/);
    expect(await why('t-1', { user })).toBe('hidden, seen');
    expect(await why('t-4', { user })).toBe('hidden_author vera, interest');
    expect(await why('t-4')).toMatch(/^shown/);
    await surfaces.putSurface('kids', { defaults: { max_age_rating: '12+' } });
    expect(await why('t-3', { surface: 'kids' })).toBe('age_rating 16+');
  });

  it('may be deleted or unavailable, or its analysis may have failed', async () => {
    await addTrams();
    await stage.call('DELETE', '/items/t-0');
    await stage.call('PATCH', '/items/t-1', { available: false });
    await stage.database.pool.query(`update items set status = 'failed' where project_id = $1 and id = 't-2'`, [
      stage.project.id,
    ]);
    expect(await Promise.all(['t-0', 't-1', 't-2'].map((id) => why(id)))).toEqual(['deleted', 'unavailable', 'failed']);
  });

  it('may be suppressed itself, resemble a suppressed item, or be met together with one', async () => {
    await stage.addItems([
      { id: 'white', title: 'Кофеварка капельная Утро на шестьсот миллилитров с таймером, белая' },
      { id: 'black', title: 'Кофеварка капельная Утро на шестьсот миллилитров с таймером, чёрная' },
      { id: 'milk', title: 'Питчер для молока' },
      { id: 'other', title: 'Прогулка по городу' },
    ]);
    await stage.followed();
    await publish(stage, modelOf({ taste: { white: { milk: 1, other: 0.1 } } }));
    await stage.selection.catalogues.followModels();
    await stage.database.pool.query(
      `update event_types set suppress_similar_days = 30 where project_id = $1 and code = 'cart'`,
      [stage.project.id],
    );
    await stage.send([{ who: 'u-1', item: 'white', type: 'cart' }]);
    const request = { user, include_seen: true };
    expect(await why('white', request)).toBe('suppressed');
    expect(await why('black', request)).toBe('near_suppressed');
    expect(await why('milk', request)).toBe('met_with_suppressed');
    expect(await why('other', request)).toMatch(/^shown/);
  });

  it('may be further down, beyond the limit per author, or not ranked at all', async () => {
    await addTrams();
    const request = { exploration: 0, diversity: 0, limit: 3 };
    // The newest first: vera, vera, boris, anna.
    expect(await why('t-4', request)).toBe('shown 1');
    expect(await why('t-0', request)).toBe('below 6');
    expect(await why('t-4', { ...request, max_per_author: 1 })).toBe('author_limit 2');
    expect(await why('t-0', { query: 'номер 3' }, 'search')).toBe('not_ranked');
    expect(await why('t-3', { query: 'номер 3' }, 'search')).toBe('shown 0');
  });
});

describe('the question why an item is not in an answer', () => {
  it('is open to viewers, leaves nothing behind, and is 404 for an unknown project', async () => {
    await addTrams();
    const { pool } = stage.database;
    const person = await createTestUser(pool, 'viewer', { projects: [stage.project.id] });
    const viewer = clientOf(stage.api.cabinet, await tokenOf(pool, person));
    const body = { item: 't-0', path: 'feed', request: { user, limit: 1 } };
    expect((await viewer('POST', surfaces.of('/output/obstacles'), body)).status).toBe(200);
    expect((await viewer('POST', '/projects/zzzzzzzzzzzz/output/obstacles', body)).status).toBe(404);
    const { rows } = await pool.query(
      `select operation from audit_log where project_id = $1 and operation = 'findObstacles'
       union all select id from output_snapshots where project_id = $1`,
      [stage.project.id],
    );
    expect(rows).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['search/suggest', { query: 'трам' }, 'path'],
    ['elsewhere', {}, 'path'],
    ['feed', { cursor: 'abc' }, 'request.cursor'],
    ['feed', { limit: 0 }, 'request.limit'],
    ['similar', {}, 'request.item'],
  ])('is refused for path %s with request %j', async (path, request, field) => {
    const { status, body } = await ask('t-0', request, path);
    expect([status, body.error.details[0].field]).toEqual([422, field]);
  });

  it('is 404 for a subject that never existed', async () => {
    expect(await why('t-0', { item: 'nothing' }, 'similar')).toBe('404');
  });
});

const WRITES = 60;
const REQUESTS = 40;
const ITEMS = 8;
/**
 * Between two thresholds of likeness both answers are right, and only selection knows which items people meet
 * together.
 */
const OF_LIKENESS: readonly string[] = ['near_suppressed', 'met_with_suppressed'];

/** How often each obstacle code and state was reported. */
const told = new Map<string, number>();
const note = (what: string): unknown => told.set(what, (told.get(what) ?? 0) + 1);

it.each([11, 12])('obstacles agree with the answers and with a naive model: world %i', async (seed) => {
  const rulebook: Rulebook = { properties: pools.PROPERTIES, events: pools.EVENTS, companions: new Map() };
  const place: Place = { pool: stage.database.pool, projectId: stage.project.id, call: stage.call };
  await prepareProject(place);
  const dice = diceOf(seed);
  const begun = Date.now();
  const history = new History(randomState(dice, begun));
  await storeState(place, history.state);
  const [users, devices] = ['u', 'a'].map((kind) => Array.from({ length: 4 }, (_, at) => `${kind}-${at}`));
  const people = { users: users ?? [], devices: devices ?? [], rulebook, told: [], made: 0 };
  let ids = 0;
  const nextId = (): string => `new-${(ids += 1)}`;
  for (let count = 0; count < WRITES; count += 1)
    await history.write((now) => randomWrite(now, { dice, place, people, begun, nextId }));
  await stage.followed();
  const paths = new Map([...describedPaths(stage.api)].filter(([{ name }]) => name !== 'suggest'));
  for (let count = 0; count < REQUESTS; count += 1) {
    const asked = settled(randomRequest(history.state, { dice, people, paths }));
    const { body: answer } = await stage.call('POST', asked.path.url, asked.body);
    const shown = new Map((answer as OutputAnswer).items.map(({ id, position }) => [id, position]));
    const some = dice.times(ITEMS, ITEMS, () => dice.pick([...history.state.items.keys()]));
    for (const item of new Set([...some, ...[...shown.keys()].slice(0, 2)]))
      expect(await faultOf(item, { asked, rulebook, state: history.state, shown })).toBeNull();
  }
});

it('every obstacle that can occur in these worlds was reported', () => {
  // Unknown items have a separate example, and these worlds have no model.
  const unmet = OBSTACLES.filter((code) => !told.has(code) && code !== 'unknown' && code !== 'met_with_suppressed');
  expect(unmet).toEqual([]);
  expect([...told.keys()]).toEqual(expect.arrayContaining(['shown', 'below', 'not_ranked', 'author_limit']));
});

/**
 * Removes randomness and earlier answers, which would make two answers differ, and surfaces, which the model does
 * not know.
 */
function settled({ path, body }: Asked): Asked {
  const { surface: _surface, rotation_hours: _hours, exploration: _share, ...rest } = body;
  return { path, body: path.name === 'feed' || path.name === 'next' ? { ...rest, exploration: 0 } : rest };
}

interface Compared extends Omit<Judged, 'view'> {
  /** The items of the answer: id → position. */
  shown: ReadonlyMap<string, number>;
}

/** Returns the fault of an item's explanation, or null when it agrees with the answer and with the model. */
async function faultOf(item: string, { asked, rulebook, state, shown }: Compared): Promise<string | null> {
  const { status, body } = await ask(item, asked.body, asked.path.name);
  const view = viewOf(state, rulebook, asked.body.user ?? null, Date.now());
  const broken = breaches(state.items.get(item), { asked, rulebook, view, state }).filter(
    (rule) => !OF_THE_QUERY.includes(rule),
  );
  const codes = ((body.obstacles ?? []) as { code: string }[]).map(({ code }) => code);
  for (const what of [...codes, String(body.state)]) note(what);
  const isBroken = broken.length > 0 || codes.some((code) => OF_LIKENESS.includes(code));
  const isRight =
    status === 200 &&
    body.position === (shown.get(item) ?? null) &&
    (body.state === 'shown') === shown.has(item) &&
    (body.state === 'kept_out') === isBroken &&
    codes.length > 0 === isBroken;
  return isRight ? null : `${item} of ${JSON.stringify(asked)} is ${JSON.stringify(body)}, breaks ${broken.join()}`;
}
