/** The most urgent problems of a user's own projects and sites. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { moscowDay } from '../../../../domain/sites/moscowDays.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { Analyst } from '../../../support/items/items.ts';
import { textItem } from '../../../support/project.ts';
import { withoutTriggers } from '../../../support/unstamped.ts';
import { createTestUser, tokenOf } from '../../support/people.ts';
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
  api = await startTestApi({ databaseUrl: database.url });
  admin = clientOf(api.cabinet, await createTestToken(database.pool));
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const troublesOf = async (call: Client) => (await call('GET', '/troubles')).body;

/** Adds an item that failed `daysAgo` days ago. */
async function failItem(projectId: string, id: string, daysAgo: number): Promise<void> {
  await new Analyst(database.pool, projectId).put(id, textItem({ title: id }));
  await withoutTriggers(
    database.pool,
    `update items set status = 'failed', steps = '{"summary": {"state": "failed"}}', updated_at = now() - make_interval(days => $3)
      where project_id = $1 and id = $2`,
    [projectId, id, daysAgo],
  );
}

async function addDay(siteId: string, daysAgo: number): Promise<string> {
  const { rows } = await database.pool.query<{ day: string }>(
    `insert into site_days (site_id, day, hits) values ($1, date '1970-01-01' + $2::int, 3) returning to_char(day, 'YYYY-MM-DD') as day`,
    [siteId, moscowDay(Date.now()) - daysAgo],
  );
  return rows[0]?.day ?? '';
}

describe('failed items', () => {
  it('are counted by project: those of the last week that still exist', async () => {
    const project = await createTestProject(database.pool);
    await failItem(project.id, 'first', 1);
    await failItem(project.id, 'second', 2);
    await failItem(project.id, 'long-ago', 8);
    await failItem(project.id, 'deleted', 1);
    await database.pool.query(`update items set deleted = true where project_id = $1 and id = 'deleted'`, [project.id]);
    await new Analyst(database.pool, project.id).put('waiting', textItem({ title: 'Not analysed' }));
    const { failed_items: failed } = await troublesOf(admin);
    expect(failed.filter((one: { project_id: string }) => one.project_id === project.id)).toEqual([
      { project_id: project.id, project_title: expect.any(String), count: 2, last_at: expect.any(String) },
    ]);
  });

  it('of a project that is not active are left out', async () => {
    const project = await createTestProject(database.pool);
    await failItem(project.id, 'first', 1);
    await admin('PATCH', `/projects/${project.id}`, { state: 'archived' });
    const { failed_items: failed } = await troublesOf(admin);
    expect(failed.map((one: { project_id: string }) => one.project_id)).not.toContain(project.id);
  });
});

describe('a site', () => {
  it('is reported as silent if it had no hit today or yesterday, or has never had one', async () => {
    const [today, yesterday, before, never] = [
      await createTestSite(database.pool),
      await createTestSite(database.pool),
      await createTestSite(database.pool),
      await createTestSite(database.pool),
    ];
    await addDay(today.id, 0);
    await addDay(yesterday.id, 1);
    await addDay(before.id, 9);
    const last = await addDay(before.id, 2);
    const { silent_sites: silent } = await troublesOf(admin);
    const ours = new Set([today.id, yesterday.id, before.id, never.id]);
    expect(silent.filter((one: { site_id: string }) => ours.has(one.site_id))).toEqual([
      { site_id: before.id, site_title: expect.any(String), last_hit_on: last },
      { site_id: never.id, site_title: expect.any(String), last_hit_on: null },
    ]);
  });
});

it('troubles are shown only to users who may see their project or site', async () => {
  const [own, foreign] = [await createTestProject(database.pool), await createTestProject(database.pool)];
  const [ownSite] = [await createTestSite(database.pool), await createTestSite(database.pool)];
  await failItem(own.id, 'own', 1);
  await failItem(foreign.id, 'foreign', 1);
  const viewer = await createTestUser(database.pool, 'viewer', { projects: [own.id], sites: [ownSite.id] });
  const call = clientOf(api.cabinet, await tokenOf(database.pool, viewer));
  const { failed_items: failed, silent_sites: silent } = await troublesOf(call);
  expect(failed.map((one: { project_id: string }) => one.project_id)).toEqual([own.id]);
  expect(silent.map((one: { site_id: string }) => one.site_id)).toEqual([ownSite.id]);
});
