/** Login, logout and the lifetime of a session; pages of other sites cannot use it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../../db/pool.ts';
import { createPasswordHasher } from '../../../../platform/process/passwordHasher.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { untilWaiting } from '../../../support/lockWaits.ts';
import {
  cheapHash,
  createTestUser,
  logIn,
  openBrowser,
  PASSWORD,
  tokenOf,
  withHeaders,
  type Browser,
  type Person,
} from '../../support/people.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Answer,
  type TestApi,
} from '../../support/testApi.ts';
import { createTestSite } from '../../support/testSite.ts';

let database: TestDatabase;
let api: TestApi;
/** Hashes passwords at the product's cost. */
let product: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  // The test's own address acts as a proxy, so that each test may use an address of its own and https.
  const options = {
    databaseUrl: database.url,
    env: { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'https://cabinet.example' },
  };
  api = await startTestApi(options);
  product = await startTestApi({ ...options, passwordCost: 'product' });
});

afterAll(async () => {
  await api?.close();
  await product?.close();
  await database?.drop();
});

// All tests share one address, whose login attempts would soon be used up.
beforeEach(() => database.pool.query('delete from rate_buckets'));

async function statusOf(browser: Browser): Promise<number> {
  return (await browser.call('GET', '/me')).status;
}

describe('POST /login', () => {
  // proves: decisions-cabinet/session, decisions-cabinet-calls/login, decisions-cabinet-calls/me
  it('opens a session that identifies its user', async () => {
    const project = await createTestProject(database.pool);
    const user = await createTestUser(database.pool, 'owner', { projects: [project.id] });
    const answer = await logIn(api, user.email.toUpperCase());
    expect(answer).toMatchObject({
      status: 200,
      body: { id: user.id, email: user.email, name: user.email, role: 'owner', projects: [project.id], sites: [] },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const browser = await openBrowser(api, user);
    expect((await browser.call('GET', '/me')).body).toEqual(answer.body);
    const { rows } = await database.pool.query('select last_login_at from users where id = $1', [user.id]);
    expect(Date.now() - rows[0].last_login_at.getTime()).toBeLessThan(60_000);
  });

  // proves: decisions-cabinet/cookie
  it('sets a cookie that scripts cannot read and other sites do not send', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const [overHttp] = (await logIn(api, user.email)).headers.getSetCookie();
    expect(overHttp).toMatch(/^attune_session=[\w-]{43}; Path=\/cabinet; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
    const secure = await logIn(api, user.email, PASSWORD, { 'x-forwarded-proto': 'https' });
    const [overHttps] = secure.headers.getSetCookie();
    expect(overHttps).toMatch(
      /^__Secure-attune_session=[\w-]{43}; Path=\/cabinet; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    );
    const stored = JSON.stringify((await database.pool.query(`select encode(hash, 'base64') from sessions`)).rows);
    expect(stored).not.toContain(overHttp?.slice(15, 58));
  });

  it('over https accepts only a cookie that was set over https', async () => {
    const { cookie } = await openBrowser(api, await createTestUser(database.pool, 'viewer'));
    const overHttps = withHeaders(clientOf(api.cabinet, null), { 'x-forwarded-proto': 'https' });
    expect((await overHttps('GET', '/me', undefined, { headers: { cookie } })).status).toBe(401);
    expect(
      (await overHttps('GET', '/me', undefined, { headers: { cookie: `other=1; __Secure-${cookie}` } })).status,
    ).toBe(200);
  });

  // proves: decisions-cabinet-calls/login
  it('does not distinguish an unknown e-mail from a wrong password, in text or in time', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const passwordHash = await createPasswordHasher().hash(PASSWORD);
    await database.pool.query('update users set password_hash = $2 where id = $1', [user.id, passwordHash]);
    const time = async (email: string): Promise<{ ms: number; body: unknown }> => {
      const started = performance.now();
      const answer = await logIn(product, email, 'a wrong password', { 'x-forwarded-for': '203.0.113.7' });
      expect(answer.status).toBe(401);
      return { ms: performance.now() - started, body: answer.body };
    };
    const fastest = { known: Infinity, unknown: Infinity };
    const bodies = new Set<string>();
    // Without a dummy hash an unknown e-mail would be answered in a few milliseconds, in the fastest of three
    // rounds. On a busy machine the known one's best time needs more rounds: as many as an account has attempts.
    const takesAsLong = (): boolean => fastest.unknown > fastest.known / 2;
    for (let round = 0; round < 3 || (round < 10 && !takesAsLong()); round++) {
      const [known, unknown] = [await time(user.email), await time('nobody@example.com')];
      fastest.known = Math.min(fastest.known, known.ms);
      fastest.unknown = Math.min(fastest.unknown, unknown.ms);
      bodies.add(JSON.stringify(known.body)).add(JSON.stringify(unknown.body));
    }
    expect(bodies.size).toBe(1);
    expect(fastest.unknown).toBeGreaterThan(fastest.known / 2);
  });

  // proves: decisions-cabinet/admin, decisions-cabinet-calls/user-changed
  it('answers 403 to users whom an admin has blocked, but only if their password is right', async () => {
    const user = await createTestUser(database.pool, 'owner');
    const [browser, token] = [await openBrowser(api, user), await tokenOf(database.pool, user)];
    const admin = clientOf(api.cabinet, await createTestToken(database.pool));
    const statuses = async (): Promise<number[]> => [
      (await logIn(api, user.email)).status,
      (await logIn(api, user.email, 'a wrong password')).status,
      await statusOf(browser),
      (await clientOf(api.cabinet, token)('GET', '/me')).status,
    ];
    expect((await admin('PATCH', `/users/${user.id}`, { state: 'blocked' })).body.state).toBe('blocked');
    expect(await statuses()).toEqual([403, 401, 403, 403]);
    expect((await admin('PATCH', `/users/${user.id}`, { state: 'active' })).body.state).toBe('active');
    expect(await statuses()).toEqual([200, 401, 200, 200]);
  });

  it.each([
    [{ email: 'a@example.com' }, 'password', 'required'],
    [{ email: 5, password: 'x' }, 'email', 'invalid_type'],
    [{ email: 'a@example.com', password: 'x'.repeat(257) }, 'password', 'too_long'],
    [{ email: 'a@example.com', password: 'x', remember: true }, 'remember', 'unknown_field'],
  ])('refuses %j', async (body, field, code) => {
    expect(await clientOf(api.cabinet, null)('POST', '/login', body)).toMatchObject({
      status: 422,
      body: { error: { details: [{ field, code }] } },
    });
  });
});

describe('login attempts', () => {
  it('at one account are limited, whatever addresses they come from, even with the right password', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const attempt = (index: number) =>
      logIn(api, user.email, index === 14 ? PASSWORD : 'a wrong password', {
        'x-forwarded-for': `198.51.100.${index}`,
      });
    const answers = [];
    for (let index = 0; index < 15; index++) answers.push(await attempt(index));
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), ...Array(5).fill(429)]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(answers.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('from one address are limited, whatever accounts they target, across both processes', async () => {
    const other = await startTestApi({ databaseUrl: database.url, env: { TRUSTED_PROXIES: '127.0.0.1' } });
    const users = await Promise.all(Array.from({ length: 40 }, () => createTestUser(database.pool, 'viewer')));
    const attempt = ({ email }: Person, index: number) =>
      logIn(index % 2 ? other : api, email, 'a wrong password', { 'x-forwarded-for': '198.51.100.200' });
    const started = performance.now();
    const statuses = (await Promise.all(users.map(attempt))).map(({ status }) => status);
    // One token returns every ten seconds, so a slow machine earns a few.
    const earned = Math.ceil((performance.now() - started) / 10_000);
    await other.close();
    const through = statuses.filter((status) => status === 401).length;
    expect(through).toBeGreaterThanOrEqual(30);
    expect(through).toBeLessThanOrEqual(30 + earned);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40 - through);
  });

  it('do not affect users who are logged in', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const browser = await openBrowser(api, user);
    await database.pool.query('update users set password_hash = $2 where id = $1', [user.id, cheapHash(PASSWORD)]);
    for (let index = 0; index < 11; index++)
      await logIn(api, user.email, 'a wrong password', { 'x-forwarded-for': `192.0.2.${index}` });
    expect(await statusOf(browser)).toBe(200);
  });
});

describe('a hash with a former cost', () => {
  it('is renewed at the login, and works as before', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    expect((await logIn(product, user.email)).status).toBe(200);
    const { rows } = await database.pool.query('select password_hash from users where id = $1', [user.id]);
    expect(rows[0].password_hash).toMatch(/^\$scrypt\$ln=15,/);
    expect((await logIn(product, user.email)).status).toBe(200);
  });

  it('can be renewed by one login while another login or a change of the password is checking it', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const call = clientOf(product.cabinet, await tokenOf(database.pool, user));
    const renewed = await createPasswordHasher().hash(PASSWORD);
    for (const use of [
      () => logIn(product, user.email),
      () => call('PATCH', '/me', { current_password: PASSWORD, password: 'staple battery horse' }),
    ]) {
      await database.pool.query('update users set password_hash = $2 where id = $1', [user.id, cheapHash(PASSWORD)]);
      let answer: Promise<Answer> | undefined;
      await inTransaction(database.pool, async (client) => {
        await client.query('update users set password_hash = $2 where id = $1', [user.id, renewed]);
        answer = use();
        await untilWaiting(database.pool, 1);
      });
      expect((await answer)?.status).toBe(200);
    }
    expect((await logIn(product, user.email, 'staple battery horse')).status).toBe(200);
  });
});

describe('a session', () => {
  it('ends after a day without use, and 30 days after its login', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const [idle, old, alive] = [
      await openBrowser(api, user),
      await openBrowser(api, user),
      await openBrowser(api, user),
    ];
    const age = async (browser: Browser, created: string, used: string): Promise<void> => {
      const secret = browser.cookie.slice('attune_session='.length);
      const { rowCount } = await database.pool.query(
        `update sessions set created_at = now() - $2::interval, last_used_at = now() - $3::interval where hash = sha256($1::bytea)`,
        [secret, created, used],
      );
      expect(rowCount).toBe(1);
    };
    await age(idle, '2 days', '24 hours 1 second');
    await age(old, '30 days 1 second', '1 minute');
    await age(alive, '29 days 23 hours', '23 hours');
    expect([await statusOf(idle), await statusOf(old), await statusOf(alive)]).toEqual([401, 401, 200]);
    const { rows } = await database.pool.query(
      `select count(*)::int as fresh from sessions where user_id = $1 and last_used_at > now() - interval '1 minute'`,
      [user.id],
    );
    expect(rows).toEqual([{ fresh: 1 }]);
  });

  // proves: decisions-cabinet-calls/logout
  it('ends with POST /logout, and no other session does', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const [one, other] = [await openBrowser(api, user), await openBrowser(api, user)];
    const answer = await one.call('POST', '/logout');
    expect(answer).toMatchObject({ status: 200, body: { sessions_ended: 1 } });
    expect(answer.headers.get('set-cookie')).toMatch(/^attune_session=; Path=\/cabinet; Max-Age=0/);
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 200]);
  });

  // proves: analytics-auth/6
  // proves: decisions-cabinet/sign-out
  it('ends on all devices with POST /logout-everywhere, while tokens and keys of projects and sites stay', async () => {
    const [project, site] = [await createTestProject(database.pool), await createTestSite(database.pool)];
    const user = await createTestUser(database.pool, 'owner', { projects: [project.id], sites: [site.id] });
    const [one, other, stranger] = [
      await openBrowser(api, user),
      await openBrowser(api, user),
      await openBrowser(api, await createTestUser(database.pool, 'viewer')),
    ];
    const token = await tokenOf(database.pool, user);
    expect((await one.call('POST', '/logout-everywhere')).body).toEqual({ sessions_ended: 2 });
    expect([await statusOf(one), await statusOf(other), await statusOf(stranger)]).toEqual([401, 401, 200]);
    expect((await clientOf(api.cabinet, token)('GET', '/me')).status).toBe(200);
    expect((await clientOf(api.content, project.key)('GET', '/items/a')).status).toBe(404);
    expect((await clientOf(api.analytics, site.key)('GET', '/network')).status).toBe(200);
  });

  it('ends when the password changes, except the one in which it was changed, which gets a new id', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const [one, other] = [await openBrowser(api, user), await openBrowser(api, user)];
    expect(
      await one.call('PATCH', '/me', { current_password: 'a wrong password', password: 'another password' }),
    ).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'current_password', code: 'invalid_value' }] } },
    });
    const changed = await one.call('PATCH', '/me', { current_password: PASSWORD, password: 'another password' });
    expect(changed.status).toBe(200);
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 401]);
    const cookie = changed.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await one.call('GET', '/me', undefined, { headers: { cookie } })).status).toBe(200);
    expect([(await logIn(api, user.email)).status, (await logIn(api, user.email, 'another password')).status]).toEqual([
      401, 200,
    ]);
  });

  // proves: decisions-cabinet-calls/user-deleted
  it('ends when its user is deleted', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    const [browser, token] = [await openBrowser(api, user), await tokenOf(database.pool, user)];
    const admin = clientOf(api.cabinet, await createTestToken(database.pool));
    expect((await admin('DELETE', `/users/${user.id}`)).status).toBe(200);
    expect([await statusOf(browser), (await clientOf(api.cabinet, token)('GET', '/me')).status]).toEqual([401, 401]);
    expect((await logIn(api, user.email)).status).toBe(401);
  });

  it('cannot be forged', async () => {
    for (const cookie of [
      'attune_session=',
      'attune_session=x',
      `attune_session=${'A'.repeat(43)}`,
      `attune_session=${'A'.repeat(43)}'--`,
      `session=${'A'.repeat(43)}`,
    ]) {
      expect((await clientOf(api.cabinet, null)('GET', '/me', undefined, { headers: { cookie } })).status).toBe(401);
    }
  });

  it('is ignored if the request also has a token', async () => {
    const [one, other] = [await createTestUser(database.pool, 'viewer'), await createTestUser(database.pool, 'viewer')];
    const { call } = await openBrowser(api, one);
    const token = await tokenOf(database.pool, other);
    expect((await call('GET', '/me', undefined, { headers: { authorization: `Bearer ${token}` } })).body.email).toBe(
      other.email,
    );
    expect((await call('GET', '/me', undefined, { headers: { authorization: 'Bearer at_wrong' } })).status).toBe(401);
  });
});

describe('a change requested by a browser', () => {
  const OTHERS = [
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a neighbouring name', { 'sec-fetch-site': 'same-site' }],
    ['a typed address', { 'sec-fetch-site': 'none' }],
    ['an old browser on another site', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['an unknown origin', {}],
  ] as const;

  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser(api, await createTestUser(database.pool, 'owner'));
  });

  // proves: decisions-cabinet/csrf
  it.each(OTHERS)('from %s is refused', async (_what, headers) => {
    const { cookie } = browser;
    const call = withHeaders(clientOf(api.cabinet, null), { cookie, ...headers });
    expect((await call('POST', '/projects', { title: 'x' })).status).toBe(403);
    expect((await call('POST', '/logout')).status).toBe(403);
    expect((await call('GET', '/me')).status).toBe(200);
  });

  // proves: decisions-cabinet/csrf
  it('from our own pages is accepted', async () => {
    const { cookie } = browser;
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { origin: api.origin },
      { origin: 'https://cabinet.example' },
    ]) {
      const call = withHeaders(clientOf(api.cabinet, null), { cookie, ...headers });
      expect((await call('POST', '/projects', { title: 'x' })).status).toBe(201);
    }
  });

  // proves: decisions-cabinet/csrf
  it('with a token is accepted wherever it comes from', async () => {
    const token = await tokenOf(database.pool, await createTestUser(database.pool, 'owner'));
    expect(
      (
        await clientOf(api.cabinet, token)(
          'POST',
          '/projects',
          { title: 'x' },
          { headers: { origin: 'https://evil.example' } },
        )
      ).status,
    ).toBe(201);
  });

  it('cannot come from a form: anything but JSON is 400', async () => {
    expect(
      (await browser.call('POST', '/projects', '{"title":"x"}', { headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(400);
    expect(
      (await clientOf(api.cabinet, null)('POST', '/login', '{}', { headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(400);
  });

  it('does not log a browser in from another site', async () => {
    const user = await createTestUser(database.pool, 'viewer');
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      expect((await logIn(api, user.email, PASSWORD, headers)).status).toBe(403);
    }
  });
});

describe('the log', () => {
  it('contains no password, token, cookie or e-mail', () => {
    const text = JSON.stringify(api.log);
    expect(api.log.length).toBeGreaterThan(50);
    for (const secret of [PASSWORD, 'a wrong password', 'another password', '@example.com', 'attune_session=', 'at_'])
      expect(text).not.toContain(secret);
  });
});
