/**
 * The access rules and limits of POST /sites/{id}/reports. Its form is that of the analytics API
 * (test/api/analytics/reports.test.ts).
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertSegment } from '../../../../db/sites/segments.ts';
import { updateSite } from '../../../../db/sites/sites.ts';
import { createHeldReports } from '../../support/heldReports.ts';
import { createTestUser, openBrowser, tokenOf, withHeaders, type Person } from '../../support/people.ts';
import { stageApi } from '../../support/stageApi.ts';
import {
  clientOf,
  createTestToken,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';
import { createTestGoal, createTestSite, type TestSite } from '../../support/testSite.ts';

const quick = createHeldReports();
quick.release();
const stage = stageApi({ reports: quick });
let site: TestSite;
let admin: Client;

beforeAll(async () => {
  site = await createTestSite(stage.database.pool);
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});

const UNKNOWN_SITE = 'zzzzzzzzzzzz';
const UNKNOWN_ID = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';
const GOOD = { dimensions: ['source_type'], metrics: ['visits'], date_from: '2026-06-01', date_to: '2026-06-30' };
const REGEX = { dimension: 'country', op: 'regex', values: ['\\pL{500}'] };
const ask = (client: Client, body: unknown = GOOD, id = site.id): Promise<Answer> =>
  client('POST', `/sites/${id}/reports`, body);
const viewer = (sites: string[] = [site.id]): Promise<Person> =>
  createTestUser(stage.database.pool, 'viewer', { sites });
const withToken = async (user: Person, base = stage.api.cabinet): Promise<Client> =>
  clientOf(base, await tokenOf(stage.database.pool, user));

describe('POST /sites/{id}/reports', () => {
  // proves: decisions-cabinet-calls/report
  it('returns the report in Russian, with the number of its rows', async () => {
    await createTestGoal(stage.database.pool, site.id, 'lead');
    await updateSite(stage.database.pool, site.id, { rates: { USD: 80 } });
    const { status, body } = await ask(admin);
    expect([status, body]).toEqual([
      200,
      {
        data: [{ dimensions: ['direct'], metrics: [1] }],
        totals: [1],
        sampled: false,
        timezone: 'Europe/Moscow',
        rows: 1,
      },
    ]);
    expect(quick.asked.at(-1)).toMatchObject({
      language: 'ru',
      request: { ...GOOD, limit: 100, segment: null },
      site: {
        siteId: site.id,
        timezone: 'Europe/Moscow',
        currency: 'RUB',
        rates: { USD: 80 },
        goals: [{ code: 'lead', title: 'lead' }],
      },
    });
  });

  it('answers in English on request', async () => {
    expect((await ask(withHeaders(admin, { 'accept-language': 'en-GB, ru;q=0.5' }))).status).toBe(200);
    expect(quick.asked.at(-1)).toMatchObject({ language: 'en' });
  });

  // proves: analytics-rules/3
  // proves: decisions-cabinet-calls/report
  it('works for viewers of the site, in a browser and with a token', async () => {
    const user = await viewer();
    expect((await ask(await withToken(user))).status).toBe(200);
    const browser = await openBrowser(stage.api, user);
    expect((await ask(browser.call)).status).toBe(200);
  });

  it("refuses a request that a page of another site makes in a viewer's browser", async () => {
    const browser = await openBrowser(stage.api, await viewer());
    expect((await ask(withHeaders(browser.call, { 'sec-fetch-site': 'cross-site' }))).status).toBe(403);
  });

  it('answers 404 for a site that does not exist or that the caller may not see', async () => {
    expect((await ask(admin, GOOD, UNKNOWN_SITE)).status).toBe(404);
    const other = await createTestSite(stage.database.pool);
    expect((await ask(await withToken(await viewer()), GOOD, other.id)).status).toBe(404);
  });

  it('reports the faults of a request before a missing site to callers who may see every site, except an unknown segment', async () => {
    const faults = async (changes: object) =>
      (await ask(admin, { ...GOOD, ...changes }, UNKNOWN_SITE)).body.error.details?.map(
        ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
      );
    expect(await faults({ metrics: ['luck'], date_to: '2999-01-01', more: 1, segment_id: UNKNOWN_ID })).toEqual([
      'more unknown_field',
      'metrics[0] unknown_metric',
      'date_to bad_date',
    ]);
    expect(await faults({ segment_id: 7 })).toEqual(['segment_id invalid_type']);
    for (const id of [UNKNOWN_ID, 'mine'])
      expect((await ask(admin, { ...GOOD, segment_id: id }, UNKNOWN_SITE)).status).toBe(404);
  });

  // proves: analytics-errors/unknown_segment
  it('accepts a saved segment only for the site that it belongs to', async () => {
    const conditions = { scope: 'visitor', dimension: 'country', op: 'eq', values: ['RU'] };
    const saved = await insertSegment(stage.database.pool, site.id, { title: 'Россия', conditions });
    if (typeof saved === 'string') throw new Error('no segment was stored');
    expect((await ask(admin, { ...GOOD, segment_id: saved.id })).status).toBe(200);
    expect(quick.asked.at(-1)?.request.segment).toEqual({
      scope: 'visitor',
      condition: { dimension: 'country', op: 'eq', values: ['RU'] },
    });
    const other = await createTestSite(stage.database.pool);
    const { status, body } = await ask(admin, { ...GOOD, segment_id: saved.id }, other.id);
    expect([status, body.error.details]).toEqual([
      422,
      [{ field: 'segment_id', code: 'unknown_segment', message: expect.any(String) }],
    ]);
  });

  // proves: report-limits/builder
  it('refuses what the analytics API refuses, with texts in Russian', async () => {
    const { status, body } = await ask(admin, {
      dimensions: ['date', 'country', 'region', 'city', 'browser', 'os'],
      metrics: Array.from({ length: 11 }, () => 'visits'),
      date_from: '2026-06-31',
      date_to: '2026-06-30',
      filters: [{ dimension: 'country', op: 'is', values: [] }],
    });
    expect(status).toBe(422);
    expect(body.error.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)).toEqual([
      'dimensions too_many',
      'metrics too_many',
      'date_from bad_date',
      'filters[0] bad_filter',
    ]);
    for (const { message } of body.error.details) expect(message).toMatch(/[а-я]/);
  });
});

describe('a refusal by the engine', () => {
  it('is reported at the field that caused it: for a saved segment at segment_id', async () => {
    const held = createHeldReports();
    const own = await startTestApi({ databaseUrl: stage.database.url, reports: held });
    try {
      const saved = await insertSegment(stage.database.pool, site.id, { title: 'Буквы', conditions: REGEX });
      if (typeof saved === 'string') throw new Error('no segment was stored');
      const client = await withToken(await viewer(), own.cabinet);
      for (const [index, [changes, fields]] of (
        [
          [{ filters: [REGEX], segment_id: saved.id }, ['filters[0]', 'segment_id']],
          [{ segment: REGEX }, ['segment']],
        ] as const
      ).entries()) {
        const waiting = ask(client, { ...GOOD, ...changes });
        (await held.nth(index)).fail(Object.assign(new Error('pattern too large'), { name: 'ReportPatternError' }));
        const { status, body } = await waiting;
        expect([status, body.error.details]).toEqual([
          422,
          fields.map((field) => ({ field, code: 'bad_filter', message: expect.any(String) })),
        ]);
      }
    } finally {
      await own.close();
    }
  });
});

describe('reports of one user', () => {
  /** A second process of the installation, whose reports end when the test says so. */
  const held = createHeldReports();
  let slow: TestApi;
  beforeAll(async () => {
    slow = await startTestApi({ databaseUrl: stage.database.url, reports: held });
  });
  afterAll(async () => {
    held.release();
    await slow?.close();
  });

  // proves: report-limits/per-user
  it("are limited to two at a time across all the user's tokens and browsers", async () => {
    const user = await viewer();
    const [byToken, byAnother, browser] = [
      await withToken(user, slow.cabinet),
      await withToken(user, slow.cabinet),
      await openBrowser(slow, user),
    ];
    const first = ask(byToken);
    const one = await held.nth(0);
    const second = ask(browser.call);
    await held.nth(1);
    for (const client of [byToken, byAnother, browser.call, await withToken(user)]) {
      const { status, headers, body } = await ask(client);
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '1']);
    }
    // Neither another user of the site nor the installation's token is limited by it.
    expect((await ask(await withToken(await viewer()))).status).toBe(200);
    expect((await ask(admin)).status).toBe(200);
    one.finish();
    expect((await first).status).toBe(200);
    expect((await ask(await withToken(user))).status).toBe(200);
    held.release();
    expect((await second).status).toBe(200);
  });
});
