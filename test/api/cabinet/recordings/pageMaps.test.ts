/** Page maps and the links to them. Their content is tested in test/reports/run/questions.test.ts. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import { updateSite } from '../../../../db/sites/sites.ts';
import { createMapLinks } from '../../../../domain/sites/mapLinks.ts';
import { createHeldReports } from '../../support/heldReports.ts';
import { createTestUser, tokenOf } from '../../support/people.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestToken, type Client } from '../../support/testApi.ts';
import { createTestSite } from '../../support/testSite.ts';

const PAGE = 'https://shop.example/catalogue?colour=red#lamps';
const reports = createHeldReports();
const stage = stageApi({ reports });
let admin: Client;
let site: string;

beforeAll(async () => {
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});
beforeEach(async () => {
  reports.questions.length = 0;
  site = (await createTestSite(stage.database.pool)).id;
  await updateSite(stage.database.pool, site, { hosts: ['shop.example'] });
});

const link = (body: object = {}, client = admin) => client('POST', `/sites/${site}/map-links`, { page: PAGE, ...body });
const open = (token: string, kind = 'clicks', query = '?page=https%3A%2F%2Fshop.example%2F') =>
  fetch(`${stage.api.origin}/maps/${token}/${kind}${query}`, { headers: { origin: 'https://shop.example' } });
const addSegment = async (): Promise<string> =>
  (
    await admin('POST', `/sites/${site}/segments`, {
      title: 'Phones',
      conditions: { dimension: 'browser', op: 'eq', values: ['Firefox'] },
    })
  ).body.id;

describe('a map', () => {
  it('covers the selected page and filters, and the last 30 days unless others are named', async () => {
    const segment = await addSegment();
    const usual = await admin('GET', `/sites/${site}/scrolls?page=https://shop.example/`);
    expect(usual).toMatchObject({ status: 200, body: { views: 2, average_depth: 100, timezone: 'Europe/Moscow' } });
    expect(usual.body.reached.slice(-1)).toEqual([{ depth: 100, views: 2 }]);
    const days = (Date.parse(usual.body.date_to) - Date.parse(usual.body.date_from)) / 86_400_000 + 1;
    expect(days).toBe(30);
    const query = `page=https://shop.example/&date_from=2026-01-01&date_to=2026-01-31&device=mobile&segment=${segment}`;
    expect((await admin('GET', `/sites/${site}/clicks?${query}`)).status).toBe(200);
    expect(reports.questions.at(-1)).toMatchObject({
      kind: 'clicks',
      request: {
        page: 'https://shop.example/',
        date_from: '2026-01-01',
        date_to: '2026-01-31',
        device: 'mobile',
        segment: { scope: 'visit', condition: { dimension: 'browser' } },
      },
    });
  });

  it.each([
    ['', 'page', 'required'],
    ['page=a&date_from=2026-02-30', 'date_from', 'bad_date'],
    ['page=a&date_to=2999-01-01', 'date_to', 'bad_date'],
    ['page=a&date_from=2026-02-02&date_to=2026-02-01', 'date_from', 'bad_date'],
    ['page=a&date_from=2020-01-01&date_to=2026-02-01', 'date_from', 'bad_date'],
    ['page=a&device=lamp', 'device', 'invalid_value'],
    ['page=a&segment=019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11', 'segment', 'unknown_segment'],
  ])('is refused with the query "%s"', async (query, field, code) => {
    const { status, body } = await admin('GET', `/sites/${site}/clicks?${query}`);
    expect([status, body.error.details[0]]).toMatchObject([400, { field, code }]);
  });

  it('takes one of the two report slots of a user', async () => {
    const user = await createTestUser(stage.database.pool, 'viewer', { sites: [site] });
    const viewer = clientOf(stage.api.cabinet, await tokenOf(stage.database.pool, user));
    const run = () =>
      viewer('POST', `/sites/${site}/reports`, { metrics: ['visits'], date_from: '2026-01-01', date_to: '2026-01-02' });
    const before = reports.asked.length;
    const running = [run(), run()];
    await Promise.all([reports.nth(before), reports.nth(before + 1)]);
    const clicks = () => viewer('GET', `/sites/${site}/clicks?page=https://shop.example/`);
    expect((await clicks()).status).toBe(429);
    reports.release();
    await Promise.all(running);
    reports.hold();
    expect((await clicks()).status).toBe(200);
  });
});

describe('a link', () => {
  // proves: report-limits/map-link, collect/cors
  it('opens the maps of the site for an hour, on a page of the site and without a session', async () => {
    const segment = await addSegment();
    const made = await link({ date_from: '2026-01-01', date_to: '2026-01-31', device: 'desktop', segment });
    expect(made.status).toBe(201);
    const { url, token, expires_at: end } = made.body;
    expect(url).toBe(`https://shop.example/catalogue?colour=red#svc-map=${token}`);
    expect(Math.abs(Date.parse(end) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    const opensAt = (time: number) => createMapLinks(stage.api.config.secretKey, () => time).open(token) !== null;
    expect([opensAt(Date.parse(end) - 1_000), opensAt(Date.parse(end) + 1_000)]).toEqual([true, false]);
    const answer = await open(token);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'cache-control': 'private, no-store',
      vary: 'Origin',
    });
    expect(await answer.json()).toMatchObject({
      page: 'https://shop.example/',
      date_from: '2026-01-01',
      elements: [{ selector: '#buy', clicks: 1 }],
    });
    expect(reports.questions.at(-1)).toMatchObject({
      site: { siteId: site },
      request: { device: 'desktop', segment: { scope: 'visit' } },
    });
    expect((await open(token, 'scrolls')).status).toBe(200);
    expect((await open(token, 'visits')).status).toBe(404);
    // A token is a credential: neither the log nor a metric may contain it.
    expect(JSON.stringify(stage.api.log)).not.toContain(token);
  });

  it.each([
    ['no page', '', 'required'],
    ['an empty page', '?page=', 'invalid_value'],
    ['two pages', '?page=a&page=b', 'invalid_value'],
    ['NUL', '?page=a%00', 'invalid_value'],
    ['2,049 characters', `?page=${'a'.repeat(2049)}`, 'too_long'],
  ])('is refused with %s', async (_what, query, code) => {
    const answer = await open((await link()).body.token, 'clicks', query);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { details: [{ field: 'page', code }] } },
    ]);
    expect(reports.questions).toEqual([]);
  });

  // proves: decisions-faults/characters
  it('counts the characters of an address, not their bytes or UTF-16 units', async () => {
    const page = `https://shop.example/?q=${'😀'.repeat(1_030)}`;
    const answer = await open((await link()).body.token, 'scrolls', `?page=${encodeURIComponent(page)}`);
    expect(answer.status).toBe(200);
    expect(reports.questions.at(-1)).toMatchObject({ request: { page } });
  });

  it('does not work if it is forged or expired, or if the site is blocked', async () => {
    const { token } = (await link()).body;
    expect((await open(`${token.slice(0, -2)}AA`)).status).toBe(403);
    const links = createMapLinks(stage.api.config.secretKey);
    const subject = { siteId: site, from: '2026-01-01', to: '2026-01-31', device: null, segment: null };
    expect((await open(links.tokenFor(subject, new Date(Date.now() - 1)))).status).toBe(403);
    expect((await open(links.tokenFor(subject, new Date(Date.now() + 60_000)))).status).toBe(200);
    await admin('PATCH', `/sites/${site}`, { state: 'blocked' });
    expect((await open(token)).status).toBe(403);
    expect((await link()).status).toBe(403);
  });

  it.each([
    [{ page: 'https://elsewhere.example/' }, 'page', 'invalid_value'],
    [{ page: '/catalogue' }, 'page', 'invalid_url'],
    [{ page: 'javascript:alert(1)' }, 'page', 'invalid_url'],
    [{ date_from: '2999-01-01' }, 'date_from', 'bad_date'],
    [{ segment: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11' }, 'segment', 'unknown_segment'],
    [{ lifetime: 5 }, 'lifetime', 'unknown_field'],
  ])('cannot be made for %j', async (body, field, code) => {
    const answer = await link(body);
    expect([answer.status, answer.body.error.details[0]]).toMatchObject([422, { field, code }]);
  });

  it('can be made by viewers of the site too, and is recorded in the audit trail', async () => {
    const user = await createTestUser(stage.database.pool, 'viewer', { sites: [site] });
    const viewer = clientOf(stage.api.cabinet, await tokenOf(stage.database.pool, user));
    expect((await link({}, viewer)).status).toBe(201);
    const { rows } = await stage.database.pool.query(
      'select operation, status, fields from audit_log where site_id = $1 and user_id = $2',
      [site, user.id],
    );
    expect(rows).toEqual([{ operation: 'createMapLink', status: 201, fields: ['page'] }]);
    const stranger = await createTestUser(stage.database.pool, 'viewer');
    expect((await link({}, clientOf(stage.api.cabinet, await tokenOf(stage.database.pool, stranger)))).status).toBe(
      404,
    );
  });
});
