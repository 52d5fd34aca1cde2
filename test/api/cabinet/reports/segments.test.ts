import { beforeAll, describe, expect, it } from '@jest/globals';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestToken, type Client } from '../../support/testApi.ts';
import { createTestSite } from '../../support/testSite.ts';

const UNKNOWN_SITE = 'zzzzzzzzzzzz';
const UNKNOWN_ID = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';
const MOBILE = { dimension: 'device_type', op: 'eq', values: ['mobile'] };

const stage = stageApi();
let admin: Client;

beforeAll(async () => {
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});

const newSite = async (): Promise<string> => (await createTestSite(stage.database.pool)).id;

describe('segments', () => {
  // proves: report/segment_id
  // proves: decisions-analytics/segment-saved
  // proves: decisions-cabinet-calls/segments, decisions-cabinet-calls/segment-new
  // proves: decisions-cabinet-calls/segment-changed, decisions-cabinet-calls/segment-deleted
  it('are created, changed, listed in order of creation and deleted', async () => {
    const id = await newSite();
    const created = await admin('POST', `/sites/${id}/segments`, { title: 'С телефона', conditions: MOBILE });
    expect(created).toMatchObject({ status: 201, body: { title: 'С телефона', conditions: MOBILE } });
    const second = await admin('POST', `/sites/${id}/segments`, {
      title: 'Читатели',
      conditions: { scope: 'visitor', any: [MOBILE, { metric: 'pageviews', op: 'gte', value: 3 }] },
    });
    expect(second.status).toBe(201);
    const changed = await admin('PATCH', `/sites/${id}/segments/${created.body.id}`, {
      conditions: [MOBILE, { not: MOBILE }],
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        id: created.body.id,
        title: 'С телефона',
        conditions: [MOBILE, { not: MOBILE }],
        created_at: created.body.created_at,
      },
    });
    expect((await admin('PATCH', `/sites/${id}/segments/${created.body.id}`, { title: 'Телефон' })).body).toMatchObject(
      { title: 'Телефон', conditions: [MOBILE, { not: MOBILE }] },
    );
    const { body } = await admin('GET', `/sites/${id}/segments`);
    expect(body.items.map(({ title }: { title: string }) => title)).toEqual(['Телефон', 'Читатели']);
    expect(body.items[1]).toEqual(second.body);
    expect((await admin('DELETE', `/sites/${id}/segments/${created.body.id}`)).body).toEqual({
      id: created.body.id,
      deleted: true,
    });
    expect((await admin('DELETE', `/sites/${id}/segments/${created.body.id}`)).status).toBe(404);
    expect((await admin('GET', `/sites/${id}/segments`)).body.items).toEqual([second.body]);
  });

  it('belong to their own site', async () => {
    const [id, other] = [await newSite(), await newSite()];
    const { body } = await admin('POST', `/sites/${id}/segments`, { title: 'x', conditions: MOBILE });
    expect((await admin('GET', `/sites/${other}/segments`)).body.items).toEqual([]);
    expect((await admin('PATCH', `/sites/${other}/segments/${body.id}`, { title: 'y' })).status).toBe(404);
    expect((await admin('DELETE', `/sites/${other}/segments/${body.id}`)).status).toBe(404);
    expect((await admin('GET', `/sites/${id}/segments`)).body.items).toEqual([body]);
  });

  it.each<[object, string, string]>([
    [{ conditions: MOBILE }, 'title', 'required'],
    [{ title: '', conditions: MOBILE }, 'title', 'invalid_value'],
    [{ title: 'x'.repeat(201), conditions: MOBILE }, 'title', 'too_long'],
    [{ title: 'x' }, 'conditions', 'required'],
    [{ title: 'x', conditions: 'all' }, 'conditions', 'invalid_type'],
    [{ title: 'x', conditions: null }, 'conditions', 'invalid_type'],
    [{ title: 'x', conditions: {} }, 'conditions', 'bad_filter'],
    // proves: decisions-analytics/segment-saved
    [{ title: 'x', conditions: { scope: 'person', ...MOBILE } }, 'conditions', 'bad_filter'],
    // proves: decisions-analytics/segment-saved
    [{ title: 'x', conditions: { all: [MOBILE, { ...MOBILE, op: 'like' }] } }, 'conditions.all[1]', 'bad_filter'],
    [
      { title: 'x', conditions: { any: [{ ...MOBILE, dimension: 'colour' }] } },
      'conditions.any[0].dimension',
      'unknown_dimension',
    ],
    [
      { title: 'x', conditions: [MOBILE, { metric: 'joy', op: 'gt', value: 1 }] },
      'conditions[1].metric',
      'unknown_metric',
    ],
    [{ title: 'x', conditions: { ...MOBILE, op: 'regex', values: ['('] } }, 'conditions', 'bad_filter'],
    [
      {
        title: 'x',
        conditions: { any: Array.from({ length: 40 }, () => ({ ...MOBILE, op: 'in', values: ['я'.repeat(900)] })) },
      },
      'conditions',
      'too_long',
    ],
    [{ title: 'x', conditions: MOBILE, id: 'y' }, 'id', 'unknown_field'],
  ])('refuse %j', async (body, field, code) => {
    expect(await admin('POST', `/sites/${UNKNOWN_SITE}/segments`, body)).toMatchObject({
      status: 422,
      body: { error: { details: [{ field, code }] } },
    });
  });

  it('refuse a change to invalid conditions, and stay as they were', async () => {
    const id = await newSite();
    const { body } = await admin('POST', `/sites/${id}/segments`, { title: 'x', conditions: MOBILE });
    const wrong = await admin('PATCH', `/sites/${id}/segments/${body.id}`, {
      title: 'y',
      conditions: { not: { metric: 'joy', op: 'gt', value: 1 } },
    });
    expect(wrong).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'conditions.not.metric', code: 'unknown_metric' }] } },
    });
    expect((await admin('GET', `/sites/${id}/segments`)).body.items).toEqual([body]);
  });

  it('answer 422 to endlessly nested conditions', async () => {
    const deep = `${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`;
    expect(
      (await admin('POST', `/sites/${await newSite()}/segments`, `{"title":"x","conditions":${deep}}`)).status,
    ).toBe(422);
  });

  // proves: decisions-analytics/path-id
  it('answer 404 for an unknown site or segment, and 400 for a malformed id', async () => {
    const id = await newSite();
    expect((await admin('GET', `/sites/${UNKNOWN_SITE}/segments`)).status).toBe(404);
    expect((await admin('POST', `/sites/${UNKNOWN_SITE}/segments`, { title: 'x', conditions: MOBILE })).status).toBe(
      404,
    );
    expect((await admin('PATCH', `/sites/${id}/segments/${UNKNOWN_ID}`, { title: 'x' })).status).toBe(404);
    expect((await admin('PATCH', `/sites/${id}/segments/1`, { title: 'x' })).status).toBe(400);
    expect((await admin('DELETE', `/sites/${id}/segments/1`)).status).toBe(400);
  });

  it('are limited to 200 per site, however many are created at once', async () => {
    const id = await newSite();
    await stage.database.pool.query(
      `insert into site_segments (site_id, title, conditions) select $1, 'x', '[]' from generate_series(1, 198)`,
      [id],
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => admin('POST', `/sites/${id}/segments`, { title: 'x', conditions: MOBILE })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 422, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.error.details).toMatchObject([
      { field: '', code: 'invalid_value' },
    ]);
  });
});
