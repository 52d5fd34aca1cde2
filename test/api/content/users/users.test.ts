import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { updateProject } from '../../../../db/accounts/projects.ts';
import { eventually } from '../../../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { addItems } from '../../../support/people/events.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';

const FINGERPRINT = '0D9F2B4E-1111-4222-8333-444455556666';

let database: TestDatabase;
let api: TestApi;
let project: TestProject;
let call: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
});
beforeEach(async () => {
  project = await createTestProject(database.pool);
  call = clientOf(api.content, project.key);
  await addItems(database.pool, project.id, ['a', 'b']);
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const link = (body: object): Promise<Answer> => call('POST', '/users/link', body);
const remove = (user: unknown): Promise<Answer> => call('POST', '/users/delete', { user });
const detailsOf = ({ body }: Answer): { field: string; code: string }[] =>
  body.error.details.map(({ field, code }: { field: string; code: string }) => ({ field, code }));

let eventIds = 0;
async function send(user: object, ...types: string[]): Promise<void> {
  const events = types.map((type) => ({
    id: `event-${(eventIds += 1)}`,
    type,
    item: 'a',
    user,
    ...(type === 'view' && { value: 50 }),
  }));
  const { body } = await call('POST', '/events', { events });
  expect(body).toEqual({ accepted: types.length, duplicates: 0, rejected: [] });
}

const jobs = async (): Promise<Record<string, unknown>[]> =>
  (
    await database.pool.query(
      'select j.kind, j.request_id, o.entity_id = j.entity_id as handed from jobs j join outbox o using (project_id, kind, entity_id) where project_id = $1',
      [project.id],
    )
  ).rows;

describe('POST /users/link', () => {
  // proves: profile/UserLinkRequest, users/link, decisions-people/link-rewriting, decisions-people/without-temporal
  it('moves what the device did, and hands the rewriting to the relay with the id of the request', async () => {
    await send({ anonymous_id: 'd' }, 'open', 'like', 'view', 'impression', 'share');
    const answer = await call(
      'POST',
      '/users/link',
      { user_id: 'u', anonymous_id: 'd' },
      { headers: { 'x-request-id': 'link-1' } },
    );
    expect(answer).toMatchObject({ status: 200, body: { merged: true, events_moved: 4 } });
    expect(await jobs()).toEqual([{ kind: 'user-link', request_id: 'link-1', handed: true }]);
    expect((await link({ user_id: 'u', anonymous_id: 'd', fingerprint_uuid: null })).body).toEqual({
      merged: true,
      events_moved: 0,
    });
    expect((await link({ user_id: 'other', anonymous_id: 'd' })).body).toEqual({ merged: false, events_moved: 0 });
  });

  it('uses fingerprints only if the project does', async () => {
    expect((await link({ user_id: 'u', fingerprint_uuid: FINGERPRINT })).body).toEqual({
      merged: false,
      events_moved: 0,
    });
    const other = await createTestProject(database.pool);
    await updateProject(database.pool, other.id, { fingerprints: true });
    const callOther = clientOf(api.content, other.key);
    await addItems(database.pool, other.id, ['a']);
    await callOther('POST', '/events', {
      events: [{ id: 'e', type: 'open', item: 'a', user: { fingerprint_uuid: FINGERPRINT } }],
    });
    expect(
      (await callOther('POST', '/users/link', { user_id: 'u', fingerprint_uuid: FINGERPRINT.toLowerCase() })).body,
    ).toEqual({ merged: true, events_moved: 1 });
  });

  // proves: profile/UserLinkRequest
  it('accepts any user_id of up to 191 characters', async () => {
    expect(await link({ user_id: '😀'.repeat(191), anonymous_id: '~'.repeat(191) })).toMatchObject({
      status: 200,
      body: { merged: true, events_moved: 0 },
    });
  });

  // proves: users/link
  it.each<[object, string, string]>([
    [{ anonymous_id: 'd' }, 'user_id', 'required'],
    [{ user_id: null, anonymous_id: 'd' }, 'user_id', 'invalid_type'],
    [{ user_id: '' }, 'user_id', 'invalid_value'],
    [{ user_id: 'a'.repeat(192) }, 'user_id', 'too_long'],
    [{ user_id: 'a\0' }, 'user_id', 'invalid_value'],
    [{ user_id: 'u', anonymous_id: 'é' }, 'anonymous_id', 'invalid_value'],
    [{ user_id: 'u', anonymous_id: 'a'.repeat(192) }, 'anonymous_id', 'too_long'],
    [{ user_id: 'u', fingerprint_uuid: 'x' }, 'fingerprint_uuid', 'invalid_value'],
    [{ user_id: 'u', device: 'd' }, 'device', 'unknown_field'],
  ])('refuses a wrong body (case %#)', async (body, field, code) => {
    const answer = await link(body);
    expect(answer.status).toBe(422);
    expect(detailsOf(answer)).toEqual([{ field, code }]);
  });
});

describe('POST /users/delete', () => {
  // proves: users/delete, decisions-people/delete-purge, decisions-people/without-temporal
  it('makes the user unreadable at once, and hands the removal to the relay', async () => {
    await send({ user_id: 'u' }, 'open');
    await call('POST', '/users/profile', { user: { user_id: 'u' }, city: 'Омск' });
    await link({ user_id: 'u', anonymous_id: 'd' });
    await database.pool.query('delete from jobs');
    const answer = await call(
      'POST',
      '/users/delete',
      { user: { user_id: 'u' } },
      { headers: { 'x-request-id': 'delete-1' } },
    );
    expect(answer).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await jobs()).toEqual([{ kind: 'user-delete', request_id: 'delete-1', handed: true }]);
    for (const query of ['user_id=u', 'anonymous_id=d'])
      expect(await call('GET', `/users/profile?${query}`)).toMatchObject({ status: 404 });
    expect((await remove({ user_id: 'u' })).body).toEqual({ deleted: false });
  });

  // proves: users/rule-4
  it('allows the same identifiers to start again', async () => {
    await send({ anonymous_id: 'd' }, 'open', 'share');
    await link({ user_id: 'u', anonymous_id: 'd' });
    expect((await remove({ anonymous_id: 'd' })).body).toEqual({ deleted: true });
    await send({ anonymous_id: 'd' }, 'open');
    expect((await link({ user_id: 'second', anonymous_id: 'd' })).body).toEqual({ merged: true, events_moved: 1 });
    expect((await call('GET', '/users/profile?user_id=u')).status).toBe(404);
  });

  // proves: users/rule-4, decisions-people/delete-any
  it('deletes everything that any of the given identifiers names', async () => {
    const everybody = { user_id: 'u', anonymous_id: 'd', fingerprint_uuid: FINGERPRINT };
    await send({ anonymous_id: 'd' }, 'open');
    expect((await remove({ user_id: 'nobody', anonymous_id: 'd' })).body).toEqual({ deleted: true });
    expect((await remove(everybody)).body).toEqual({ deleted: false });
    await updateProject(database.pool, project.id, { fingerprints: true });
    const seen = { id: 'seen', type: 'open', item: 'a', user: { fingerprint_uuid: FINGERPRINT } };
    // The API is notified of the change a moment later.
    await eventually(
      async () => (await call('POST', '/events', { events: [seen] })).body.accepted === 1,
      'fingerprints to count',
    );
    await send({ anonymous_id: 'd' }, 'share');
    await send({ user_id: 'u' }, 'open');
    expect((await remove(everybody)).body).toEqual({ deleted: true });
    const { rows } = await database.pool.query(
      'select kind from identities where project_id = $1 and dead_at is null',
      [project.id],
    );
    expect([rows, (await remove(everybody)).body]).toEqual([[], { deleted: false }]);
  });

  it('keeps projects apart', async () => {
    await send({ anonymous_id: 'd' }, 'open');
    const other = await createTestProject(database.pool);
    const theirs = clientOf(api.content, other.key);
    expect((await theirs('POST', '/users/delete', { user: { anonymous_id: 'd' } })).body).toEqual({ deleted: false });
    expect((await remove({ anonymous_id: 'd' })).body).toEqual({ deleted: true });
  });

  // proves: users/delete
  it.each<[unknown, string, string]>([
    [undefined, 'user', 'required'],
    ['u', 'user', 'invalid_type'],
    [{}, 'user', 'invalid_value'],
    [{ user_id: null, anonymous_id: null }, 'user', 'invalid_value'],
    [{ fingerprint_uuid: FINGERPRINT }, 'user', 'invalid_value'],
    [{ user_id: 'a'.repeat(192) }, 'user.user_id', 'too_long'],
    [{ name: 'x' }, 'user.name', 'unknown_field'],
  ])('refuses a wrong user (case %#)', async (user, field, code) => {
    const answer = await remove(user);
    expect(answer.status).toBe(422);
    expect(detailsOf(answer)).toEqual([{ field, code }]);
  });

  // proves: service/6, users/delete
  it('refuses another field, and deletes nobody', async () => {
    await send({ user_id: 'u' }, 'open');
    const answer = await call('POST', '/users/delete', { user: { user_id: 'u' }, more: 1 });
    expect([answer.status, detailsOf(answer)]).toEqual([422, [{ field: 'more', code: 'unknown_field' }]]);
    expect((await remove({ user_id: 'u' })).body).toEqual({ deleted: true });
  });
});

describe('personal data', () => {
  it('never appears in the log', async () => {
    const mark = 'secret-person';
    await send({ user_id: mark, anonymous_id: `${mark}-device` }, 'open');
    await link({ user_id: mark, anonymous_id: `${mark}-device` });
    await call('POST', '/users/profile', {
      user: { user_id: mark },
      city: mark,
      attributes: { [mark]: mark, email: mark },
    });
    await call('GET', `/users/profile?user_id=${mark}`);
    await remove({ user_id: mark });
    expect(api.log.length).toBeGreaterThan(0);
    expect(JSON.stringify(api.log)).not.toContain(mark);
  });
});
