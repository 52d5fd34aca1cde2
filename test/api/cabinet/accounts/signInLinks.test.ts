/** Sign-in by a link: once, before it expires, and only as the person for whom it was made. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { updateUser } from '../../../../db/accounts/accounts.ts';
import { deleteExpiredSignInLinks, insertSignInLink } from '../../../../db/accounts/signInLinks.ts';
import { keyHash, newKey } from '../../../../domain/accounts/keyFormats.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { cheapHash, createTestUser, OWN_PAGE, tokenOf, withHeaders, type Person } from '../../support/people.ts';
import { enrol } from '../../support/secondFactor.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let admin: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, env: { PUBLIC_URL: 'https://attune.example' } });
  admin = clientOf(api.cabinet, await createTestToken(database.pool));
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

// All tests share one address, whose login attempts would soon be used up.
beforeEach(() => database.pool.query('delete from rate_buckets'));

const signIn = (link: string, more: object = {}, headers: Record<string, string> = OWN_PAGE): Promise<Answer> =>
  clientOf(api.cabinet, null)('POST', '/sign-in', { link, ...more }, { headers });

async function linkFor({ id }: Person, call: Client = admin): Promise<string> {
  const { status, body } = await call('POST', '/sign-in-links', { user: id });
  expect(status).toBe(201);
  return String(body.url).split('#')[1] ?? '';
}

const statusOf = (answer: Answer): Promise<number> => {
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return withHeaders(clientOf(api.cabinet, null), { cookie, ...OWN_PAGE })('GET', '/me').then(({ status }) => status);
};

describe('a link', () => {
  // proves: decisions-cabinet-app/sign-in-link
  it('signs its person in, with an ordinary session', async () => {
    const project = await createTestProject(database.pool);
    const user = await createTestUser(database.pool, 'owner', { projects: [project.id] });
    const { status, body } = await admin('POST', '/sign-in-links', { user: user.id });
    expect(status).toBe(201);
    expect(body.url).toMatch(/^https:\/\/attune\.example\/cabinet\/sign-in#al_[A-Za-z0-9]{40}$/);
    const minutes = (Date.parse(String(body.expires_at)) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9);
    expect(minutes).toBeLessThan(11);
    const answer = await signIn(String(body.url).split('#')[1] ?? '');
    expect(answer).toMatchObject({
      status: 200,
      body: { id: user.id, email: user.email, role: 'owner', projects: [project.id], sites: [] },
    });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^attune_session=[\w-]{43}; Path=\/cabinet; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(await statusOf(answer)).toBe(200);
  });

  // proves: decisions-cabinet-app/sign-in-link
  it('is stored as a hash only', async () => {
    const link = await linkFor(await createTestUser(database.pool, 'viewer'));
    const { rows } = await database.pool.query('select * from sign_in_links');
    expect(JSON.stringify(rows)).not.toContain(link);
    expect(rows.some(({ hash }) => keyHash(link).equals(hash))).toBe(true);
  });

  // proves: decisions-cabinet-app/sign-in-link
  it('signs in once, even if it is used several times at once', async () => {
    const link = await linkFor(await createTestUser(database.pool, 'viewer'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(link)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401]);
    expect((await signIn(link)).status).toBe(401);
  });

  // proves: decisions-cabinet-app/sign-in-link
  it('is invalid after ten minutes, and is removed', async () => {
    const link = await linkFor(await createTestUser(database.pool, 'viewer'));
    await database.pool.query(`update sign_in_links set expires_at = now() - interval '1 second' where hash = $1`, [
      keyHash(link),
    ]);
    expect((await signIn(link)).status).toBe(401);
    expect(await deleteExpiredSignInLinks(database.pool, 100)).toBe(1);
  });

  it('is invalid once a newer one has been made', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const first = await linkFor(user);
    const second = await linkFor(user);
    expect((await signIn(first)).status).toBe(401);
    expect((await signIn(second)).status).toBe(200);
  });

  it('is invalid once the password has changed or the rights are wider', async () => {
    const options = { manager: null, lostPassword: cheapHash('nobody knows it') };
    const changed = await createTestUser(database.pool, 'viewer');
    const forChanged = await linkFor(changed);
    await updateUser(database.pool, changed.id, { passwordHash: cheapHash('another password') }, options);
    expect((await signIn(forChanged)).status).toBe(401);
    const widened = await createTestUser(database.pool, 'viewer');
    const forWidened = await linkFor(widened);
    await updateUser(database.pool, widened.id, { role: 'admin' }, options);
    expect((await signIn(forWidened)).status).toBe(401);
  });

  it('does not let a blocked person in, and cannot be made for one', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const link = await linkFor(user);
    await admin('PATCH', `/users/${user.id}`, { state: 'blocked' });
    expect((await signIn(link)).status).toBe(403);
    expect((await admin('POST', '/sign-in-links', { user: user.id })).status).toBe(404);
  });

  it('asks for the second factor, and stays valid until it is correct', async () => {
    const { user, authenticator } = await enrol(api, database.pool);
    const link = await linkFor(user);
    expect(await signIn(link)).toMatchObject({
      status: 401,
      body: { error: { details: [{ field: 'code', code: 'required' }] } },
    });
    expect(await signIn(link, { code: '000000' })).toMatchObject({
      status: 401,
      body: { error: { details: [{ field: 'code', code: 'invalid_value' }] } },
    });
    expect((await signIn(link, { code: authenticator.code() })).status).toBe(200);
  });

  it('cannot be used from a page of another site', async () => {
    const link = await linkFor(await createTestUser(database.pool, 'viewer'));
    expect((await signIn(link, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await signIn(link)).status).toBe(200);
  });

  it('is recorded in the audit trail, when it is made and when it is used', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    await signIn(await linkFor(user));
    const { rows } = await database.pool.query(
      'select operation, status, fields from audit_log where user_id = $1 order by id',
      [user.id],
    );
    expect(rows).toEqual([{ operation: 'signIn', status: 200, fields: [] }]);
    const made = await database.pool.query(`select 1 from audit_log where operation = 'createSignInLink'`);
    expect(made.rowCount).toBeGreaterThan(0);
  });
});

describe('the maker of a link', () => {
  it('may be an owner, for viewers who see only things of that owner', async () => {
    const { id: mine } = await createTestProject(database.pool);
    const owner = await createTestUser(database.pool, 'owner', { projects: [mine] });
    const call = clientOf(api.cabinet, await tokenOf(database.pool, owner));
    const viewer = await createTestUser(database.pool, 'viewer', { projects: [mine] });
    expect((await signIn(await linkFor(viewer, call))).status).toBe(200);
    const { id: foreign } = await createTestProject(database.pool);
    const others = [
      await createTestUser(database.pool, 'viewer', { projects: [mine, foreign] }),
      await createTestUser(database.pool, 'owner', { projects: [mine] }),
      await createTestUser(database.pool, 'admin'),
      owner,
    ];
    for (const { id } of others) expect((await call('POST', '/sign-in-links', { user: id })).status).toBe(404);
  });

  it('may not be a viewer', async () => {
    const viewer = await createTestUser(database.pool, 'viewer');
    const call = clientOf(api.cabinet, await tokenOf(database.pool, viewer));
    expect((await call('POST', '/sign-in-links', { user: viewer.id })).status).toBe(403);
  });

  it.each([[{}], [{ user: 'nobody' }], [{ user: 7 }]])('is told that %j is not a user', async (body) => {
    expect((await admin('POST', '/sign-in-links', body)).status).toBe(422);
  });
});

describe('the database', () => {
  it('refuses a link for somebody who does not exist', async () => {
    const nobody = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';
    const link = { hash: keyHash(newKey('signInLink')), userId: nobody, manager: null };
    expect(await insertSignInLink(database.pool, link)).toBeNull();
  });
});
