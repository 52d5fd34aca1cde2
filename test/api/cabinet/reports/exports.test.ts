import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import excel from 'exceljs';
import { fetch } from 'undici';
import { createExportLinks } from '../../../../domain/reports/exportLinks.ts';
import { createLogger } from '../../../../platform/process/logger.ts';
import { removeExpired } from '../../../../loops/relay/removeExpired.ts';
import { createCountedReports } from '../../../support/people/countedReports.ts';
import { createTestUser, tokenOf, withHeaders } from '../../support/people.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestToken, type Client } from '../../support/testApi.ts';
import { createTestGoal, createTestSite } from '../../support/testSite.ts';

const REPORT = {
  dimensions: ['source_type', 'page_path'],
  metrics: ['visits', 'pageviews'],
  date_from: '2026-11-01',
  date_to: '2026-11-20',
};

const DAY_MS = 86_400_000;
const reports = createCountedReports(3);
const stage = stageApi({ reports });
let admin: Client;
let site: string;

beforeAll(async () => {
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});
beforeEach(async () => {
  Object.assign(reports, { rows: 3, sampled: false, fault: null, asked: [] });
  site = (await createTestSite(stage.database.pool)).id;
});

const create = (body: object = {}, client = admin) =>
  client('POST', `/sites/${site}/exports`, { report: REPORT, format: 'csv', ...body });
const pathOf = (url: string): string => url.replace('http://attune.test', stage.api.origin);
const download = (url: string, method = 'GET') => fetch(pathOf(url), { method });
const waiting = async (): Promise<number> =>
  (
    await stage.database.pool.query(
      `select from outbox where kind = 'exports' and project_id = $1 and entity_id = $1`,
      [site],
    )
  ).rowCount ?? 0;

describe('exports of up to 10,000 rows', () => {
  // proves: report-limits/export
  // proves: decisions-cabinet-calls/export-new
  it('are made at once, as CSV, and open without a session', async () => {
    const created = await create();
    expect(created).toMatchObject({
      status: 201,
      body: { state: 'done', format: 'csv', progress: 1, rows: 3, sampled: false, error: null, mail: 'none' },
    });
    expect(Date.parse(created.body.expires_at) - Date.parse(created.body.finished_at)).toBe(7 * DAY_MS);
    expect(created.body.report).toMatchObject({ ...REPORT, limit: 100_000, attribution: 'last_significant' });
    const file = await download(created.body.url);
    expect(file.status).toBe(200);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="report-2026-11-01-2026-11-20.csv"',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    });
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(file.headers.get('content-length')).toBe(String(bytes.length));
    const [header, ...records]: string[][] = parse(bytes, { bom: true });
    expect(header).toEqual([
      expect.stringMatching(/[а-я]/i),
      expect.stringMatching(/[а-я]/i),
      'Визиты',
      expect.stringMatching(/[а-я]/i),
    ]);
    expect(records).toEqual([
      ['row 0', 'row 0', '0', '0.5'],
      ['row 1', 'row 1', '1', '1.5'],
      ['row 2', 'row 2', '2', '2.5'],
      ['Итого', '', '-1', '-2'],
    ]);
    expect(await waiting()).toBe(0);
  });

  // proves: decisions-cabinet-calls/export-new
  it('are made as workbooks that describe their contents, including a sample', async () => {
    reports.sampled = true;
    await createTestGoal(stage.database.pool, site, 'lead');
    const { body } = await create({
      format: 'xlsx',
      report: { ...REPORT, dimensions: ['source_type'], metrics: ['conversions:lead'] },
    });
    const workbook = new excel.Workbook();
    await workbook.xlsx.load((await (await download(body.url)).arrayBuffer()) as never);
    expect(workbook.getWorksheet('Отчёт')?.getRow(1).getCell(2).value).toMatch(/: lead$/);
    const about = workbook
      .getWorksheet('О выгрузке')
      ?.getSheetValues()
      .map((row) => (row as unknown[]).slice(1));
    expect(about).toEqual(
      expect.arrayContaining([
        ['Сайт', 'Site'],
        ['Период', '2026-11-01 — 2026-11-20'],
        ['Часовой пояс', 'Europe/Moscow'],
        ['Строк', '3'],
        ['Примечание', expect.stringContaining('10 %')],
      ]),
    );
    expect(body).toMatchObject({ rows: 3, sampled: true });
  });

  it('accept a limit of their own, and are then still made at once', async () => {
    reports.rows = 50_000;
    const { status, body } = await create({ report: { ...REPORT, limit: 9_000, offset: 100 } });
    expect([status, body.rows]).toEqual([201, 9_000]);
    expect((await create({ report: { ...REPORT, offset: 40_000 } })).body).toMatchObject({
      state: 'done',
      rows: 10_000,
    });
    expect((await create({ report: { ...REPORT, offset: 60_000 } })).body).toMatchObject({ state: 'done', rows: 0 });
  });

  it.each<[object, string, string]>([
    [{ report: undefined }, 'report', 'required'],
    [{ report: [] }, 'report', 'invalid_type'],
    [{ format: 'pdf' }, 'format', 'invalid_value'],
    [{ report: { ...REPORT, limit: 100_001 } }, 'report.limit', 'invalid_value'],
    [{ report: { ...REPORT, limit: 0 } }, 'report.limit', 'invalid_value'],
    [{ report: { ...REPORT, limit: null } }, 'report.limit', 'invalid_type'],
    [{ report: { ...REPORT, limit: '10' } }, 'report.limit', 'invalid_type'],
    [{ report: { ...REPORT, limit: 1.5 } }, 'report.limit', 'invalid_type'],
    [{ report: { ...REPORT, metrics: ['visits', 'luck'] } }, 'report.metrics[1]', 'unknown_metric'],
    [{ report: { ...REPORT, date_to: '2026-10-01' } }, 'report.date_from', 'bad_date'],
    [{ report: { ...REPORT, colour: 'red' } }, 'report.colour', 'unknown_field'],
    [{ report: { ...REPORT, segment_id: 'none' } }, 'report.segment_id', 'unknown_segment'],
  ])('refuse %j', async (body, field, code) => {
    const answer = await create(body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details).toContainEqual(expect.objectContaining({ field, code }));
    expect(reports.asked).toHaveLength(0);
  });

  it("report an engine's refusal at the field that caused it", async () => {
    const regex = { dimension: 'country', op: 'regex', values: ['\\pL{500}'] };
    const { body: segment } = await admin('POST', `/sites/${site}/segments`, { title: 'x', conditions: regex });
    const faults = async (name: string, report: object) => {
      reports.fault = Object.assign(new Error('refused'), { name });
      const { status, body } = await create({ report: { ...REPORT, ...report } });
      return [status, body.error.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)];
    };
    expect(await faults('ReportPatternError', { filters: [regex], segment: regex })).toEqual([
      422,
      ['report.filters[0] bad_filter', 'report.segment bad_filter'],
    ]);
    expect(await faults('ReportPatternError', { segment_id: segment.id })).toEqual([
      422,
      ['report.segment_id bad_filter'],
    ]);
    expect(await faults('ReportTooLargeError', {})).toEqual([422, ['report.limit invalid_value']]);
  });

  it('report the faults of a report before a missing site', async () => {
    site = 'zzzzzzzzzzzz';
    expect((await create()).status).toBe(404);
    expect((await create({ report: { ...REPORT, segment_id: randomUUID() } })).status).toBe(404);
    for (const [report, field] of [
      [{ ...REPORT, metrics: ['luck'], segment_id: randomUUID() }, 'report.metrics[0]'],
      [[], 'report'],
      [{ ...REPORT, limit: 0 }, 'report.limit'],
    ] as const) {
      const { status, body } = await create({ report });
      expect([status, body.error.details?.map((fault: { field: string }) => fault.field)]).toEqual([422, [field]]);
    }
    expect(reports.asked).toHaveLength(0);
  });

  it('fail as reports do, and leave nothing', async () => {
    reports.fault = Object.assign(new Error('too long'), { name: 'ReportTimeoutError' });
    expect(await create()).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect((await admin('GET', `/sites/${site}/exports`)).body.items).toEqual([]);
  });
});

describe('exports of more rows', () => {
  beforeEach(() => {
    reports.rows = 10_001;
  });

  // proves: report-limits/exports, decisions-cabinet-calls/export
  it('wait for their turn, at most five per site; another site has its own queue', async () => {
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push(await create());
    expect(made.map(({ status, body }) => [status, body.state, body.url, body.rows])).toEqual(
      Array.from({ length: 5 }, () => [202, 'queued', null, null]),
    );
    expect(await waiting()).toBe(5);
    const sixth = await create();
    expect(sixth).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
    // The refusal costs no report run.
    expect(reports.asked).toHaveLength(5);
    // An export that is made at once takes no slot of the queue.
    expect((await create({ report: { ...REPORT, limit: 10 } })).status).toBe(201);
    const full = site;
    site = (await createTestSite(stage.database.pool)).id;
    expect((await create()).status).toBe(202);
    const { body } = await admin('GET', `/sites/${full}/exports?limit=4`);
    expect(body.items.map(({ state }: { state: string }) => state)).toEqual(['done', 'queued', 'queued', 'queued']);
    const rest = (await admin('GET', `/sites/${full}/exports?cursor=${body.next_cursor}`)).body;
    expect(rest.items.map(({ id }: { id: string }) => id)).toEqual([made[1]?.body.id, made[0]?.body.id]);
    expect((await admin('GET', `/sites/${full}/exports/${made[0]?.body.id}`)).body).toEqual(made[0]?.body);
    await stage.database.pool.query(`update report_exports set state = 'running', progress = 0.25 where id = $1`, [
      made[0]?.body.id,
    ]);
    expect((await admin('GET', `/sites/${full}/exports/${made[0]?.body.id}`)).body).toEqual({
      ...made[0]?.body,
      state: 'running',
      progress: 0.25,
    });
  });
});

describe('the language of a file', () => {
  it('is the requested one, both at once and from the queue', async () => {
    const english = withHeaders(admin, { 'accept-language': 'en-GB' });
    const { body } = await create({}, english);
    const [header = [], ...records]: string[][] = parse(Buffer.from(await (await download(body.url)).arrayBuffer()), {
      bom: true,
    });
    expect([header[0], header[2], records.at(-1)?.[0]]).toEqual(['Source type', 'Visits', 'Total']);
    expect(reports.asked.at(-1)).toMatchObject({ limit: 10_000 });
    Object.assign(reports, { rows: 20_000 });
    const queued = [await create({}, english), await create()];
    const { rows } = await stage.database.pool.query(
      `select language from report_exports where id = any($1) order by id`,
      [queued.map((answer) => answer.body.id)],
    );
    expect(rows).toEqual([{ language: 'en' }, { language: 'ru' }]);
  });
});

describe('files of a site', () => {
  it('number at most 500, including those that wait in the queue, even if requests come at the same time', async () => {
    const { pool } = stage.database;
    await pool.query(
      `insert into report_exports (site_id, state, format, report, progress, rows, sampled, blob_key, finished_at, expires_at)
       select $1, 'done', 'csv', '{}', 1, 1, false, 'exports/x/y/z.csv', now(), now() + interval '1 day' from generate_series(1, 498)`,
      [site],
    );
    reports.rows = 10_001;
    expect((await create()).status).toBe(202);
    reports.rows = 3;
    const together = await Promise.all([create(), create(), create()]);
    expect(together.map(({ status }) => status).sort()).toEqual([201, 429, 429]);
    const { rows } = await pool.query(
      `select count(*)::int as rows, count(*) filter (where state = 'queued')::int as queued from report_exports where site_id = $1`,
      [site],
    );
    expect(rows).toEqual([{ rows: 500, queued: 1 }]);
  });

  it('are limited to 500: the next request learns when the first file expires, and runs no report', async () => {
    const { pool } = stage.database;
    await pool.query(
      `insert into report_exports (site_id, state, format, report, progress, rows, sampled, blob_key, finished_at, expires_at)
       select $1, 'done', 'csv', '{}', 1, 1, false, 'exports/x/y/z.csv', now(), now() + make_interval(hours => n) from generate_series(1, 500) n`,
      [site],
    );
    const refused = await create();
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds > 3_000 && seconds <= 3_600).toBe(true);
    expect(reports.asked).toHaveLength(0);
    await pool.query(
      `update report_exports set expires_at = now() where site_id = $1 and expires_at < now() + interval '90 minutes'`,
      [site],
    );
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(429);
  });
});

describe('links', () => {
  it('do not open if they are altered or have expired', async () => {
    const { body } = await create();
    const [payload = '', signature = ''] = pathOf(body.url).split('/').at(-1)?.split('.') ?? [];
    const { secretKey, publicUrl } = stage.api.config;
    const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace(/^\d/, '9')).toString('base64url');
    const past = createExportLinks(secretKey, publicUrl).urlFor(
      { siteId: site, exportId: body.id },
      new Date(Date.now() - 1_000),
    );
    const unknown = createExportLinks(secretKey, publicUrl).urlFor(
      { siteId: site, exportId: randomUUID() },
      new Date(Date.now() + 60_000),
    );
    const other = createExportLinks(Buffer.alloc(32, 1), publicUrl).urlFor(
      { siteId: site, exportId: body.id },
      new Date(Date.now() + 60_000),
    );
    for (const token of [
      `${forged}.${signature}`,
      payload,
      `${payload}.`,
      `${payload}.${signature.slice(0, -2)}`,
      `${payload}.${signature}.x`,
      'x',
    ]) {
      expect((await download(`http://attune.test/exports/${token}`)).status).toBe(403);
    }
    expect((await download(past)).status).toBe(403);
    expect((await download(other)).status).toBe(403);
    expect((await download(unknown)).status).toBe(404);
    expect((await download(body.url)).status).toBe(200);
  });

  it('stop working when the site is blocked or deleted, or its owner is blocked', async () => {
    const { body } = await create();
    for (const change of [{ state: 'blocked' }, { state: 'deleted' }, { owner_state: 'blocked' }]) {
      await admin('PATCH', `/sites/${site}`, change);
      expect((await download(body.url)).status).toBe(403);
      expect((await create()).status).toBe(403);
      await admin('PATCH', `/sites/${site}`, { state: 'active', owner_state: 'active' });
    }
    expect((await download(body.url)).status).toBe(200);
  });

  it('answer HEAD with the headers only', async () => {
    const { body } = await create();
    const head = await download(body.url, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(50);
  });

  it('do not appear in the log', async () => {
    const { body } = await create();
    await download(body.url);
    const lines = stage.api.log.filter(({ route }) => route === '/exports/{token}');
    expect(lines.at(-1)).toMatchObject({ status: 200, siteId: site });
    expect(JSON.stringify(stage.api.log)).not.toContain(body.url.split('/').at(-1));
  });

  // proves: report-limits/export
  it('lead to a file for seven days, and to nothing afterwards', async () => {
    const { pool } = stage.database;
    const { body } = await create();
    const deps = {
      pool,
      blobs: stage.api.blobs,
      rememberCollectedHours: 24,
      auditDays: 365,
      logger: createLogger('test', 'silent'),
    };
    await removeExpired(deps);
    expect((await download(body.url)).status).toBe(200);
    const opensAfter = (ms: number) =>
      createExportLinks(stage.api.config.secretKey, '', () => Date.parse(body.finished_at) + ms).open(
        body.url.split('/').at(-1),
      ) !== null;
    expect([opensAfter(7 * DAY_MS - 1_000), opensAfter(7 * DAY_MS)]).toEqual([true, false]);
    const left = await pool.query<{ days: number }>(
      `select round(extract(epoch from after - now()) / 86400)::int as days from blob_garbage where project_id = $1`,
      [site],
    );
    expect(left.rows).toEqual([{ days: 7 }]);

    await pool.query(`update blob_garbage set after = now() where project_id = $1`, [site]);
    await pool.query(`update report_exports set expires_at = now() where site_id = $1`, [site]);
    expect((await download(body.url)).status).toBe(404);
    await removeExpired(deps);
    const { rows } = await pool.query<{ blob_key: string }>('select blob_key from report_exports where site_id = $1', [
      site,
    ]);
    expect(await stage.api.blobs.open(rows[0]?.blob_key ?? '')).toBeNull();
    expect((await admin('GET', `/sites/${site}/exports/${body.id}`)).body).toMatchObject({ state: 'done', url: null });
    await pool.query(`update report_exports set created_at = now() - interval '91 days' where site_id = $1`, [site]);
    await removeExpired(deps);
    expect((await admin('GET', `/sites/${site}/exports/${body.id}`)).status).toBe(404);
  });
});

describe('users', () => {
  // proves: decisions-cabinet-calls/export
  it('of the site may export, including viewers; those of another site find nothing', async () => {
    const { pool } = stage.database;
    const elsewhere = (await createTestSite(pool)).id;
    const [viewer, stranger] = await Promise.all(
      [site, elsewhere].map(async (id) =>
        clientOf(stage.api.cabinet, await tokenOf(pool, await createTestUser(pool, 'viewer', { sites: [id] }))),
      ),
    );
    if (!viewer || !stranger) throw new Error('unreachable');
    const { body, status } = await create({}, viewer);
    expect(status).toBe(201);
    for (const [method, path, sent] of [
      ['POST', '', { report: REPORT, format: 'csv' }],
      ['GET', '', undefined],
      ['GET', `/${body.id}`, undefined],
    ] as const) {
      expect((await stranger(method, `/sites/${site}/exports${path}`, sent)).status).toBe(404);
    }
    expect((await stranger('GET', `/sites/${elsewhere}/exports/${body.id}`)).status).toBe(404);
    expect((await viewer('GET', `/sites/${site}/exports/${body.id}`)).body.url).toBe(body.url);
  });
});
