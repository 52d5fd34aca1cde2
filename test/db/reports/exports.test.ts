import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { insertUser, updateUser } from '../../../db/accounts/accounts.ts';
import {
  beginExport,
  failExport,
  findExport,
  findExportFile,
  findNextExport,
  finishExport,
  listOpenExports,
  queueExport,
  type NewExport,
} from '../../../db/reports/exports.ts';
import { closeExportMail, listExportMails, readExportNews } from '../../../db/reports/exportMail.ts';
import { addSite } from '../../support/people/sitePeople.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const MADE = { blobKey: 'exports/x/y/z.csv', rows: 10_001, sampled: false };

let database: TestDatabase;
let siteId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  siteId = await addSite(database.pool);
});

const entry = (rest: Partial<NewExport> = {}): NewExport => ({
  siteId,
  format: 'csv',
  language: 'ru',
  report: { date_from: '2026-11-01', date_to: '2026-11-02' },
  userId: null,
  requestId: 'r1',
  ...rest,
});
async function queue(rest: Partial<NewExport> = {}): Promise<{ siteId: string; exportId: string }> {
  const stored = await queueExport(database.pool, entry(rest));
  if (!stored) throw new Error('the queue is full');
  return { siteId, exportId: stored.id };
}
let users = 0;
async function addUser(sites: string[]): Promise<{ id: string; email: string }> {
  const user = await insertUser(database.pool, {
    email: `u${(users += 1)}@example.com`,
    passwordHash: 'x',
    role: 'viewer',
    projects: [],
    sites,
  });
  if (typeof user === 'string') throw new Error(user);
  return user;
}

describe('the queue of a site', () => {
  // proves: report-limits/exports
  it('accepts five, however many come at once', async () => {
    const queued = await Promise.all(Array.from({ length: 12 }, () => queueExport(database.pool, entry())));
    expect(queued.filter((stored) => stored !== null)).toHaveLength(5);
  });

  it('is ordered by request; started exports come first, and a running one frees its slot', async () => {
    const [first, second] = [await queue(), await queue()];
    expect(await findNextExport(database.pool, siteId)).toEqual({
      exportId: first.exportId,
      format: 'csv',
      waiting: 1,
    });
    expect(await beginExport(database.pool, second)).toMatchObject({
      attempts: 1,
      report: { date_from: '2026-11-01' },
    });
    expect(await findNextExport(database.pool, siteId)).toMatchObject({ exportId: second.exportId });
    expect(await beginExport(database.pool, second)).toMatchObject({ attempts: 2 });
    for (let n = 0; n < 4; n += 1) await queue();
    expect(await queueExport(database.pool, entry())).toBeNull();
  });

  // proves: report-limits/exports
  it('never runs two at once', async () => {
    const [first, second] = [await queue(), await queue()];
    await beginExport(database.pool, first);
    await expect(beginExport(database.pool, second)).rejects.toMatchObject({ constraint: 'report_exports_running' });
  });

  it('is found by the reconciler as long as something is left to do, even just a mail', async () => {
    const { pool } = database;
    const open = () => listOpenExports(pool, { graceMs: 0, after: null, limit: 1_000 });
    const user = await addUser([siteId]);
    const ref = await queue({ userId: user.id });
    expect(await open()).not.toContain(siteId);
    await pool.query(`delete from outbox where project_id = $1`, [siteId]);
    expect(await open()).toContain(siteId);
    expect(await listOpenExports(pool, { graceMs: 60_000, after: null, limit: 1_000 })).not.toContain(siteId);
    expect(await listOpenExports(pool, { graceMs: 0, after: siteId, limit: 1_000 })).not.toContain(siteId);
    await beginExport(pool, ref);
    await finishExport(pool, ref, MADE, true);
    expect(await open()).toContain(siteId);
    await closeExportMail(pool, ref, 'sent');
    expect(await open()).not.toContain(siteId);
  });
});

describe('an export', () => {
  it('ends once: a late attempt changes nothing', async () => {
    const ref = await queue();
    await beginExport(database.pool, ref);
    expect(await finishExport(database.pool, ref, MADE, true)).toBe(true);
    expect(await finishExport(database.pool, ref, { ...MADE, blobKey: 'other' }, true)).toBe(false);
    await failExport(database.pool, ref, 'internal');
    expect(await beginExport(database.pool, ref)).toBeNull();
    expect(await findExport(database.pool, ref)).toMatchObject({
      state: 'done',
      rows: 10_001,
      error: null,
      mail: 'none',
    });
    expect(await findExportFile(database.pool, ref)).toMatchObject({ blobKey: MADE.blobKey });
    expect(await findNextExport(database.pool, siteId)).toBeNull();
  });

  it('has no file if it failed', async () => {
    const ref = await queue();
    await failExport(database.pool, ref, 'site_inactive');
    expect(await findExport(database.pool, ref)).toMatchObject({
      state: 'failed',
      error: 'site_inactive',
      mail: 'none',
    });
    expect(await findExportFile(database.pool, ref)).toBeNull();
  });
});

describe('the mail of an export', () => {
  it('goes to the requester, as long as they may see the site', async () => {
    const { pool } = database;
    const user = await addUser([siteId]);
    const ref = await queue({ userId: user.id });
    await beginExport(pool, ref);
    expect(await readExportNews(pool, ref)).toBeNull();
    expect(await finishExport(pool, ref, MADE, true)).toBe(true);
    expect(await listExportMails(pool, siteId, 10)).toEqual([ref.exportId]);
    expect(await listExportMails(pool, siteId, 0)).toEqual([]);
    expect(await readExportNews(pool, ref)).toMatchObject({ email: user.email, rows: 10_001 });
    await updateUser(pool, user.id, { sites: [] }, { manager: null, lostPassword: '' });
    expect(await readExportNews(pool, ref)).toMatchObject({ email: null });
    await closeExportMail(pool, ref, 'none');
    expect(await readExportNews(pool, ref)).toBeNull();
    await closeExportMail(pool, ref, 'sent');
    expect(await findExport(pool, ref)).toMatchObject({ mail: 'none' });
  });

  it('is not sent without a mail server', async () => {
    const ref = await queue({ userId: (await addUser([siteId])).id });
    await beginExport(database.pool, ref);
    expect(await finishExport(database.pool, ref, MADE, false)).toBe(true);
    expect(await listExportMails(database.pool, siteId, 10)).toEqual([]);
  });
});
