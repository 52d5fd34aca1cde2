import { beforeAll, describe, expect, it } from '@jest/globals';
import { todayIn } from '../../../../reports/validate/index.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestToken, type Client } from '../../support/testApi.ts';
import { createTestSite } from '../../support/testSite.ts';

const UNKNOWN_SITE = 'zzzzzzzzzzzz';
const UNKNOWN_ID = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';
const DATED = { metrics: ['visits'], dimensions: ['source_type'], date_from: '2026-01-01', date_to: '2026-01-31' };
const UNDATED = {
  metrics: ['visits', 'bounce_rate'],
  sort: [{ field: 'visits', dir: 'asc' }],
  robots: 'include',
  limit: 10,
};

const stage = stageApi();
let admin: Client;

beforeAll(async () => {
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});

const newSite = async (): Promise<string> => (await createTestSite(stage.database.pool)).id;

describe('saved reports', () => {
  // proves: decisions-cabinet-calls/saved-reports
  it('are stored as they were sent, listed in order of creation, read one by one and deleted', async () => {
    const id = await newSite();
    const created = await admin('POST', `/sites/${id}/saved-reports`, { title: 'Январь', report: DATED });
    expect(created).toMatchObject({ status: 201, body: { title: 'Январь', last_days: null } });
    expect(created.body.report).toEqual(DATED);
    const second = await admin('POST', `/sites/${id}/saved-reports`, {
      title: 'Второй',
      report: DATED,
      last_days: null,
    });
    expect((await admin('GET', `/sites/${id}/saved-reports`)).body).toEqual({
      items: [created.body, second.body],
      next_cursor: null,
    });
    expect((await admin('GET', `/sites/${id}/saved-reports/${created.body.id}`)).body).toEqual(created.body);
    expect((await admin('DELETE', `/sites/${id}/saved-reports/${created.body.id}`)).body).toEqual({
      id: created.body.id,
      deleted: true,
    });
    expect((await admin('GET', `/sites/${id}/saved-reports/${created.body.id}`)).status).toBe(404);
    expect((await admin('GET', `/sites/${id}/saved-reports`)).body.items).toEqual([second.body]);
  });

  it("cover the last days in the site's time zone whenever they are read", async () => {
    const id = await newSite();
    await stage.database.pool.query(`update sites set timezone = 'Pacific/Kiritimati' where id = $1`, [id]);
    const before = todayIn('Pacific/Kiritimati', new Date());
    const { status, body } = await admin('POST', `/sites/${id}/saved-reports`, {
      title: 'Неделя',
      report: { ...DATED, ...UNDATED },
      last_days: 7,
    });
    expect(status).toBe(201);
    const { date_from: from, date_to: to, ...rest } = body.report;
    expect(rest).toEqual({ ...UNDATED, dimensions: ['source_type'] });
    expect([before, todayIn('Pacific/Kiritimati', new Date())]).toContain(to);
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(6);
    await stage.database.pool.query(`update sites set timezone = 'Pacific/Pago_Pago' where id = $1`, [id]);
    // The two time zones are 25 hours apart, so their dates always differ.
    expect((await admin('GET', `/sites/${id}/saved-reports/${body.id}`)).body.report.date_to < to).toBe(true);
    const { rows } = await stage.database.pool.query<{ report: object }>(
      'select report from site_saved_reports where site_id = $1',
      [id],
    );
    expect(rows[0]?.report).toEqual({ ...UNDATED, dimensions: ['source_type'] });
  });

  it('can change their title, or the report together with its period', async () => {
    const id = await newSite();
    const { body } = await admin('POST', `/sites/${id}/saved-reports`, { title: 'x', report: UNDATED, last_days: 1 });
    const path = `/sites/${id}/saved-reports/${body.id}`;
    expect(body.report.date_from).toBe(body.report.date_to);
    expect((await admin('PATCH', path, { title: 'y' })).body).toMatchObject({
      title: 'y',
      last_days: 1,
      report: UNDATED,
    });
    const dated = await admin('PATCH', path, { report: DATED });
    expect(dated).toMatchObject({ status: 200, body: { title: 'y', last_days: null } });
    expect(dated.body.report).toEqual(DATED);
    expect((await admin('PATCH', path, { last_days: 3 })).body.error.details).toMatchObject([
      { field: 'report', code: 'required' },
    ]);
    expect((await admin('PATCH', path, { report: UNDATED })).status).toBe(422);
    expect((await admin('GET', path)).body).toEqual(dated.body);
  });

  // proves: report/segment_id
  it('may name a segment of their site', async () => {
    const [id, other] = [await newSite(), await newSite()];
    const segment = await admin('POST', `/sites/${id}/segments`, {
      title: 'x',
      conditions: { metric: 'pageviews', op: 'gt', value: 1 },
    });
    const report = { ...DATED, segment_id: segment.body.id };
    expect((await admin('POST', `/sites/${id}/saved-reports`, { title: 'x', report })).status).toBe(201);
    const refused = await admin('POST', `/sites/${other}/saved-reports`, { title: 'x', report });
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'report.segment_id', code: 'unknown_segment' }] } },
    });
    await admin('DELETE', `/sites/${id}/segments/${segment.body.id}`);
    expect((await admin('GET', `/sites/${id}/saved-reports`)).body.items).toMatchObject([{ report }]);
  });

  it.each<[object, string, string]>([
    [{ report: DATED }, 'title', 'required'],
    [{ title: 'x' }, 'report', 'required'],
    [{ title: 'x', report: [] }, 'report', 'invalid_type'],
    [{ title: 'x', report: null }, 'report', 'invalid_type'],
    [{ title: 'x', report: { ...DATED, date_to: undefined } }, 'report.date_to', 'required'],
    [{ title: 'x', report: { ...DATED, date_to: '2999-01-01' } }, 'report.date_to', 'bad_date'],
    [{ title: 'x', report: { ...DATED, metrics: ['joy'] } }, 'report.metrics[0]', 'unknown_metric'],
    [{ title: 'x', report: { ...DATED, dimensions: ['colour'] } }, 'report.dimensions[0]', 'unknown_dimension'],
    [{ title: 'x', report: { ...DATED, colour: 1 } }, 'report.colour', 'unknown_field'],
    [{ title: 'x', report: { ...DATED, limit: 10_001 } }, 'report.limit', 'invalid_value'],
    [
      {
        title: 'x',
        report: { ...DATED, filters: [{ dimension: 'device_type', op: 'eq', values: ['x'.repeat(70_000)] }] },
      },
      'report',
      'too_long',
    ],
    [{ title: 'x', report: UNDATED, last_days: 0 }, 'last_days', 'invalid_value'],
    [{ title: 'x', report: UNDATED, last_days: 731 }, 'last_days', 'invalid_value'],
    [{ title: 'x', report: UNDATED, last_days: '7' }, 'last_days', 'invalid_type'],
    [{ title: 'x', report: { ...UNDATED, offset: -1 }, last_days: 730 }, 'report.offset', 'invalid_value'],
  ])('refuse %j', async (body, field, code) => {
    const { status, body: answer } = await admin('POST', `/sites/${await newSite()}/saved-reports`, body);
    expect({ status, details: answer.error?.details }).toMatchObject({ status: 422, details: [{ field, code }] });
  });

  it('cover at most two years of days, which is a valid period on any date', async () => {
    const { status } = await admin('POST', `/sites/${await newSite()}/saved-reports`, {
      title: 'x',
      report: UNDATED,
      last_days: 730,
    });
    expect(status).toBe(201);
  });

  it('answer 404 for an unknown site or report, and 400 for a malformed id', async () => {
    const [id, other] = [await newSite(), await newSite()];
    const { body } = await admin('POST', `/sites/${id}/saved-reports`, { title: 'x', report: DATED });
    for (const path of [
      `/sites/${UNKNOWN_SITE}/saved-reports/${body.id}`,
      `/sites/${other}/saved-reports/${body.id}`,
      `/sites/${id}/saved-reports/${UNKNOWN_ID}`,
    ]) {
      expect((await admin('GET', path)).status).toBe(404);
      expect((await admin('PATCH', path, { title: 'y' })).status).toBe(404);
      expect((await admin('DELETE', path)).status).toBe(404);
    }
    expect((await admin('GET', `/sites/${UNKNOWN_SITE}/saved-reports`)).status).toBe(404);
    expect((await admin('POST', `/sites/${UNKNOWN_SITE}/saved-reports`, { title: 'x', report: DATED })).status).toBe(
      404,
    );
    expect((await admin('GET', `/sites/${id}/saved-reports/1`)).status).toBe(400);
    expect((await admin('GET', `/sites/${id}/saved-reports/${body.id}`)).body).toEqual(body);
  });

  it('report the faults of a report before a missing site', async () => {
    const path = `/sites/${UNKNOWN_SITE}/saved-reports`;
    for (const [method, to] of [
      ['POST', path],
      ['PATCH', `${path}/${UNKNOWN_ID}`],
    ] as const) {
      const refused = await admin(method, to, {
        title: 'x',
        report: { ...UNDATED, metrics: ['visits', 'joy'], segment_id: UNKNOWN_ID },
        last_days: 7,
      });
      expect(refused).toMatchObject({
        status: 422,
        body: { error: { details: [{ field: 'report.metrics[1]', code: 'unknown_metric' }] } },
      });
      for (const body of [{ report: { ...UNDATED, segment_id: UNKNOWN_ID }, last_days: 7 }, { report: DATED }])
        expect((await admin(method, to, { title: 'x', ...body })).status).toBe(404);
    }
  });

  it('are limited to 200 per site, however many are created at once', async () => {
    const id = await newSite();
    await stage.database.pool.query(
      `insert into site_saved_reports (site_id, title, report) select $1, 'x', '{}' from generate_series(1, 198)`,
      [id],
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => admin('POST', `/sites/${id}/saved-reports`, { title: 'x', report: DATED })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 422, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.error.details).toMatchObject([
      { field: '', code: 'invalid_value' },
    ]);
  });
});
