/**
 * The workflow `buildExports` with everything real around it except the reports, whose rows are generated numbers.
 */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createExportStepActivities } from '../../activities/data/exportSteps.ts';
import { createExportActivities } from '../../activities/exports/buildExport.ts';
import { createMailActivities } from '../../activities/webhook/exportMail.ts';
import { createLocalBlobStore } from '../../platform/blobs/local.ts';
import { insertUser, updateUser } from '../../db/accounts/accounts.ts';
import { findExport, findExportFile, queueExport, type StoredExport } from '../../db/reports/exports.ts';
import { createExportLinks } from '../../domain/reports/exportLinks.ts';
import { EXPORT_ASKED_SIGNAL } from '../../domain/reports/exports.ts';
import { exportsWorkflowId } from '../../domain/jobs/ids.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { createMailer, type Mailer } from '../../platform/outgoing/mail.ts';
import { createLogger } from '../../platform/process/logger.ts';
import type { ReportRequest } from '../../reports/reportRequest.ts';
import { createCountedReports } from '../support/people/countedReports.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { keepHistory, largestPayload } from '../support/workflows/replay.ts';
import { addSite } from '../support/people/sitePeople.ts';
import { startTestSmtp, type TestSmtp } from '../support/servers/smtp.ts';
import { createTimeSkippingEnv } from '../support/temporal.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

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
const SECRET_KEY = Buffer.alloc(32, 7);
const logger = createLogger('test', 'silent');
const reports = createCountedReports(0);

let database: TestDatabase;
let temporal: TestWorkflowEnvironment;
let smtp: TestSmtp;
let mailer: Mailer;
let folder: string;
let blobDir: string;
let stop: () => Promise<void>;
let siteId: string;
let user: { id: string; email: string };

beforeAll(async () => {
  [database, temporal, smtp, folder] = await Promise.all([
    createTestDatabase(),
    createTimeSkippingEnv(),
    startTestSmtp(),
    mkdtemp(join(tmpdir(), 'attune-exports-')),
  ]);
  blobDir = join(folder, 'blobs');
  await Promise.all([mkdir(blobDir), mkdir(join(folder, 'work'))]);
  mailer = createMailer({ url: smtp.url, from: 'Attune <attune@example.com>' });
  const { pool } = database;
  const exporting = createExportActivities({
    pool,
    blobs: createLocalBlobStore(blobDir),
    workDir: join(folder, 'work'),
    reports,
    tellsByMail: true,
    logger,
  });
  const mailing = createMailActivities({
    pool,
    mailer,
    secretKey: SECRET_KEY,
    publicUrl: 'https://attune.example.com',
    logger,
  });
  const connection = temporal.nativeConnection;
  const workers = [
    await Worker.create({
      connection,
      taskQueue: QUEUES.workflow,
      workflowBundle: await testWorkflowBundle(),
      activities: createExportStepActivities(pool),
    }),
    await Worker.create({
      connection,
      taskQueue: QUEUES.exports,
      activities: exporting,
      maxConcurrentActivityTaskExecutions: 1,
    }),
    await Worker.create({ connection, taskQueue: QUEUES.webhook, activities: mailing }),
  ];
  const running = workers.map((worker) => worker.run());
  stop = async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  };
});
afterAll(async () => {
  await stop?.();
  await temporal?.teardown();
  mailer?.close();
  await smtp?.close();
  await rm(folder, { recursive: true, force: true });
  await database?.drop();
});

let users = 0;
beforeEach(async () => {
  siteId = await addSite(database.pool);
  const stored = await insertUser(database.pool, {
    email: `u${(users += 1)}@example.com`,
    passwordHash: 'x',
    role: 'viewer',
    projects: [],
    sites: [siteId],
  });
  if (typeof stored === 'string') throw new Error(stored);
  user = stored;
  Object.assign(reports, { rows: 12_000, sampled: false, fault: null, asked: [] });
  Object.assign(smtp, { received: [], refusal: null, recipientCount: 0 });
});

async function queue(userId: string | null = user.id, rest: Partial<ReportRequest> = {}): Promise<string> {
  const stored = await queueExport(database.pool, {
    siteId,
    format: 'csv',
    language: 'ru',
    report: { ...REQUEST, ...rest },
    userId,
    requestId: null,
  });
  if (!stored) throw new Error('the queue is full');
  return stored.id;
}
/** Relays as loops/relay/startWorkflow.ts does, whose signal-with-start this server does not support. */
async function relay(): Promise<void> {
  try {
    await temporal.client.workflow.start('buildExports', {
      workflowId: exportsWorkflowId(siteId),
      taskQueue: QUEUES.workflow,
      args: [{ siteId }],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    await handle().signal(EXPORT_ASKED_SIGNAL);
  }
}
const handle = () => temporal.client.workflow.getHandle(exportsWorkflowId(siteId));
const run = async (): Promise<unknown> => {
  await relay();
  return handle().result();
};
const find = async (exportId: string): Promise<StoredExport> => {
  const stored = await findExport(database.pool, { siteId, exportId });
  if (!stored) throw new Error('there is no such export');
  return stored;
};

describe('buildExports', () => {
  // proves: report-limits/export
  it('makes waiting exports, in order, and sends working links to the users who requested them', async () => {
    const ids = [await queue(), await queue(user.id, { limit: 11_000 }), await queue(null)];
    expect(await run()).toEqual({ made: 3, failed: 0 });
    expect(reports.asked.map(({ limit }) => limit)).toEqual([100_000, 11_000, 100_000]);
    const [first, second, third] = await Promise.all(ids.map(find));
    expect([first, second, third].map((each) => [each?.state, each?.rows, each?.progress, each?.mail])).toEqual([
      ['done', 12_000, 1, 'sent'],
      ['done', 11_000, 1, 'sent'],
      ['done', 12_000, 1, 'none'],
    ]);

    expect(smtp.received.map(({ to }) => to)).toEqual([[user.email], [user.email]]);
    const [url] = smtp.received[0]?.text.match(/https:\/\/attune\.example\.com\/exports\/\S+/) ?? [];
    const told = createExportLinks(SECRET_KEY, '').open(url?.split('/').at(-1) ?? '');
    expect(told).toMatchObject({ siteId });
    expect(Math.abs((told?.secondsLeft ?? 0) - 7 * 86_400)).toBeLessThan(600);
    expect(ids.slice(0, 2)).toContain(told?.exportId);
    const file = await findExportFile(database.pool, { siteId, exportId: told?.exportId ?? '' });
    const blob = await createLocalBlobStore(blobDir).open(file?.blobKey ?? '');
    expect((blob ? await text(blob.stream) : '').split('\r\n').at(-2)).toBe('Итого,-1');

    const history = await keepHistory('build-exports', handle());
    expect(largestPayload(history)).toBeLessThan(300);
    expect(JSON.stringify(history)).not.toContain(user.email);
  });

  it('continues with exports that are requested while it runs, and runs once per site', async () => {
    const release = Promise.withResolvers<void>();
    const runReport = reports.run.bind(reports);
    reports.run = async (...asked) => {
      await release.promise;
      return runReport(...asked);
    };
    const first = await queue();
    await relay();
    const { runId } = await handle().describe();
    await eventually(async () => (await find(first)).state === 'running', 'the first');
    const second = await queue(null);
    await relay();
    release.resolve();
    reports.run = runReport;
    expect(await handle().result()).toEqual({ made: 2, failed: 0 });
    expect((await handle().describe()).runId).toBe(runId);
    expect((await find(second)).state).toBe('done');
    await keepHistory('build-exports-asked', handle());
  });

  it.each([
    ['ReportTimeoutError', 'timeout'],
    ['ReportTooLargeError', 'too_large'],
    ['ReportPatternError', 'invalid'],
  ] as const)('abandons a report that %s ends, and makes the next', async (name, error) => {
    reports.fault = Object.assign(new Error('x'), { name });
    const ids = [await queue(), await queue()];
    expect(await run()).toEqual({ made: 1, failed: 1 });
    expect(await Promise.all(ids.map(find))).toMatchObject([
      { state: 'failed', error, mail: 'none' },
      { state: 'done' },
    ]);
    expect(smtp.received).toHaveLength(1);
    expect(await readdir(join(folder, 'work'))).toEqual([]);
  });

  it('retries temporary failures', async () => {
    reports.fault = new Error('the lake is away');
    const id = await queue();
    expect(await run()).toEqual({ made: 1, failed: 0 });
    expect(reports.asked).toHaveLength(2);
    expect((await find(id)).state).toBe('done');
  });

  it('does not let others wait behind an export that never ends', async () => {
    const ids = [await queue(), await queue()];
    await database.pool.query('update report_exports set attempts = 8 where id = $1', [ids[0]]);
    expect(await run()).toEqual({ made: 1, failed: 1 });
    expect(await Promise.all(ids.map(find))).toMatchObject([{ state: 'failed', error: 'internal' }, { state: 'done' }]);
  });

  it('makes nothing for a closed site', async () => {
    const id = await queue();
    await database.pool.query(`update sites set state = 'blocked' where id = $1`, [siteId]);
    expect(await run()).toEqual({ made: 0, failed: 1 });
    expect(await find(id)).toMatchObject({ state: 'failed', error: 'site_inactive' });
    expect(reports.asked).toHaveLength(0);
  });
});

describe('the mail', () => {
  it('is retried while the server refuses temporarily, and nobody waits for it', async () => {
    smtp.refusal = { code: 451, message: 'later' };
    const ids = [await queue(), await queue(null)];
    await relay();
    await eventually(
      async () => (await find(ids[1] ?? '')).state === 'done' && smtp.recipientCount > 0,
      'the second, and a try',
    );
    expect((await find(ids[0] ?? '')).mail).toBe('waiting');
    smtp.refusal = null;
    await handle().result();
    expect((await find(ids[0] ?? '')).mail).toBe('sent');
    expect(smtp.received).toHaveLength(1);
    await keepHistory('build-exports-mail', handle());
  });

  it('fails no export if it is refused permanently', async () => {
    smtp.refusal = { code: 550, message: 'nobody here' };
    const id = await queue();
    expect(await run()).toEqual({ made: 1, failed: 0 });
    expect(await find(id)).toMatchObject({ state: 'done', mail: 'failed' });
    expect(smtp.recipientCount).toBe(1);
    await keepHistory('build-exports-refused', handle());
  });

  it('is abandoned after half a day', async () => {
    smtp.refusal = { code: 451, message: 'later' };
    const id = await queue();
    await run();
    expect((await find(id)).mail).toBe('failed');
    expect(smtp.recipientCount).toBeGreaterThan(10);
  });

  it('is not sent to anybody who may no longer see the site', async () => {
    const id = await queue();
    await updateUser(database.pool, user.id, { sites: [] }, { manager: null, lostPassword: '' });
    await run();
    expect(await find(id)).toMatchObject({ state: 'done', mail: 'none' });
    expect(smtp.recipientCount).toBe(0);
  });

  it('is sent by the next run if a lost one still had to send it', async () => {
    const id = await queue();
    await run();
    await database.pool.query(`update report_exports set mail = 'waiting' where id = $1`, [id]);
    await queue(null);
    await run();
    expect((await find(id)).mail).toBe('sent');
    expect(new Set(smtp.received.map((mail) => mail.header('message-id'))).size).toBe(1);
    expect(smtp.received).toHaveLength(2);
  });
});
