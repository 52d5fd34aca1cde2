/**
 * The activity alone: the failure that it reports to the workflow when a mail cannot be sent.
 * test/workflows/buildExports.test.ts tests the mail itself.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createMailActivities } from '../../../activities/webhook/exportMail.ts';
import { insertUser } from '../../../db/accounts/accounts.ts';
import { beginExport, findExport, finishExport, queueExport } from '../../../db/reports/exports.ts';
import type { ExportRef } from '../../../domain/reports/exports.ts';
import { FAILURE } from '../../../domain/jobs/failureTypes.ts';
import { createMailer } from '../../../platform/outgoing/mail.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createActivityEnvironment } from '../../support/items/activityEnvironment.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSite } from '../../support/people/sitePeople.ts';
import { startTestSmtp, type TestSmtp } from '../../support/servers/smtp.ts';

let database: TestDatabase;
let smtp: TestSmtp;
let ref: ExportRef;

beforeAll(async () => {
  [database, smtp] = await Promise.all([createTestDatabase(), startTestSmtp()]);
});
afterAll(async () => {
  await smtp.close();
  await database.drop();
});

let users = 0;
beforeEach(async () => {
  const { pool } = database;
  smtp.refusal = null;
  const siteId = await addSite(pool);
  const user = await insertUser(pool, {
    email: `anna${(users += 1)}@example.com`,
    passwordHash: 'x',
    role: 'viewer',
    projects: [],
    sites: [siteId],
  });
  if (typeof user === 'string') throw new Error(user);
  const stored = await queueExport(pool, {
    siteId,
    format: 'csv',
    language: 'ru',
    report: { date_from: '2026-11-01', date_to: '2026-11-02' },
    userId: user.id,
    requestId: null,
  });
  if (!stored) throw new Error('the queue is full');
  ref = { siteId, exportId: stored.id };
  await beginExport(pool, ref);
  await finishExport(pool, ref, { blobKey: 'exports/a/b/c.csv', rows: 3, sampled: false }, true);
});

/** The lines of the log are collected: no line may contain an address. */
const lines: string[] = [];
const logger = createLogger('test', 'info', { write: (line: string) => lines.push(line) });

/** Returns the error with which sending through a server ends. */
async function failureOf(url: string, environment = createActivityEnvironment()): Promise<unknown> {
  const mailer = createMailer({ url, from: 'Attune <attune@example.com>' });
  const { mailExport } = createMailActivities({
    pool: database.pool,
    mailer,
    secretKey: Buffer.alloc(32, 7),
    publicUrl: 'https://attune.example.com',
    logger,
  });
  try {
    return await environment.run(mailExport, ref);
  } catch (error) {
    return error;
  } finally {
    mailer.close();
  }
}
const mailState = async () => (await findExport(database.pool, ref))?.mail;

/** Decodes the words of a header that are not in ASCII (RFC 2047). */
const decoded = (header: string): string =>
  header.replaceAll(/=\?UTF-8\?B\?([^?]*)\?= ?/g, (_, word: string) => Buffer.from(word, 'base64').toString());

describe('mailExport', () => {
  it.each([
    [550, FAILURE.permanent, true],
    [451, FAILURE.temporary, false],
  ])('reports a refusal with %i by its type, without the server’s words', async (code, type, nonRetryable) => {
    lines.length = 0;
    smtp.refusal = { code, message: '<anna@example.com>: Anna Ivanova has left the company' };
    const failure = await failureOf(smtp.url);
    expect(failure).toMatchObject({ name: 'ApplicationFailure', type, nonRetryable });
    expect(inspect(failure, { depth: 6, showHidden: true })).not.toMatch(/anna|company/i);
    expect(lines.join('')).toContain(String(code));
    expect(lines.join('')).not.toMatch(/anna|company/i);
    expect(await mailState()).toBe('waiting');
  });

  it('sends the mail once', async () => {
    smtp.received.length = 0;
    await failureOf(smtp.url);
    await failureOf(smtp.url);
    expect(smtp.received).toHaveLength(1);
    expect(await mailState()).toBe('sent');
  });

  it.each([
    ['ru', /^Выгрузка готова: /, 'Отчёт сайта'],
    ['en', /^Export ready: /, 'The report of the site'],
  ])('writes in the language of the file, %s', async (language, subject, beginning) => {
    smtp.received.length = 0;
    await database.pool.query('update report_exports set language = $2 where id = $1', [ref.exportId, language]);
    await failureOf(smtp.url);
    const [mail] = smtp.received;
    expect(decoded(mail?.header('Subject') ?? '')).toMatch(subject);
    expect(mail?.text.startsWith(beginning)).toBe(true);
    expect(mail?.text).toContain('https://attune.example.com/exports/');
  });

  it('abandons a silent server when it is cancelled', async () => {
    const silent: Server = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const environment = createActivityEnvironment();
    const connected = once(silent, 'connection');
    const failing = failureOf(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`, environment);
    const [socket] = await connected;
    const closed = once(socket.resume(), 'close');
    environment.cancel('WORKER_SHUTDOWN');
    expect(await failing).toMatchObject({ name: 'CancelledFailure' });
    await closed;
    silent.close();
    expect(await mailState()).toBe('waiting');
  });
});
