/**
 * The activity alone: what counts as an attempt, and its result for a finished export.
 * test/workflows/buildExports.test.ts tests the whole course.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { MockActivityEnvironment } from '@temporalio/testing';
import { createExportActivities } from '../../../activities/exports/buildExport.ts';
import { BlobStoreError, createLocalBlobStore, type BlobStore } from '../../../platform/blobs/createBlobStore.ts';
import { insertUser } from '../../../db/accounts/accounts.ts';
import { closeExportMail } from '../../../db/reports/exportMail.ts';
import { failExport, queueExport } from '../../../db/reports/exports.ts';
import type { ExportRef, MadeExport } from '../../../domain/reports/exports.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import type { ReportRequest } from '../../../reports/reportRequest.ts';
import { createActivityEnvironment } from '../../support/items/activityEnvironment.ts';
import { createCountedReports, type CountedReports } from '../../support/people/countedReports.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSite } from '../../support/people/sitePeople.ts';

const REQUEST: ReportRequest = {
  dimensions: ['source_type'],
  metrics: ['visits'],
  date_from: '2026-11-01',
  date_to: '2026-11-20',
  filters: [],
  segment: null,
  attribution: 'last_significant',
  robots: 'exclude',
  sort: [],
  limit: 100_000,
  offset: 0,
};

let database: TestDatabase;
let folder: string;
let reports: CountedReports;
let ref: ExportRef;

beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'attune-export-activity-'))]);
  await Promise.all([mkdir(join(folder, 'blobs')), mkdir(join(folder, 'work'))]);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

let users = 0;
beforeEach(async () => {
  reports = createCountedReports(3);
  const siteId = await addSite(database.pool);
  const user = await insertUser(database.pool, {
    email: `u${(users += 1)}@example.com`,
    passwordHash: 'x',
    role: 'viewer',
    projects: [],
    sites: [siteId],
  });
  if (typeof user === 'string') throw new Error(user);
  const stored = await queueExport(database.pool, {
    siteId,
    format: 'csv',
    language: 'ru',
    report: REQUEST,
    userId: user.id,
    requestId: null,
  });
  if (!stored) throw new Error('the queue is full');
  ref = { siteId, exportId: stored.id };
});

function attempt({
  environment = createActivityEnvironment(),
  blobs = createLocalBlobStore(join(folder, 'blobs')),
}: { environment?: MockActivityEnvironment; blobs?: BlobStore } = {}): Promise<MadeExport> {
  const { pool } = database;
  const { buildExport } = createExportActivities({
    pool,
    blobs,
    workDir: join(folder, 'work'),
    reports,
    tellsByMail: true,
    logger: createLogger('test', 'silent'),
  });
  return environment.run(buildExport, ref);
}
async function attempts(): Promise<number | undefined> {
  const { rows } = await database.pool.query<{ attempts: number }>(
    'select attempts from report_exports where id = $1',
    [ref.exportId],
  );
  return rows[0]?.attempts;
}
const named = (name: string): Error => Object.assign(new Error('x'), { name });

describe('an attempt', () => {
  it.each([
    ['a report that killed the engine’s process', named('ReportEngineDiedError')],
    ['a fault of ours', new TypeError('x is not a function')],
  ])('that ends with %s counts', async (_what, fault) => {
    reports.fault = fault;
    await expect(attempt()).rejects.toThrow(`internal: ${fault.name}`);
    expect(await attempts()).toBe(1);
  });

  it.each([
    ['the lake', named('ReportsUnavailableError')],
    ['an engine', named('ReportsBusyError')],
    ['PostgreSQL', Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })],
    ['the disk', Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' })],
  ])('does not count when %s is unavailable', async (_what, fault) => {
    for (let n = 0; n < 9; n += 1) {
      reports.fault = fault;
      await expect(attempt()).rejects.toThrow(/^(internal|storage_full): /);
    }
    expect(await attempts()).toBe(0);
    expect(await attempt()).toMatchObject({ state: 'done' });
  });

  it('does not count when the blob store is unavailable', async () => {
    const away = {
      ...createLocalBlobStore(join(folder, 'blobs')),
      putFile: () => Promise.reject(new BlobStoreError('the store is away')),
    };
    await expect(attempt({ blobs: away })).rejects.toThrow('internal: BlobStoreError');
    expect(await attempts()).toBe(0);
  });

  it('does not count when the end of the process interrupted it', async () => {
    const environment = createActivityEnvironment();
    reports.run = (_request, _site, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        environment.cancel('WORKER_SHUTDOWN');
      });
    await expect(attempt({ environment })).rejects.toThrow(/WORKER_SHUTDOWN/);
    expect(await attempts()).toBe(0);
  });
});

describe('an export that has ended', () => {
  it('returns its outcome again, and whether somebody still has to be notified', async () => {
    const made = { state: 'done', rows: 3, hasMail: true };
    expect(await attempt()).toEqual(made);
    expect(await attempt()).toEqual(made);
    await closeExportMail(database.pool, ref, 'sent');
    expect(await attempt()).toEqual({ ...made, hasMail: false });
    expect(reports.asked).toHaveLength(1);
  });

  it('returns again that it failed', async () => {
    await failExport(database.pool, ref, 'timeout');
    expect(await attempt()).toEqual({ state: 'failed', rows: 0, hasMail: false });
  });

  it('keeps its file for seven days, whatever an attempt that was believed lost does later', async () => {
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = reports.run.bind(reports);
    reports.run = async (...asked) => {
      begun.resolve();
      await release.promise;
      return run(...asked);
    };
    const late = attempt();
    await begun.promise;
    reports.run = run;
    const done = await attempt();
    release.resolve();
    expect(await late).toEqual(done);
    expect(done).toMatchObject({ state: 'done', hasMail: true });
    const { rows } = await database.pool.query(
      `select round(extract(epoch from after - now()) / 86400)::int as days from blob_garbage where project_id = $1`,
      [ref.siteId],
    );
    expect(rows).toEqual([{ days: 7 }]);
  });
});
