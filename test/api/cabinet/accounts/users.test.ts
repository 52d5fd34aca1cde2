/** Users and their tokens: who may manage whom, and the effects. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOKENS_PER_USER } from '../../../../db/accounts/cabinetTokens.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { OWNER_QUOTA } from '../../../../domain/accounts/ownerQuota.ts';
import { createTestUser, logIn, PASSWORD, tokenOf, type Person } from '../../support/people.ts';
import { createTestSite } from '../../support/testSite.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let admin: Client;

const UNKNOWN_UUID = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';
const UNKNOWN_PROJECT = 'zzzzzzzzzzzz';
let count = 0;
const newEmail = (): string => `new-${count++}@example.com`;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  admin = clientOf(api.cabinet, await createTestToken(database.pool));
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const clientOfUser = async (user: Person): Promise<Client> => clientOf(api.cabinet, await tokenOf(database.pool, user));

/** Accepts an invitation with the password `PASSWORD`. */
async function accept(invitation: string): Promise<void> {
  const { status } = await clientOf(api.cabinet, null)('POST', '/invitations/accept', {
    invitation,
    password: PASSWORD,
  });
  expect(status).toBe(200);
}

/** Creates an owner with a project, and a project of somebody else. */
async function ownerWithProject(): Promise<{ owner: Person; call: Client; mine: string; foreign: string }> {
  const [{ id: mine }, { id: foreign }] = [
    await createTestProject(database.pool),
    await createTestProject(database.pool),
  ];
  const owner = await createTestUser(database.pool, 'owner', { projects: [mine] });
  return { owner, call: await clientOfUser(owner), mine, foreign };
}

describe('an admin', () => {
  // proves: decisions-cabinet-calls/users, decisions-cabinet-calls/user-new, decisions-cabinet-calls/user-changed
  // proves: decisions-cabinet-calls/user-deleted
  it('adds, changes, lists and deletes users of any role', async () => {
    const { id: projectId } = await createTestProject(database.pool);
    const email = newEmail();
    const created = await admin('POST', '/users', {
      email: email.toUpperCase(),
      password: PASSWORD,
      role: 'owner',
      projects: [projectId],
      sites: [],
    });
    expect(created).toMatchObject({
      status: 201,
      body: { email, role: 'owner', state: 'active', projects: [projectId], sites: [], last_login_at: null },
    });
    expect(JSON.stringify(created.body)).not.toContain('scrypt');
    expect((await logIn(api, email)).status).toBe(200);

    const renamed = newEmail();
    const changed = await admin('PATCH', `/users/${created.body.id}`, {
      email: renamed,
      role: 'viewer',
      password: 'another password',
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { id: created.body.id, email: renamed, role: 'viewer', projects: [projectId] },
    });
    expect([
      (await logIn(api, email)).status,
      (await logIn(api, renamed)).status,
      (await logIn(api, renamed, 'another password')).status,
    ]).toEqual([401, 401, 200]);

    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await admin('GET', `/users?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.body.items.map((user: { id: string }) => user.id));
      cursor = page.body.next_cursor;
    }
    const { rows } = await database.pool.query('select id from users order by id');
    expect(seen).toEqual(rows.map(({ id }) => id));
    expect((await admin('DELETE', `/users/${created.body.id}`)).body).toEqual({ id: created.body.id, deleted: true });
    expect((await admin('DELETE', `/users/${created.body.id}`)).status).toBe(404);
    expect((await admin('PATCH', `/users/${UNKNOWN_UUID}`, { state: 'blocked' })).status).toBe(404);
  });

  // proves: decisions-cabinet/hash
  it('stores passwords as scrypt hashes, no two alike', async () => {
    const product = await startTestApi({ databaseUrl: database.url, passwordCost: 'product' });
    try {
      const call = clientOf(product.cabinet, await createTestToken(database.pool));
      for (const _ of [1, 2])
        await call('POST', '/users', { email: newEmail(), password: 'a password of two', role: 'viewer' });
    } finally {
      await product.close();
    }
    const { rows } = await database.pool.query(
      `select password_hash from users where email like 'new-%' order by id desc limit 2`,
    );
    for (const row of rows) expect(row.password_hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    expect(rows[0].password_hash).not.toBe(rows[1].password_hash);
  });

  it('can use an e-mail only once, even in simultaneous requests', async () => {
    const body = { email: newEmail(), password: PASSWORD, role: 'viewer' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => admin('POST', '/users', body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.error.details).toMatchObject([
      { field: 'email', code: 'invalid_value' },
    ]);
    const other = await createTestUser(database.pool, 'viewer');
    expect(await admin('PATCH', `/users/${other.id}`, { email: body.email })).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'email' }] } },
    });
    expect(JSON.stringify(api.log)).not.toContain(body.email);
  });

  it.each<[object, string, string]>([
    [{ email: 'nobody' }, 'email', 'invalid_value'],
    [{ email: 'урок@example.com' }, 'email', 'invalid_value'],
    [{ email: `${'x'.repeat(250)}@a.ru` }, 'email', 'too_long'],
    [{ password: 'short' }, 'password', 'invalid_value'],
    [{ password: 'x'.repeat(257) }, 'password', 'too_long'],
    [{ role: 'king' }, 'role', 'invalid_value'],
    [{ projects: [UNKNOWN_PROJECT] }, 'projects[0]', 'invalid_value'],
    [{ projects: ['no id'] }, 'projects[0]', 'invalid_value'],
    [{ sites: [UNKNOWN_PROJECT] }, 'sites[0]', 'invalid_value'],
    [{ name: 'x' }, 'name', 'unknown_field'],
  ])('is told what is wrong with %j', async (fields, field, code) => {
    const answer = await admin('POST', '/users', { email: newEmail(), password: PASSWORD, role: 'viewer', ...fields });
    expect(answer).toMatchObject({ status: 422, body: { error: { details: [{ field, code }] } } });
  });
});

describe('an owner', () => {
  // proves: decisions-cabinet/owner, decisions-cabinet-calls/projects
  it('immediately owns what they create, and sees nothing else', async () => {
    const { call, mine, foreign } = await ownerWithProject();
    const created = await call('POST', '/projects', { title: 'Новый' });
    expect(created.status).toBe(201);
    expect((await call('GET', `/projects/${created.body.id}`)).status).toBe(200);
    expect((await call('POST', `/projects/${created.body.id}/keys`, { name: 'k' })).status).toBe(201);
    const listed = (await call('GET', '/projects')).body.items.map((project: { id: string }) => project.id);
    expect(listed).toEqual([mine, created.body.id].toSorted());
    expect((await call('GET', `/projects/${foreign}`)).status).toBe(404);
    expect((await call('PATCH', `/projects/${foreign}`, { title: 'x' })).status).toBe(404);
  });

  // proves: decisions-cabinet-calls/users, decisions-cabinet-calls/viewers
  it('manages viewers of their own sites, and no others', async () => {
    const [mine, foreign] = [(await createTestSite(database.pool)).id, (await createTestSite(database.pool)).id];
    const call = await clientOfUser(await createTestUser(database.pool, 'owner', { sites: [mine] }));
    const body = { email: newEmail(), role: 'viewer' };
    expect(await call('POST', '/users', { ...body, sites: [mine, foreign] })).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'sites[1]', code: 'invalid_value' }] } },
    });
    expect(await call('POST', '/users', { ...body, sites: [mine] })).toMatchObject({
      status: 201,
      body: { projects: [], sites: [mine] },
    });
    const own = await createTestUser(database.pool, 'viewer', { sites: [mine] });
    const shared = await createTestUser(database.pool, 'viewer', { sites: [mine, foreign] });
    expect((await call('PATCH', `/users/${own.id}`, { sites: [mine, foreign] })).status).toBe(422);
    expect((await call('PATCH', `/users/${shared.id}`, { state: 'blocked' })).status).toBe(404);
    expect((await call('DELETE', `/users/${shared.id}`)).status).toBe(404);
    expect((await call('DELETE', `/users/${own.id}`)).status).toBe(200);
  });

  it('loses none of several projects created at once', async () => {
    const { call, owner } = await ownerWithProject();
    const ids = (await Promise.all(Array.from({ length: 5 }, () => call('POST', '/projects', { title: 'x' })))).map(
      ({ body }) => body.id as string,
    );
    const { rows } = await database.pool.query('select projects from users where id = $1', [owner.id]);
    expect(rows[0].projects).toEqual(expect.arrayContaining(ids));
  });

  // proves: decisions-cabinet/admin, decisions-cabinet-calls/project-changed
  it('changes titles and archives, but not limits, volumes or a suspension', async () => {
    const { call, mine } = await ownerWithProject();
    expect(
      (await call('PATCH', `/projects/${mine}`, { title: 'Мой', fingerprints: true, state: 'archived' })).body,
    ).toMatchObject({ title: 'Мой', fingerprints: true, state: 'archived' });
    expect((await call('PATCH', `/projects/${mine}`, { state: 'active' })).status).toBe(200);
    for (const body of [
      { limits: { requests_per_second: 100 } },
      { monthly_volume: null },
      { state: 'suspended' },
      { title: 'x', limits: {} },
    ]) {
      expect((await call('PATCH', `/projects/${mine}`, body)).status).toBe(403);
    }
    await admin('PATCH', `/projects/${mine}`, { state: 'suspended' });
    expect((await call('PATCH', `/projects/${mine}`, { state: 'active' })).status).toBe(403);
    expect((await call('PATCH', `/projects/${mine}`, { title: 'Всё ещё мой' })).body).toMatchObject({
      title: 'Всё ещё мой',
      state: 'suspended',
    });
  });

  // proves: decisions-cabinet-calls/users, decisions-cabinet-calls/viewers
  it('adds viewers to their own projects, and manages them', async () => {
    const { call, mine } = await ownerWithProject();
    const invited = await call('POST', '/users', { email: newEmail(), role: 'viewer', projects: [mine] });
    expect(invited).toMatchObject({ status: 201, body: { state: 'invited', projects: [mine] } });
    await accept(invited.body.invitation);
    const [viewer] = (await call('GET', '/users')).body.items as Person[];
    expect(viewer).toMatchObject({ email: invited.body.email, state: 'active' });
    expect((await call('PATCH', `/users/${viewer?.id}`, { state: 'blocked' })).body.state).toBe('blocked');
    expect((await call('DELETE', `/users/${viewer?.id}`)).status).toBe(200);
  });

  // proves: decisions-cabinet-calls/viewers
  it("cannot add viewers to others' projects, nor users with more rights", async () => {
    const { call, mine, foreign } = await ownerWithProject();
    const body = { email: newEmail(), role: 'viewer', projects: [mine] };
    expect(await call('POST', '/users', { ...body, projects: [mine, foreign] })).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'projects[1]' }] } },
    });
    expect(await call('POST', '/users', { ...body, projects: [] })).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'projects', code: 'required' }] } },
    });
    for (const role of ['owner', 'admin']) expect((await call('POST', '/users', { ...body, role })).status).toBe(403);
    const viewer = await createTestUser(database.pool, 'viewer', { projects: [mine] });
    for (const role of ['owner', 'admin'])
      expect((await call('PATCH', `/users/${viewer.id}`, { role })).status).toBe(403);
    expect((await call('PATCH', `/users/${viewer.id}`, { projects: [foreign] })).status).toBe(422);
  });

  it('cannot leave their viewer without anything to see', async () => {
    const { call, mine } = await ownerWithProject();
    const viewer = await createTestUser(database.pool, 'viewer', { projects: [mine] });
    for (const body of [{ projects: [] }, { projects: [], sites: [] }]) {
      expect(await call('PATCH', `/users/${viewer.id}`, body)).toMatchObject({
        status: 422,
        body: { error: { details: [{ field: 'projects', code: 'required' }] } },
      });
    }
    expect(await call('PATCH', `/users/${viewer.id}`, { sites: [], state: 'blocked' })).toMatchObject({
      status: 200,
      body: { projects: [mine] },
    });
    expect((await call('PATCH', `/users/${UNKNOWN_UUID}`, { projects: [] })).status).toBe(404);
    expect(await admin('PATCH', `/users/${viewer.id}`, { projects: [] })).toMatchObject({
      status: 200,
      body: { projects: [] },
    });
  });

  it(`has at most ${OWNER_QUOTA.projects} projects, however many are created at once`, async () => {
    const { owner, call } = await ownerWithProject();
    await database.pool.query(
      `update users set projects = array(select lpad(n::text, 12, '0') from generate_series(1, $2) n) where id = $1`,
      [owner.id, OWNER_QUOTA.projects - 2],
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/projects', { title: 'Из многих' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 422, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.error.details).toMatchObject([
      { field: '', code: 'invalid_value' },
    ]);
    const { rows } = await database.pool.query(`select cardinality(projects) as count from users where id = $1`, [
      owner.id,
    ]);
    expect(rows[0].count).toBe(OWNER_QUOTA.projects);
    expect((await database.pool.query(`select from projects where title = 'Из многих'`)).rows).toHaveLength(2);
  });

  // proves: decisions-cabinet-calls/users, decisions-cabinet-calls/viewers
  it('cannot manage admins, owners, themselves, or viewers who see something of others', async () => {
    const { owner, call, mine, foreign } = await ownerWithProject();
    const others = await Promise.all([
      createTestUser(database.pool, 'admin'),
      createTestUser(database.pool, 'owner', { projects: [mine] }),
      owner,
      createTestUser(database.pool, 'viewer', { projects: [mine, foreign] }),
      createTestUser(database.pool, 'viewer'),
    ]);
    expect((await call('GET', '/users')).body.items).toEqual([]);
    for (const { id } of others) {
      expect((await call('PATCH', `/users/${id}`, { state: 'blocked' })).status).toBe(404);
      expect((await call('DELETE', `/users/${id}`)).status).toBe(404);
    }
  });
});

describe('the quota of an owner', () => {
  // proves: quotas/sites, decisions-cabinet-calls/user-new, decisions-cabinet-calls/user-changed
  it.each([
    ['projects', OWNER_QUOTA.projects],
    ['sites', OWNER_QUOTA.sites],
  ] as const)('applies to %s in every way in which an owner could get more', async (kind, most) => {
    const ids = await tenants(kind, most + 1);
    const tooMany = { status: 422, body: { error: { details: [{ field: kind, code: 'too_long' }] } } };
    const person = { email: newEmail(), password: PASSWORD, role: 'owner' };
    expect(await admin('POST', '/users', { ...person, [kind]: ids })).toMatchObject(tooMany);
    const owner = await admin('POST', '/users', { ...person, [kind]: ids.slice(1) });
    expect(owner.status).toBe(201);
    expect(await admin('PATCH', `/users/${owner.body.id}`, { [kind]: ids })).toMatchObject(tooMany);
    const viewer = await createTestUser(database.pool, 'viewer', { [kind]: ids });
    expect(await admin('PATCH', `/users/${viewer.id}`, { role: 'owner' })).toMatchObject(tooMany);
    expect(await admin('PATCH', `/users/${viewer.id}`, { role: 'owner', [kind]: ids.slice(1) })).toMatchObject({
      status: 200,
      body: { role: 'owner' },
    });
  });

  // proves: quotas/sites-changed
  it('can be another number of sites for a single user, set by an admin', async () => {
    const ids = await tenants('sites', 31);
    const [owner, other] = [
      await createTestUser(database.pool, 'owner', { sites: ids.slice(1) }),
      await createTestUser(database.pool, 'owner'),
    ];
    const call = await clientOfUser(owner);
    const newSite = () => call('POST', '/sites', { title: 'x', hosts: ['*'], timezone: 'UTC', currency: 'RUB' });
    expect((await newSite()).status).toBe(422);
    expect(await admin('PATCH', `/users/${owner.id}`, { site_quota: 31 })).toMatchObject({
      status: 200,
      body: { site_quota: 31 },
    });
    expect([(await newSite()).status, (await newSite()).status]).toEqual([201, 422]);
    // The user already has more than the default quota allows.
    expect(await admin('PATCH', `/users/${owner.id}`, { site_quota: null })).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'sites', code: 'too_long' }] } },
    });
    expect(await admin('PATCH', `/users/${owner.id}`, { site_quota: null, sites: ids.slice(1) })).toMatchObject({
      status: 200,
      body: { site_quota: 30 },
    });
    expect(await admin('PATCH', `/users/${other.id}`, { sites: ids })).toMatchObject({ status: 422 });
    for (const quota of [0, 1001, 1.5])
      expect((await admin('PATCH', `/users/${owner.id}`, { site_quota: quota })).status).toBe(422);
  });

  // proves: quotas/sites-changed
  it('cannot be changed by an owner', async () => {
    const [id] = await tenants('sites', 1);
    const [owner, viewer] = [
      await createTestUser(database.pool, 'owner', { sites: [id ?? ''] }),
      await createTestUser(database.pool, 'viewer', { sites: [id ?? ''] }),
    ];
    expect((await (await clientOfUser(owner))('PATCH', `/users/${viewer.id}`, { site_quota: 100 })).status).toBe(403);
  });
});

/** Creates projects or sites and returns their ids. */
async function tenants(kind: 'projects' | 'sites', count: number): Promise<string[]> {
  const { clientId } = await createTestProject(database.pool);
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into ${kind} (id, client_id, title) select substr(md5(random()::text || n), 1, 12), $1, 'x' from generate_series(1, $2) n returning id`,
    [clientId, count],
  );
  return rows.map(({ id }) => id);
}

describe('rights', () => {
  // proves: decisions-cabinet-calls/user-changed
  it('that are reduced take effect at once', async () => {
    const { owner, call, mine, foreign } = await ownerWithProject();
    await database.pool.query('update users set projects = $2 where id = $1', [owner.id, [mine, foreign]]);
    expect((await call('PATCH', `/projects/${mine}`, { title: 'x' })).status).toBe(200);
    expect((await admin('PATCH', `/users/${owner.id}`, { projects: [foreign] })).body.invitation).toBeNull();
    expect([
      (await call('GET', `/projects/${mine}`)).status,
      (await call('GET', `/projects/${foreign}`)).status,
    ]).toEqual([404, 200]);
    expect((await admin('PATCH', `/users/${owner.id}`, { role: 'viewer' })).body.invitation).toBeNull();
    expect((await call('PATCH', `/projects/${foreign}`, { title: 'x' })).status).toBe(403);
  });
});

describe('tokens', () => {
  // proves: decisions-cabinet/bearer, decisions-cabinet-calls/me, decisions-cabinet-calls/tokens
  // proves: decisions-cabinet-calls/token-new, decisions-cabinet-calls/token-revoked
  it('act as their user, are shown once, listed, and revoked at once', async () => {
    const { owner, call } = await ownerWithProject();
    const created = await call('POST', '/tokens', { name: 'Выгрузка' });
    expect(created).toMatchObject({ status: 201, body: { name: 'Выгрузка', revoked_at: null } });
    expect(created.body.token).toMatch(/^at_[A-Za-z0-9]{40}$/);
    const acting = clientOf(api.cabinet, created.body.token);
    expect((await acting('GET', '/me')).body).toMatchObject({
      id: owner.id,
      email: owner.email,
      name: 'Выгрузка',
      role: 'owner',
    });
    const listed = (await acting('GET', '/tokens')).body.items;
    expect(listed).toHaveLength(2);
    expect(JSON.stringify(listed)).not.toContain(created.body.token);
    expect((await call('DELETE', `/tokens/${created.body.id}`)).body).toEqual({ id: created.body.id, revoked: true });
    expect((await acting('GET', '/me')).status).toBe(401);
    expect((await call('DELETE', `/tokens/${created.body.id}`)).status).toBe(200);
  });

  // proves: decisions-cabinet-calls/token-revoked
  it('cannot be revoked by others, not even by an admin', async () => {
    const [one, other] = [await ownerWithProject(), await ownerWithProject()];
    const { id } = (await one.call('POST', '/tokens', { name: 'x' })).body;
    expect((await other.call('DELETE', `/tokens/${id}`)).status).toBe(404);
    expect((await admin('DELETE', `/tokens/${id}`)).status).toBe(404);
    expect((await admin('DELETE', `/tokens/${UNKNOWN_UUID}`)).status).toBe(404);
  });

  it('of the installation are managed by admins, and behave the same', async () => {
    const created = await admin('POST', '/tokens', { name: 'CI' });
    expect((await clientOf(api.cabinet, created.body.token)('GET', '/me')).body).toMatchObject({
      name: 'CI',
      role: 'admin',
      id: null,
      email: null,
      projects: null,
      sites: null,
    });
    expect((await admin('GET', '/tokens')).body.items.map((token: { id: string }) => token.id)).toContain(
      created.body.id,
    );
    expect((await admin('DELETE', `/tokens/${created.body.id}`)).status).toBe(200);
    const owners = clientOf(api.cabinet, await createTestToken(database.pool, 'owner'));
    expect((await owners('GET', '/tokens')).status).toBe(403);
    expect((await owners('POST', '/tokens', { name: 'x' })).status).toBe(403);
  });

  it(`are limited to ${TOKENS_PER_USER}, however many are created at once`, async () => {
    const { owner, call } = await ownerWithProject();
    await database.pool.query(
      `insert into cabinet_tokens (user_id, name, prefix, hash) select $1, 'x', 'at_', sha256(n::text::bytea) from generate_series(1, $2) n`,
      [owner.id, TOKENS_PER_USER - 3],
    );
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => call('POST', '/tokens', { name: 'x' })))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([201, 201, 422, 422, 422, 422]);
  });
});
