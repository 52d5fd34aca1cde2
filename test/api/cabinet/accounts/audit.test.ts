/** The audit trail: who changed what, when and from where, and who may read it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteOldAuditEntries } from '../../../../db/accounts/auditLog.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { withStoppedClock } from '../../../support/jest/fakeTime.ts';
import { createTestUser, logIn, PASSWORD, tokenOf, type Person } from '../../support/people.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';
import { createTestSite } from '../../support/testSite.ts';

let database: TestDatabase;
let api: TestApi;
let admin: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  admin = clientOf(api.cabinet, await createTestToken(database.pool));
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

beforeEach(() => database.pool.query('truncate rate_buckets, audit_log'));

interface Owner extends Person {
  call: Client;
  project: string;
  site: string;
}

async function owner(): Promise<Owner> {
  const [project, site] = [await createTestProject(database.pool), await createTestSite(database.pool)];
  const user = await createTestUser(database.pool, 'owner', { projects: [project.id], sites: [site.id] });
  const call = clientOf(api.cabinet, await tokenOf(database.pool, user));
  return { ...user, call, project: project.id, site: site.id };
}

const trail = async (call: Client, query = '') => (await call('GET', `/audit${query}`)).body.items;

describe('the audit trail', () => {
  it('says who changed what, when and from where, without the values', async () => {
    const { call, email, id, project } = await owner();
    const headers = { 'x-forwarded-for': '203.0.113.7', 'x-request-id': 'request-1' };
    await call('PATCH', `/projects/${project}`, { title: 'A secret title' }, { headers });
    const entries = await trail(call);
    expect(entries).toMatchObject([
      {
        actor: email,
        user_id: id,
        ip: '203.0.113.7',
        operation: 'patchProject',
        params: { id: project },
        fields: ['title'],
        status: 200,
        request_id: 'request-1',
      },
    ]);
    expect(Math.abs(Date.parse(entries[0].at) - Date.now())).toBeLessThan(60_000);
    expect(JSON.stringify((await database.pool.query('select * from audit_log')).rows)).not.toContain('secret title');
  });

  it('includes refused changes, and nothing that only reads', async () => {
    const { call, project } = await owner();
    await call('GET', `/projects/${project}`);
    await call('PATCH', `/projects/${project}`, { title: 7 });
    await call('DELETE', `/projects/${project}/keys/019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11`);
    const entries = await trail(call);
    expect(entries.map((entry: { operation: string; status: number }) => [entry.operation, entry.status])).toEqual([
      ['revokeProjectKey', 404],
      ['patchProject', 422],
    ]);
    expect(entries[1].params).toEqual({ id: project });
  });

  it('includes changes that were refused for lack of a role, also for the owner of the project', async () => {
    const { call, project } = await owner();
    const viewer = await createTestUser(database.pool, 'viewer', { projects: [project] });
    const viewing = clientOf(api.cabinet, await tokenOf(database.pool, viewer));
    expect((await viewing('PATCH', `/projects/${project}`, { title: 'x' })).status).toBe(403);
    expect((await viewing('PATCH', '/projects/%00', { title: 'x' })).status).toBe(403);
    const tried = { actor: viewer.email, operation: 'patchProject', status: 403 };
    expect(await trail(call)).toMatchObject([{ ...tried, params: { id: project } }]);
    expect(await trail(admin)).toMatchObject([{ ...tried, params: {} }, tried]);
  });

  it('is not filled by refusals faster than by other requests', async () => {
    const slow = await startTestApi({ databaseUrl: database.url, cabinetRequestsPerSecond: 1 });
    const viewer = await createTestUser(database.pool, 'viewer');
    const viewing = clientOf(slow.cabinet, await tokenOf(database.pool, viewer));
    const statuses = await withStoppedClock(() =>
      Promise.all(Array.from({ length: 20 }, async () => (await viewing('POST', '/projects')).status)),
    );
    await slow.close();
    expect(new Set(statuses)).toEqual(new Set([403]));
    expect((await trail(admin)).length).toBeLessThan(10);
  });

  it('includes successful and failed logins, but no e-mail without an account', async () => {
    const user = await createTestUser(database.pool, 'owner');
    await logIn(api, user.email);
    await logIn(api, user.email, 'a wrong password');
    await logIn(api, 'hunter2-my-password@example.com');
    const logins = await trail(admin, '?operation=login');
    expect(logins.map((entry: { actor: string; status: number }) => [entry.actor, entry.status])).toEqual([
      [user.email, 401],
      [user.email, 200],
    ]);
    const stored = JSON.stringify((await database.pool.query('select * from audit_log')).rows);
    for (const typed of ['hunter2', PASSWORD, 'a wrong password']) expect(stored).not.toContain(typed);
  });

  it('keeps no id of a visitor or user of a site', async () => {
    const { call, site } = await owner();
    await call('DELETE', `/sites/${site}/users/anna-of-the-site`);
    expect(await trail(call)).toMatchObject([{ operation: 'deleteSiteUser', params: { id: site } }]);
    expect(JSON.stringify((await database.pool.query('select * from audit_log')).rows)).not.toContain('anna-of');
  });

  it('is complete for admins, limited to their own projects, sites and changes for owners, and closed to viewers', async () => {
    const [one, other] = [await owner(), await owner()];
    await one.call('PATCH', `/projects/${one.project}`, { title: 'x' });
    await other.call('PATCH', `/sites/${other.site}`, { title: 'x' });
    await admin('PATCH', `/projects/${one.project}`, { title: 'y' });
    await one.call('POST', '/tokens', { name: 'x' });
    const seen = async (call: Client, query = '') =>
      (await trail(call, query)).map(({ operation }: { operation: string }) => operation);
    expect(await seen(admin)).toEqual(['createToken', 'patchProject', 'patchSite', 'patchProject']);
    expect(await seen(one.call)).toEqual(['createToken', 'patchProject', 'patchProject']);
    expect(await seen(other.call)).toEqual(['patchSite']);
    expect(await seen(other.call, `?project=${one.project}`)).toEqual([]);
    expect(await seen(admin, `?user=${one.id}&operation=patchProject`)).toEqual(['patchProject']);
    expect(await seen(admin, `?until=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual([]);
    const viewer = await createTestUser(database.pool, 'viewer', { projects: [one.project] });
    const call = clientOf(api.cabinet, await tokenOf(database.pool, viewer));
    expect((await call('GET', '/audit')).status).toBe(403);
  });

  it('is read in pages, newest first, and kept for its retention time', async () => {
    const { call, project } = await owner();
    for (const title of ['a', 'b', 'c']) await call('PATCH', `/projects/${project}`, { title });
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await call('GET', `/audit?limit=2${cursor && `&cursor=${cursor}`}`);
      ids.push(...body.items.map((entry: { id: string }) => entry.id));
      cursor = body.next_cursor;
    }
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(ids).toHaveLength(3);
    await database.pool.query(`update audit_log set at = now() - interval '366 days' where id = $1`, [ids[2]]);
    expect(await deleteOldAuditEntries(database.pool, 365, 100)).toBe(1);
    expect(await trail(call)).toHaveLength(2);
  });
});
