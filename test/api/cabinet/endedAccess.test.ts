/** A change that ends all access to an account also ends access that is being granted at that moment. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { updateUser, type UserChange } from '../../../db/accounts/accounts.ts';
import { insertSession } from '../../../db/accounts/sessions.ts';
import { inTransaction } from '../../../db/pool.ts';
import { keyHash, newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { cheapHash, createTestUser, openBrowser, OWN_PAGE, PASSWORD, tokenOf, type Person } from '../support/people.ts';
import { clientOf, createTestToken, startTestApi, type Client, type TestApi } from '../support/testApi.ts';

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

const change = ({ id }: Person, what: UserChange) =>
  updateUser(database.pool, id, what, { manager: null, lostPassword: cheapHash('nobody knows it') });

const lock = (client: pg.PoolClient, { id }: Person) =>
  client.query('select from users where id = $1 for update', [id]);

/** Does what the change of a password does, up to its commit. */
async function beginNewPassword(client: pg.PoolClient, { id }: Person): Promise<void> {
  await client.query('update users set password_hash = $2 where id = $1', [id, cheapHash('another password')]);
  await client.query('delete from sessions where user_id = $1', [id]);
}

async function countSessions({ id }: Person): Promise<number> {
  return (await database.pool.query('select from sessions where user_id = $1', [id])).rowCount ?? 0;
}

describe.each<[string, UserChange]>([
  ['a new password', { passwordHash: cheapHash('another password') }],
  ['a wider role', { role: 'admin' }],
])('%s', (_what, how) => {
  it('ends the session of a login that commits meanwhile', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    let changed: Promise<unknown> | undefined;
    await inTransaction(database.pool, async (client) => {
      const session = { hash: keyHash(newKey('cabinet')), userId: user.id, passwordHash: cheapHash(PASSWORD) };
      expect(await insertSession(client, session)).toBe(true);
      changed = change(user, how);
      await untilWaiting(database.pool, 1);
    });
    await changed;
    expect(await countSessions(user)).toBe(0);
  });
});

describe('wider rights', () => {
  it('revoke a token that is stored meanwhile', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const token = newKey('cabinet');
    let changed: Promise<unknown> | undefined;
    await inTransaction(database.pool, async (client) => {
      await lock(client, user);
      const { prefix, hash } = storedKey(token);
      await client.query(
        `insert into cabinet_tokens (user_id, name, prefix, hash, expires_at) values ($1, 'late', $2, $3, now() + interval '1 day')`,
        [user.id, prefix, hash],
      );
      changed = change(user, { role: 'admin' });
      await untilWaiting(database.pool, 1);
    });
    await changed;
    expect((await clientOf(api.cabinet, token)('GET', '/me')).status).toBe(401);
  });

  it.each(['session', 'token'])('refuse a token that a %s was about to create', async (kind) => {
    const user = await createTestUser(database.pool, 'viewer');
    const call =
      kind === 'session'
        ? (await openBrowser(api, user)).call
        : clientOf(api.cabinet, await tokenOf(database.pool, user));
    let answer: ReturnType<Client> | undefined;
    await inTransaction(database.pool, async (client) => {
      await lock(client, user);
      answer = call('POST', '/tokens', { name: 'late' });
      await untilWaiting(database.pool, 1);
      await client.query('delete from sessions where user_id = $1', [user.id]);
      await client.query('update cabinet_tokens set revoked_at = now() where user_id = $1', [user.id]);
    });
    expect((await answer)?.status).toBe(401);
  });
});

describe('a link to sign in', () => {
  it('opens no session when the password changes meanwhile', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const { body } = await admin('POST', '/sign-in-links', { user: user.id });
    let answer: ReturnType<Client> | undefined;
    await inTransaction(database.pool, async (client) => {
      await beginNewPassword(client, user);
      const link = String(body.url).split('#')[1] ?? '';
      answer = clientOf(api.cabinet, null)('POST', '/sign-in', { link }, { headers: OWN_PAGE });
      await untilWaiting(database.pool, 1);
    });
    expect((await answer)?.status).toBe(401);
    expect(await countSessions(user)).toBe(0);
  });
});

describe('PATCH /me', () => {
  it('does not overwrite a password that was changed after the current one was checked', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const call = clientOf(api.cabinet, await tokenOf(database.pool, user));
    let answer: ReturnType<Client> | undefined;
    await inTransaction(database.pool, async (client) => {
      await beginNewPassword(client, user);
      answer = call('PATCH', '/me', { current_password: PASSWORD, password: 'staple battery horse' });
      await untilWaiting(database.pool, 1);
    });
    expect(await answer).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'current_password', code: 'invalid_value' }] } },
    });
    const { rows } = await database.pool.query('select password_hash from users where id = $1', [user.id]);
    expect(rows).toEqual([{ password_hash: cheapHash('another password') }]);
  });
});
