import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { addItems } from '../../../support/people/events.ts';
import { createTestUser, tokenOf } from '../../support/people.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';

const FINGERPRINT = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';

let database: TestDatabase;
let api: TestApi;
let project: TestProject;
let call: Client;
let cabinet: Client;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  cabinet = clientOf(api.cabinet, await createTestToken(database.pool));
});
beforeEach(async () => {
  project = await createTestProject(database.pool);
  await database.pool.query('update projects set fingerprints = true where id = $1', [project.id]);
  call = clientOf(api.content, project.key);
  await addItems(database.pool, project.id, ['a', 'b', 'c']);
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const send = async (...events: object[]): Promise<void> => {
  const full = events.map((event) => ({
    id: `e-${++count}`,
    type: 'open',
    item: 'a',
    user: { user_id: 'u/1' },
    ...event,
  }));
  const { body } = await call('POST', '/events', { events: full });
  expect(body.rejected).toEqual([]);
};
const at = (id: string, query = ''): string => `/projects/${project.id}/users/${encodeURIComponent(id)}${query}`;
const read = (id: string, query?: string): Promise<Answer> => cabinet('GET', at(id, query));

describe('GET /projects/{id}/users/{user_id}', () => {
  // proves: decisions-people/link-readers
  it('shows the identifiers of a person, what they said and did, and the taste that follows from it', async () => {
    await call('POST', '/users/profile', {
      user: { user_id: 'u/1' },
      city: 'Казань',
      interests: ['трамваи'],
      excluded_interests: ['футбол'],
      followed_authors: ['anna'],
      hidden_authors: ['boris'],
    });
    await send({}, { item: 'b' }, { item: 'b' }, { type: 'hide', item: 'c', value: 1 });
    await send({ user: { anonymous_id: 'd' } });
    await call('POST', '/users/link', { user_id: 'u/1', anonymous_id: 'd' });
    const { status, body } = await read('u/1');
    expect(status).toBe(200);
    expect(body.identifiers).toMatchObject([
      { kind: 'user_id', id: 'u/1' },
      { kind: 'anonymous_id', id: 'd' },
    ]);
    expect(body.profile).toMatchObject({ identity: 'user', city: 'казань', interests: ['трамваи'] });
    const counts = Object.fromEntries(
      body.activity.map(({ type, events }: { type: string; events: number }) => [type, events]),
    );
    expect(counts).toEqual({ hide: 1, open: 4 });
    expect(body.taste).toMatchObject({
      personalization: true,
      interests: ['трамваи'],
      followed_authors: ['anna'],
      hidden_authors: ['boris'],
      excluded_interests: ['футбол'],
      hidden_items: [{ item: 'c' }],
    });
    expect(body.taste.items.find(({ item }: { item: string }) => item === 'b').weight).toBeGreaterThan(0);
    // A device resolves to the same person.
    expect((await read('d')).body).toEqual(body);
  });

  it('finds people by a kind of identifier, or by the first that matches', async () => {
    await send(
      { user: { user_id: 'same' } },
      { user: { anonymous_id: 'same' } },
      { user: { fingerprint_uuid: FINGERPRINT } },
    );
    const kindOf = ({ body }: Answer): unknown => body.identifiers[0].kind;
    expect(kindOf(await read('same'))).toBe('user_id');
    expect(kindOf(await read('same', '?kind=anonymous_id'))).toBe('anonymous_id');
    expect(kindOf(await read(FINGERPRINT.toUpperCase()))).toBe('fingerprint_uuid');
    expect((await read('same', '?kind=fingerprint_uuid')).status).toBe(400);
    expect((await read(FINGERPRINT, '?kind=user_id')).status).toBe(404);
  });

  it('shows the exclusions of somebody without personalization, and nothing of their taste', async () => {
    await call('POST', '/users/profile', { user: { user_id: 'u/1' }, personalization: false, interests: ['трамваи'] });
    await send({}, { type: 'hide', item: 'c', value: 1 });
    const { body } = await read('u/1');
    expect(body.taste).toMatchObject({
      personalization: false,
      items: [],
      interests: [],
      hidden_items: [{ item: 'c' }],
    });
  });

  it('answers 404 for somebody unknown, and for people of another project', async () => {
    await send({});
    expect((await read('nobody')).status).toBe(404);
    expect((await cabinet('GET', '/projects/zzzzzzzzzzzz/users/u')).status).toBe(404);
  });
});

describe('DELETE /projects/{id}/users/{user_id}', () => {
  it('deletes the person with all devices, and leaves no name in the audit trail', async () => {
    await send({}, { user: { anonymous_id: 'd' } });
    await call('POST', '/users/link', { user_id: 'u/1', anonymous_id: 'd' });
    expect(await cabinet('DELETE', at('d', '?kind=anonymous_id'))).toMatchObject({
      status: 200,
      body: { deleted: true },
    });
    expect((await read('u/1')).status).toBe(404);
    expect((await cabinet('DELETE', at('u/1'))).status).toBe(404);
    expect((await cabinet('GET', `/projects/${project.id}/events?user_id=u%2F1`)).body.items).toEqual([]);
    const { rows } = await database.pool.query<{ kind: string }>('select kind from jobs where project_id = $1', [
      project.id,
    ]);
    expect(rows.map(({ kind }) => kind)).toContain('user-delete');
    const trail = await database.pool.query<{ operation: string; params: object }>(
      'select operation, params from audit_log where project_id = $1 order by id',
      [project.id],
    );
    expect(trail.rows[0]).toEqual({ operation: 'deleteProjectUser', params: { id: project.id } });
  });

  it('is refused to viewers', async () => {
    await send({});
    const user = await createTestUser(database.pool, 'viewer', { projects: [project.id] });
    const viewer = clientOf(api.cabinet, await tokenOf(database.pool, user));
    expect((await viewer('DELETE', at('u/1'))).status).toBe(403);
    expect((await viewer('GET', at('u/1'))).status).toBe(200);
  });
});
