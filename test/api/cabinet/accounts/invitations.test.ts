/** New accounts start with an invitation, and wider rights start with a new password. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { INVITATIONS_PER_INVITER } from '../../../../db/accounts/invitations.ts';
import { inTransaction } from '../../../../db/pool.ts';
import { newKey } from '../../../../domain/accounts/keyFormats.ts';
import { runAdmin } from '../../../../tools/scripts/admin/run.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { untilWaiting } from '../../../support/lockWaits.ts';
import { createTestUser, logIn, openBrowser, PASSWORD, tokenOf, type Person } from '../../support/people.ts';
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
let count = 0;
const newEmail = (): string => `invited-${count++}@example.com`;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  admin = clientOf(api.cabinet, await createTestToken(database.pool));
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

// All tests share one address, whose login attempts would soon be used up.
beforeEach(() => database.pool.query('delete from rate_buckets'));

async function ownerWithProject(): Promise<{ owner: Person; call: Client; mine: string }> {
  const { id: mine } = await createTestProject(database.pool);
  const owner = await createTestUser(database.pool, 'owner', { projects: [mine] });
  return { owner, call: clientOf(api.cabinet, await tokenOf(database.pool, owner)), mine };
}

const accept = (invitation: string, password = 'my own password'): Promise<Answer> =>
  clientOf(api.cabinet, null)('POST', '/invitations/accept', { invitation, password });

describe('an invitation', () => {
  it('creates the account when it is accepted, with a password that nobody else has known', async () => {
    const { call, mine } = await ownerWithProject();
    const email = newEmail();
    const { status, body } = await call('POST', '/users', { email, role: 'viewer', projects: [mine] });
    expect(status).toBe(201);
    expect(body).toMatchObject({ email, role: 'viewer', state: 'invited', projects: [mine], last_login_at: null });
    expect(body.invitation).toMatch(/^ai_[A-Za-z0-9]{40}$/);
    expect((await call('GET', '/users')).body.items).toMatchObject([{ id: body.id, state: 'invited' }]);
    expect(JSON.stringify(await database.pool.query('select * from invitations'))).not.toContain(body.invitation);
    expect((await logIn(api, email, 'my own password')).status).toBe(401);
    expect((await accept(body.invitation)).body).toEqual({ accepted: true });
    expect((await logIn(api, email, 'my own password')).body).toMatchObject({ role: 'viewer', projects: [mine] });
    expect((await accept(body.invitation, 'another password')).status).toBe(404);
    expect((await call('GET', '/users')).body.items).toMatchObject([{ email, state: 'active' }]);
  });

  it('does not reveal which addresses exist, neither when it is made nor when it is accepted', async () => {
    const { call, mine } = await ownerWithProject();
    const somebody = await createTestUser(database.pool, 'admin');
    const forms = [];
    for (const email of [newEmail(), somebody.email]) {
      const made = await call('POST', '/users', { email, role: 'viewer', projects: [mine] });
      const accepted = await accept(made.body.invitation);
      forms.push([made.status, Object.keys(made.body), made.body.state, accepted.status, accepted.body]);
    }
    expect(forms[0]).toEqual(forms[1]);
    // The existing account is unchanged.
    expect((await logIn(api, somebody.email, 'my own password')).status).toBe(401);
    expect((await logIn(api, somebody.email)).body).toMatchObject({ id: somebody.id, role: 'admin' });
    const viewer = await createTestUser(database.pool, 'viewer', { projects: [mine] });
    for (const email of [newEmail(), somebody.email])
      expect((await call('PATCH', `/users/${viewer.id}`, { email })).status).toBe(403);
  });

  it('is the only way for an owner to add a user: a password chosen by the owner is refused', async () => {
    const { call, mine } = await ownerWithProject();
    const body = { email: newEmail(), role: 'viewer', projects: [mine], password: PASSWORD };
    expect(await call('POST', '/users', body)).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'password', code: 'invalid_value' }] } },
    });
  });

  it('ends when it is withdrawn, expires or is replaced, or when the inviter may no longer invite', async () => {
    const { owner, call, mine } = await ownerWithProject();
    const invite = async (): Promise<{ id: string; invitation: string }> =>
      (await call('POST', '/users', { email: newEmail(), role: 'viewer', projects: [mine] })).body;
    const [back, late, renewed, lost] = [await invite(), await invite(), await invite(), await invite()];
    expect((await call('DELETE', `/users/${back.id}`)).status).toBe(200);
    await database.pool.query(`update invitations set expires_at = now() where id = $1`, [late.id]);
    const again = await call('POST', `/users/${renewed.id}/invitation`);
    expect(again).toMatchObject({ status: 201, body: { id: renewed.id } });
    for (const { invitation } of [back, late, renewed, { invitation: newKey('invitation') }, { invitation: 'x' }])
      expect((await accept(invitation)).status).toBe(404);
    expect((await accept(again.body.invitation)).status).toBe(200);
    await admin('PATCH', `/users/${owner.id}`, { projects: [] });
    expect((await accept(lost.invitation)).status).toBe(404);
  });

  it('is not found by another owner, and is refused above the limit of open ones', async () => {
    const [one, other] = [await ownerWithProject(), await ownerWithProject()];
    const { id } = (await one.call('POST', '/users', { email: newEmail(), role: 'viewer', projects: [one.mine] })).body;
    expect((await other.call('POST', `/users/${id}/invitation`)).status).toBe(404);
    expect((await other.call('DELETE', `/users/${id}`)).status).toBe(404);
    await database.pool.query(
      `insert into invitations (hash, email, role, invited_by, expires_at)
       select sha256(n::text::bytea), n || '@example.com', 'viewer', $1, now() + interval '1 day' from generate_series(2, $2) n`,
      [one.owner.id, INVITATIONS_PER_INVITER],
    );
    const body = { email: newEmail(), role: 'viewer', projects: [one.mine] };
    expect((await one.call('POST', '/users', body)).status).toBe(422);
  });

  it('is refused over the limit even when several are made at once', async () => {
    const { owner, mine, call } = await ownerWithProject();
    await database.pool.query(
      `insert into invitations (hash, email, role, invited_by, expires_at)
       select sha256(('at once ' || n)::bytea), 'at-once-' || n || '@example.com', 'viewer', $1, now() + interval '1 day'
         from generate_series(2, $2) n`,
      [owner.id, INVITATIONS_PER_INVITER],
    );
    let answers: Promise<Answer[]> | undefined;
    await inTransaction(database.pool, async (client) => {
      // Storing an invitation waits for the row of its inviter.
      await client.query('select from users where id = $1 for update', [owner.id]);
      const invite = () => call('POST', '/users', { email: newEmail(), role: 'viewer', projects: [mine] });
      answers = Promise.all([invite(), invite()]);
      await untilWaiting(database.pool, 2);
    });
    expect((await answers)?.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  });
});

describe('more rights', () => {
  it.each([
    ['a higher role', (): object => ({ role: 'admin' })],
    ['another project', (project: string): object => ({ projects: [project] })],
  ])(
    '(%s) end tokens, sessions and the password, and come with an invitation to set a new one',
    async (_what, change) => {
      const { id: project } = await createTestProject(database.pool);
      const user = await createTestUser(database.pool, 'owner');
      const token = clientOf(api.cabinet, await tokenOf(database.pool, user));
      const browser = await openBrowser(api, user);
      const { status, body } = await admin('PATCH', `/users/${user.id}`, change(project));
      expect([status, body.invitation]).toEqual([200, expect.stringMatching(/^ai_/)]);
      expect([(await token('GET', '/me')).status, (await browser.call('GET', '/me')).status]).toEqual([401, 401]);
      expect((await logIn(api, user.email)).status).toBe(401);
      expect((await accept(body.invitation, 'after the change')).status).toBe(200);
      expect((await logIn(api, user.email, 'after the change')).body).toMatchObject(change(project));
      expect((await token('GET', '/me')).status).toBe(401);
    },
  );

  it('leave nothing to the creator of an account: a token for a viewer who is promoted gets 401', async () => {
    const { call, mine } = await ownerWithProject();
    const email = newEmail();
    const { invitation } = (await call('POST', '/users', { email, role: 'viewer', projects: [mine] })).body;
    await accept(invitation);
    const viewer = (await call('GET', '/users')).body.items[0];
    const kept = clientOf(api.cabinet, await tokenOf(database.pool, viewer));
    expect((await kept('GET', '/me')).status).toBe(200);
    await admin('PATCH', `/users/${viewer.id}`, { role: 'admin' });
    expect((await kept('GET', '/me')).status).toBe(401);
    expect((await logIn(api, email, 'my own password')).status).toBe(401);
  });

  it('need no invitation when the change includes a password', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const token = clientOf(api.cabinet, await tokenOf(database.pool, user));
    const { body } = await admin('PATCH', `/users/${user.id}`, { role: 'owner', password: 'a new password' });
    expect(body.invitation).toBeNull();
    expect((await token('GET', '/me')).status).toBe(401);
    expect((await logIn(api, user.email, 'a new password')).status).toBe(200);
  });
});

describe("an owner's invitation of a viewer", () => {
  async function renewed(): Promise<{ viewer: Person; mine: string; call: Client; invitation: string }> {
    const { call, mine } = await ownerWithProject();
    const viewer = await createTestUser(database.pool, 'viewer', { projects: [mine] });
    const { body } = await call('POST', `/users/${viewer.id}/invitation`);
    return { viewer, mine, call, invitation: body.invitation };
  }

  /** Checks that the invitation sets no password: whoever sets it would take over the account. */
  async function expectClosed(invitation: string, { email }: Person, password: string): Promise<void> {
    expect((await accept(invitation, 'the password of the owner')).status).toBe(404);
    expect((await logIn(api, email, password)).status).toBe(200);
  }

  it('sets a new password for the viewer as long as the viewer belongs to the owner', async () => {
    const { viewer, invitation } = await renewed();
    expect((await accept(invitation, 'after the change')).status).toBe(200);
    expect((await logIn(api, viewer.email, 'after the change')).status).toBe(200);
  });

  it.each([
    ['a higher role', (): object => ({ role: 'admin' })],
    ['another project', (mine: string, other: string): object => ({ projects: [mine, other] })],
    ['a password alone', (): object => ({})],
  ])('ends when an administrator gives the viewer %s', async (_what, change) => {
    const { viewer, mine, invitation } = await renewed();
    const { id: other } = await createTestProject(database.pool);
    const password = 'from the administrator';
    const { status } = await admin('PATCH', `/users/${viewer.id}`, { ...change(mine, other), password });
    expect(status).toBe(200);
    await expectClosed(invitation, viewer, password);
  });

  it('is replaced by that of the administrator who promotes the viewer', async () => {
    const { viewer, invitation } = await renewed();
    const { body } = await admin('PATCH', `/users/${viewer.id}`, { role: 'owner' });
    expect((await accept(invitation)).status).toBe(404);
    expect((await accept(body.invitation)).status).toBe(200);
    expect((await logIn(api, viewer.email, 'my own password')).status).toBe(200);
  });

  it('ends when the command line sets a password', async () => {
    const { viewer, invitation } = await renewed();
    const environment = { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32), REQUIRE_HTTPS: 'false' };
    const { lines } = await runAdmin(['user', 'password', '--email', viewer.email], environment);
    await expectClosed(invitation, viewer, lines.find((line) => line.startsWith('password '))?.slice(9) ?? '');
  });

  it.each([
    ['is an owner', `role = 'owner'`],
    ['sees something that is not the inviter’s', `sites = '{abcdefghijkl}'`],
    ['sees nothing of the inviter’s any more', `projects = '{}'`],
  ])('does not work if the viewer %s by the time it is accepted', async (_what, change) => {
    const { viewer, invitation } = await renewed();
    await database.pool.query(`update users set ${change} where id = $1`, [viewer.id]);
    await expectClosed(invitation, viewer, PASSWORD);
  });

  it('does not work when the viewer is promoted while it is being accepted', async () => {
    const { viewer, invitation } = await renewed();
    const client = await database.pool.connect();
    try {
      await client.query('begin');
      await client.query(`update users set role = 'admin' where id = $1`, [viewer.id]);
      const accepted = accept(invitation);
      await untilWaiting(database.pool, 1);
      await client.query('commit');
      expect((await accepted).status).toBe(404);
    } finally {
      client.release();
    }
  });

  it('is the only way for the owner to change the password: one chosen by the owner is refused', async () => {
    const { viewer, call } = await renewed();
    expect(await call('PATCH', `/users/${viewer.id}`, { password: 'mine from now on' })).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'password', code: 'invalid_value' }] } },
    });
    expect((await logIn(api, viewer.email)).status).toBe(200);
  });
});
