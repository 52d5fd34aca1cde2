/** The state of the whole installation, as an operator sees it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeServiceReport } from '../../../../db/installation/serviceReports.ts';
import { moscowDay } from '../../../../domain/sites/moscowDays.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { storeWork, type StoredWork } from '../../../support/installationWork.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';
import { createTestSite } from '../../support/testSite.ts';

const UI = 'https://temporal.example.com';
let database: TestDatabase;
let api: TestApi;
let admin: Client;
let project: string;
let site: string;
let stored: StoredWork;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({
    databaseUrl: database.url,
    env: {
      TEMPORAL_UI_URL: `${UI}/`,
      TEMPORAL_NAMESPACE: 'attune',
      // A port on which nothing listens.
      SELECTION_URLS: 'http://127.0.0.1:9',
    },
  });
  admin = clientOf(api.cabinet, await createTestToken(database.pool));
  project = (await createTestProject(database.pool)).id;
  site = (await createTestSite(database.pool)).id;
  stored = await storeWork(database.pool, project, site);
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

// Clients' answers are untyped.
const read = async () => (await admin('GET', '/installation')).body;
const partOf = async (name: string) => (await read()).parts.find((one: { part: string }) => one.part === name);
const workOf = async (kind: string) => (await read()).work.find((one: { kind: string }) => one.kind === kind);

describe('the parts', () => {
  it('include PostgreSQL with its version and the blob store, and are listed with the disks and the versions in use', async () => {
    expect(await partOf('postgresql')).toMatchObject({ state: 'ok', version: expect.stringMatching(/^\d+/) });
    expect(await partOf('blobs')).toMatchObject({ state: 'ok' });
    const { disks, version, node_version: node } = await read();
    expect(disks.map(({ folder }: { folder: string }) => folder)).toContain('work');
    expect([version, node]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/), process.versions.node]);
  });

  it('are unreachable when they do not answer', async () => {
    expect(await partOf('selection')).toMatchObject({ state: 'unreachable', address: '127.0.0.1:9' });
  });

  it('show Temporal as the relay reports it, and as unknown while the relay is silent', async () => {
    await database.pool.query(`delete from service_reports where service = 'relay'`);
    expect([(await partOf('relay')).state, (await partOf('temporal')).state]).toEqual(['unreachable', 'unknown']);
    await writeServiceReport(database.pool, 'relay', { temporalReachable: true, temporalVersion: '1.30.0' });
    expect(await partOf('temporal')).toMatchObject({ state: 'ok', version: '1.30.0' });
    await writeServiceReport(database.pool, 'relay', { temporalReachable: false });
    expect([(await partOf('relay')).state, (await partOf('temporal')).state]).toEqual(['ok', 'unreachable']);
  });
});

describe('the work', () => {
  it('links to the workflow that does it', async () => {
    const { waiting, failed, oldest } = await workOf('items');
    expect([waiting, failed, oldest.length]).toEqual([1, 1, 1]);
    expect(oldest[0]).toMatchObject({
      project_id: project,
      id: 'waits',
      workflow_id: `item/${project}/waits`,
      workflow_url: `${UI}/namespaces/attune/workflows/item%2F${project}%2Fwaits`,
    });
    expect((await workOf('deliveries')).oldest[0]).toMatchObject({ workflow_id: `delivery/${stored.delivery}` });
    expect(await workOf('orders')).toMatchObject({
      waiting: 1,
      failed: null,
      oldest: [{ workflow_id: `orders/${project}/request-1` }],
    });
    expect(await workOf('exports')).toMatchObject({
      waiting: 1,
      oldest: [{ site_id: site, id: stored.exportId, workflow_id: `exports/${site}` }],
    });
    expect(await workOf('rerun')).toMatchObject({ waiting: 0, oldest: [] });
  });

  it('includes failures: how many there are, and the latest', async () => {
    expect((await workOf('items')).latest_failed).toMatchObject([{ id: 'failed' }]);
    expect(await workOf('deliveries')).toMatchObject({ failed: 2, latest_failed: [{ project_id: project }] });
    expect(await workOf('import')).toMatchObject({
      failed: 1,
      latest_failed: [{ id: stored.importId, workflow_id: `import/${project}/${stored.importId}` }],
    });
    expect(await workOf('training')).toMatchObject({ failed: 1, latest_failed: [{ project_id: project }] });
  });

  it('names nobody whose deletion was requested', async () => {
    expect(await workOf('deletions')).toMatchObject({
      waiting: 1,
      oldest: [{ site_id: site, id: null, workflow_id: null }],
    });
    expect(await workOf('garbage')).toMatchObject({ waiting: 1, oldest: [{ id: 'media/none' }] });
  });
});

describe('quotas', () => {
  it('are listed only if more than half is used', async () => {
    const other = (await createTestSite(database.pool)).id;
    await admin('PATCH', `/sites/${site}`, { quotas: { hits_per_day: 100 } });
    await admin('PATCH', `/sites/${other}`, { quotas: { hits_per_day: 100 } });
    await database.pool.query(
      `insert into site_days (site_id, day, hits) values ($1, date '1970-01-01' + $3::int, 80), ($2, date '1970-01-01' + $3::int, 10)`,
      [site, other, moscowDay(Date.now())],
    );
    const { quotas } = await read();
    expect(quotas).toEqual([
      { quota: 'hits_per_day', project_id: null, site_id: site, title: 'Site', client: 'Client', used: 80, limit: 100 },
    ]);
  });
});
