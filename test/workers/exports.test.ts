/** Exports as an installation makes them: the process of workers/analytics.ts, its engine, a lake, a Temporal. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { createExportStepActivities } from '../../activities/data/exportSteps.ts';
import { createLocalBlobStore } from '../../platform/blobs/local.ts';
import { nextBatchId, stageRows } from '../../db/lake/batches.ts';
import { inTransaction } from '../../db/pool.ts';
import { findExport, findExportFile, queueExport, type StoredExport } from '../../db/reports/exports.ts';
import type { ExportFormat } from '../../domain/reports/exports.ts';
import { exportBlobFolder, exportsWorkflowId } from '../../domain/jobs/ids.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { commitStaged } from '../../reports/lake/commit/commitStaged.ts';
import type { ReportRequest } from '../../reports/reportRequest.ts';
import { relayOnce } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { lakeEnv, openTestLake, visitRow, type TestLake } from '../support/lake/lake.ts';
import { createRestartedWorker, type RestartedWorker } from '../support/programs/restartedWorker.ts';
import { addSite } from '../support/people/sitePeople.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { workerEnv, type WorkerProcess } from '../support/programs/workerProcess.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

/** Maximum number of rows of a file. */
const ROWS = 100_000;
/** Enough rows for a kill in between: progress is recorded every 10,000 rows. */
const WORKBOOK_ROWS = 40_000;
const SHARD = 3;
const REQUEST: ReportRequest = {
  dimensions: ['entry_page', 'device_type', 'os'],
  metrics: ['visits', 'pageviews', 'avg_visit_duration'],
  date_from: '2026-03-15',
  date_to: '2026-03-15',
  filters: [],
  segment: null,
  attribution: 'last_significant',
  robots: 'exclude',
  sort: [],
  limit: ROWS,
  offset: 0,
};

let database: TestDatabase;
let temporal: TestTemporal;
let lake: TestLake;
let analytics: RestartedWorker;
let started: WorkerProcess;
/** Each site's exports have a separate workflow. */
let siteId: string;
let workbookSiteId: string;
let stopWorkflows: () => Promise<void>;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), createTestTemporal()]);
  lake = await openTestLake(database.url);
  analytics = await createRestartedWorker('analytics', {
    ...workerEnv(database.url, temporal),
    ...lakeEnv(lake.settings),
    LAKE_MEMORY_MB: '256',
    REPORT_SECONDS: '300',
    REPORT_SAMPLE_SECONDS: '300',
  });
  siteId = await addSite(database.pool);
  workbookSiteId = await addSite(database.pool);
  const visits = [siteId, workbookSiteId].map((id) => visitRow({ site_id: id }));
  await inTransaction(database.pool, async (client) => stageRows(client, SHARD, await nextBatchId(client), { visits }));
  await commitStaged(lake.lake, database.pool, [SHARD]);
  // More rows than a file may have.
  await addVisits(siteId, ROWS);
  await addVisits(workbookSiteId, WORKBOOK_ROWS - 1);
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    taskQueue: QUEUES.workflow,
    workflowBundle: await testWorkflowBundle(),
    activities: createExportStepActivities(database.pool),
  });
  const running = worker.run();
  stopWorkflows = async () => {
    worker.shutdown();
    await running;
  };
  started = await analytics.start();
});
afterAll(async () => {
  await analytics?.close();
  await stopWorkflows?.();
  await temporal?.close();
  await lake?.close();
  await database?.drop();
});

/** Adds `more` visits, each with a different URL. */
async function addVisits(id: string, more: number): Promise<void> {
  await lake.lake
    .query(`insert into lake.visits select v.* replace (uuid() as visit_id, uuid() as visitor_id, 'https://shop.example/товар/' || n as entry_url)
    from lake.visits v cross join range(${more}) r(n) where v.site_id = '${id}'`);
}

interface Ref {
  siteId: string;
  exportId: string;
}

async function begin(site: string, format: ExportFormat): Promise<Ref> {
  const stored = await queueExport(database.pool, {
    siteId: site,
    format,
    language: 'ru',
    report: REQUEST,
    userId: null,
    requestId: null,
  });
  if (!stored) throw new Error('the queue is full');
  await relayOnce(database.pool, temporal.client);
  return { siteId: site, exportId: stored.id };
}

const resultOf = (ref: Ref) => temporal.client.workflow.getHandle(exportsWorkflowId(ref.siteId)).result();
const find = (ref: Ref): Promise<StoredExport | null> => findExport(database.pool, ref);
const blobsOf = (ref: Ref): Promise<string[]> =>
  readdir(join(analytics.dataDir, 'blobs', exportBlobFolder(ref.siteId, ref.exportId)));

async function linesOf(ref: Ref): Promise<string[]> {
  const file = await findExportFile(database.pool, ref);
  const blob = await createLocalBlobStore(join(analytics.dataDir, 'blobs')).open(file?.blobKey ?? '');
  const lines: string[] = [];
  if (blob) for await (const line of createInterface({ input: blob.stream })) lines.push(line);
  return lines;
}

describe('the analytics process', () => {
  let lost: Ref;

  it('leaves an export running, and its work folder, when it is killed in the middle of a file', async () => {
    lost = await begin(workbookSiteId, 'xlsx');
    await eventually(async () => ((await find(lost))?.progress ?? 0) > 0.5, 'the first rows of the file');
    await analytics.kill();
    expect(await find(lost)).toMatchObject({ state: 'running' });
    expect(await readdir(join(analytics.dataDir, 'work'))).toContainEqual(
      expect.stringMatching(new RegExp(`^${started.pid}-`)),
    );
    await analytics.start();
  });

  // Temporal notices the loss after 30 s without a heartbeat.
  // proves: report-limits/export
  it('meanwhile makes a file for another site, of 100,000 rows and no more', async () => {
    const ref = await begin(siteId, 'csv');
    expect(await resultOf(ref)).toEqual({ made: 1, failed: 0 });
    expect(await find(ref)).toMatchObject({ state: 'done', rows: ROWS, sampled: false, progress: 1 });
    const lines = await linesOf(ref);
    expect(lines).toHaveLength(ROWS + 2);
    expect(new Set(lines.slice(1, -1).map((line) => line.split(',')[0])).size).toBe(ROWS);
    // The totals include all existing rows.
    expect(lines.at(-1)).toBe(`Итого,,,${ROWS + 1},${2 * (ROWS + 1)},60`);
  });

  // proves: report-limits/export
  it('makes the file of the killed process again, once and complete, and leaves nothing behind', async () => {
    expect(await resultOf(lost)).toEqual({ made: 1, failed: 0 });
    expect(await find(lost)).toMatchObject({ state: 'done', rows: WORKBOOK_ROWS });
    expect(await blobsOf(lost)).toHaveLength(1);
    expect((await readdir(join(analytics.dataDir, 'work'))).filter((name) => /^\d+-/.test(name))).toEqual([]);
  });
});
