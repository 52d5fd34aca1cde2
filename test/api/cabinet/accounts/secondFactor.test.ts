/** One-time codes at login, the lockout of an account by strangers, and tokens that expire. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findTotpStep, newTotpSecret } from '../../../../domain/accounts/totp.ts';
import { runAdmin } from '../../../../tools/scripts/admin/run.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { createTestUser, openBrowser, PASSWORD, tokenOf } from '../../support/people.ts';
import { enrol, openAuthenticator } from '../../support/secondFactor.ts';
import { clientOf, createTestToken, startTestApi, type Answer, type TestApi } from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, env: { TRUSTED_PROXIES: '127.0.0.1' } });
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

// All tests share one address, whose login attempts would soon be used up.
beforeEach(() => database.pool.query('delete from rate_buckets'));

const logInWith = (email: string, code?: string, headers: Record<string, string> = {}, password = PASSWORD) =>
  clientOf(api.cabinet, null)('POST', '/login', { email, password, ...(code !== undefined && { code }) }, { headers });
const refusal = ({ status, body }: Answer) => [status, body.error?.details?.[0]?.field, body.error?.details?.[0]?.code];

describe('a second factor', () => {
  it('is requested at the login, after the password, and each code works once', async () => {
    const { user, authenticator, browser, code: first } = await enrol(api, database.pool);
    expect((await browser.call('GET', '/me/totp')).body).toEqual({ enabled: true, recovery_codes_left: 10 });
    expect(refusal(await logInWith(user.email))).toEqual([401, 'code', 'required']);
    expect(refusal(await logInWith(user.email, '000000', {}, 'a wrong password'))).toEqual([401, undefined, undefined]);
    expect(refusal(await logInWith(user.email, 'abcdef'))).toEqual([401, 'code', 'invalid_value']);
    expect(refusal(await logInWith(user.email, first))).toEqual([401, 'code', 'invalid_value']);
    const code = authenticator.code();
    const answers = await Promise.all([logInWith(user.email, code), logInWith(user.email, code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect(refusal(await logInWith(user.email, code))).toEqual([401, 'code', 'invalid_value']);
  });

  it('can be replaced by each recovery code once', async () => {
    const { user, browser, recoveryCodes } = await enrol(api, database.pool);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [code = ''] = recoveryCodes;
    expect((await logInWith(user.email, code.toLowerCase())).status).toBe(200);
    expect((await logInWith(user.email, code)).status).toBe(401);
    expect((await browser.call('GET', '/me/totp')).body.recovery_codes_left).toBe(9);
  });

  it('is stored encrypted, and its codes as hashes', async () => {
    const { user, secret, recoveryCodes } = await enrol(api, database.pool);
    const { rows } = await database.pool.query(
      `select totp_secret, (select json_agg(encode(hash, 'escape')) from recovery_codes where user_id = id) as codes from users where id = $1`,
      [user.id],
    );
    const stored = `${rows[0].totp_secret.toString('latin1')} ${JSON.stringify(rows[0].codes)}`;
    for (const plain of [secret.toString('latin1'), secret.toString('base64'), ...recoveryCodes])
      expect(stored).not.toContain(plain);
    expect(JSON.stringify(api.log)).not.toContain(recoveryCodes[0]);
  });

  it('cannot be switched on with a wrong code or twice, or off without password and code', async () => {
    const { browser, authenticator, user, recoveryCodes } = await enrol(api, database.pool);
    expect((await browser.call('POST', '/me/totp', { password: PASSWORD })).status).toBe(422);
    expect((await browser.call('POST', '/me/totp/confirm', { code: authenticator.code() })).status).toBe(422);
    const other = await openBrowser(api, await createTestUser(database.pool, 'viewer'));
    expect((await other.call('POST', '/me/totp', { password: 'a wrong one' })).status).toBe(422);
    await other.call('POST', '/me/totp', { password: PASSWORD });
    expect((await other.call('POST', '/me/totp/confirm', { code: 'abcdef' })).status).toBe(422);
    const [code = '', another = ''] = recoveryCodes;
    const remove = (password: string, given: string) =>
      browser.call('POST', '/me/totp/remove', { password, code: given });
    expect([(await remove('wrong', code)).status, (await remove(PASSWORD, 'abcdef')).status]).toEqual([422, 422]);
    expect((await remove(PASSWORD, another)).body).toEqual({ enabled: false, recovery_codes_left: 0 });
    expect((await logInWith(user.email)).status).toBe(200);
  });

  it("does not exist for the installation's token, and the command line lets in users who have lost it", async () => {
    const { user } = await enrol(api, database.pool);
    const installation = clientOf(api.cabinet, await createTestToken(database.pool));
    expect((await installation('GET', '/me/totp')).status).toBe(404);
    const off = () => runAdmin(['user', 'totp-off', '--email', user.email], { DATABASE_URL: database.url });
    expect((await off()).code).toBe(0);
    expect((await logInWith(user.email)).status).toBe(200);
    expect((await off()).code).toBe(2);
  });

  it('is removed when the rights are widened, so that whoever set it up keeps nothing', async () => {
    const { user, recoveryCodes } = await enrol(api, database.pool);
    const admin = clientOf(api.cabinet, await createTestToken(database.pool));
    await admin('PATCH', `/users/${user.id}`, { role: 'owner', password: 'a new password' });
    expect((await logInWith(user.email, undefined, {}, 'a new password')).status).toBe(200);
    const { rows } = await database.pool.query('select from recovery_codes where user_id = $1', [user.id]);
    expect([rows.length, recoveryCodes.length]).toEqual([0, 10]);
  });
});

it.each([0, 15_000, 29_999])('the first two codes shown %i ms into a step are valid for half a minute', (into) => {
  const [at, secret] = [1_800_000_000_000 + into, newTotpSecret()];
  const authenticator = openAuthenticator(secret);
  for (const code of [authenticator.code(at), authenticator.code(at)])
    for (const later of [0, 1, 29_999]) expect(findTotpStep(secret, code, at + later)).not.toBeNull();
});

describe('a stranger who uses up the login attempts of an account', () => {
  it('does not keep its owner from logging in where the owner has logged in before', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const from = (ip: string) => ({ 'x-forwarded-for': ip });
    const first = await logInWith(user.email, undefined, from('198.51.100.1'));
    const device = first.headers.getSetCookie().find((cookie) => cookie.startsWith('attune_device=')) ?? '';
    expect(device).toMatch(
      /^attune_device=[\w-]{22}\.[\w-]{43}; Path=\/cabinet; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
    );
    const cookie = device.split(';')[0] ?? '';
    for (let tries = 0; tries < 12; tries++)
      await logInWith(user.email, undefined, from('203.0.113.66'), 'a wrong password');
    expect((await logInWith(user.email, undefined, from('198.51.100.2'))).status).toBe(429);
    const known = { ...from('198.51.100.2'), cookie };
    const again = await logInWith(user.email, undefined, known);
    expect([again.status, again.headers.getSetCookie().length]).toEqual([200, 1]);
    // A known device has as many attempts as a stranger, counted separately; and it is known for this account only.
    for (let tries = 0; tries < 10; tries++) await logInWith(user.email, undefined, known, 'a wrong password');
    expect((await logInWith(user.email, undefined, known)).status).toBe(429);
    const forged = { ...from('198.51.100.3'), cookie: `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}` };
    expect((await logInWith(user.email, undefined, forged)).status).toBe(429);
    const other = await createTestUser(database.pool, 'viewer');
    const foreign = await logInWith(other.email, undefined, { ...from('198.51.100.4'), cookie });
    expect(foreign.headers.getSetCookie()).toHaveLength(2);
  });
});

describe('tokens', () => {
  it('expire after the requested number of days, 90 by default and 365 at most', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const call = (await openBrowser(api, user)).call;
    const daysOf = ({ body }: Answer) => Math.round((Date.parse(body.expires_at) - Date.now()) / 86_400_000);
    const token = await call('POST', '/tokens', { name: 'x' });
    expect(daysOf(token)).toBe(90);
    expect(daysOf(await call('POST', '/tokens', { name: 'x', expires_in_days: 365 }))).toBe(365);
    for (const days of [0, 366, 1.5])
      expect((await call('POST', '/tokens', { name: 'x', expires_in_days: days })).status).toBe(422);
    const acting = clientOf(api.cabinet, token.body.token);
    expect((await acting('GET', '/me')).status).toBe(200);
    await database.pool.query('update cabinet_tokens set expires_at = now() where id = $1', [token.body.id]);
    expect((await acting('GET', '/me')).status).toBe(401);
  });

  it('made by a token expire with it at the latest', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const maker = await tokenOf(database.pool, user);
    await database.pool.query(`update cabinet_tokens set expires_at = now() + interval '1 day' where user_id = $1`, [
      user.id,
    ]);
    const made = await clientOf(api.cabinet, maker)('POST', '/tokens', { name: 'x', expires_in_days: 300 });
    expect(Date.parse(made.body.expires_at)).toBeLessThanOrEqual(Date.now() + 86_400_000);
  });
});
