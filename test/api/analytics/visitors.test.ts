import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { updateSite } from '../../../db/sites/sites.ts';
import { eventually } from '../../support/eventually.ts';
import { addVisitor } from '../../support/people/sitePeople.ts';
import { stageApi } from '../support/stageApi.ts';
import { clientOf, type Client } from '../support/testApi.ts';
import { createTestSite, type TestSite } from '../support/testSite.ts';

const stage = stageApi();
let site: TestSite;
let call: Client;
let visitor: string;

beforeEach(async () => {
  site = await createTestSite(stage.database.pool);
  call = clientOf(stage.api.analytics, site.key);
  visitor = await addVisitor(stage.database.pool, site.id);
});

const send = (...visitors: object[]) => call('POST', '/visitors/attributes', { visitors });

async function results(...visitors: object[]) {
  const { status, body } = await send(...visitors);
  expect(status).toBe(200);
  expect(body.results.map(({ index }: { index: number }) => index)).toEqual(visitors.map((_, index) => index));
  return body.results;
}

/** Records the user as the ingest does with events of svc('user'). */
const tell = (visitorId: string, userId: string | null, data: object = {}, fingerprint: string | null = null) =>
  inTransaction(stage.database.pool, (client) =>
    applyUserData(client, site.id, [{ visitorId, userId, fingerprint, data, source: 'user', at: new Date() }]),
  );

const UNKNOWN = {
  ok: false,
  visitor_id: null,
  attributes: null,
  error: { code: 'unknown_visitor', message: expect.any(String) },
};
const EMPTY = {
  gender: null,
  age_group: null,
  geo: { country: null, region: null, city: null },
  children: null,
  has_children: null,
  company: { type: null, industry: null, region: null },
  interests: [],
  purchase_categories: [],
  price_segment: null,
  params: {},
  sources: {},
};

describe('POST /visitors/attributes', () => {
  // proves: people/attributes, analytics-endpoints/attributes
  // proves: decisions-visitors/attributes-merged, decisions-visitors/attributes-result
  it('stores every field and answers with the stored values', async () => {
    const [result] = await results({
      visitor_id: visitor.toUpperCase(),
      gender: 'male',
      age_group: '35-44',
      geo: { city: 'спб' },
      children: [7, 2],
      company: { type: 'small_company', industry: 'it', region: 'RU-SPE' },
      interests: ['sport-football', 'Футболом', 'нечто неслыханное'],
      purchase_categories: ['toys', 'books'],
      price_segment: 'premium',
      params: { plan: { name_of_plan: 'x' }, n: 1 },
    });
    expect(result).toEqual({
      index: 0,
      ok: true,
      visitor_id: visitor,
      error: null,
      attributes: {
        gender: 'male',
        age_group: '35-44',
        geo: { country: 'RU', region: 'RU-SPE', city: 'ru-saint-petersburg' },
        children: [2, 7],
        has_children: true,
        company: { type: 'small_company', industry: 'it', region: 'RU-SPE' },
        interests: [
          { interest: 'sport-football', strength: 1, source: 'site' },
          { interest: 'нечто неслыханное', strength: 1, source: 'site' },
        ],
        purchase_categories: ['toys', 'books'],
        price_segment: 'premium',
        params: { plan: { name_of_plan: 'x' }, n: 1 },
        sources: {
          gender: 'site',
          age_group: 'site',
          geo: 'site',
          children: 'site',
          company_type: 'site',
          industry: 'site',
          company_region: 'site',
          price_segment: 'site',
        },
      },
    });
  });

  // proves: analytics-endpoints/attributes, decisions-visitors/attributes-merged
  it('merges: fields that are sent replace earlier values, and the others stay', async () => {
    await results({
      visitor_id: visitor,
      gender: 'male',
      company: { type: 'government', industry: 'it' },
      purchase_categories: ['toys'],
      has_children: true,
    });
    const [{ attributes }] = await results({
      visitor_id: visitor,
      company: { industry: 'media' },
      purchase_categories: [],
      has_children: false,
    });
    expect(attributes).toMatchObject({
      gender: 'male',
      company: { type: 'government', industry: 'media' },
      purchase_categories: [],
      has_children: false,
      children: [],
    });
  });

  // proves: analytics-endpoints/attributes, decisions-visitors/attributes-read
  it('only reads when an identifier is all that is sent', async () => {
    expect(await results({ visitor_id: visitor }, { visitor_id: visitor })).toEqual(
      [0, 1].map((index) => ({ index, ok: true, visitor_id: visitor, attributes: EMPTY, error: null })),
    );
    expect((await stage.database.pool.query('select from site_people where site_id = $1', [site.id])).rowCount).toBe(0);
  });

  // proves: decisions-visitors/attributes-identifier
  it('answers with the state after the whole batch, for one person by any identifier', async () => {
    await tell(visitor, 'u');
    const all = await results(
      { visitor_id: visitor, gender: 'male' },
      { user_id: 'u', price_segment: 'economy' },
      { visitor_id: visitor },
    );
    for (const { attributes, visitor_id: id } of all) {
      expect(attributes).toMatchObject({ gender: 'male', price_segment: 'economy' });
      expect(id).toBe(visitor);
    }
  });

  // proves: people/sources
  it('does not override what the user stated with what the site sends', async () => {
    await tell(visitor, null, { gender: 'female', interests: ['кино'] });
    const [{ attributes }] = await results({ visitor_id: visitor, gender: 'male', interests: ['cinema', 'music'] });
    expect(attributes).toMatchObject({
      gender: 'female',
      sources: { gender: 'user' },
      interests: [
        { interest: 'cinema', strength: 1, source: 'user' },
        { interest: 'music', strength: 1, source: 'site' },
      ],
    });
  });

  // proves: analytics-endpoints/attributes, decisions-visitors/attributes-unknown
  it('reports visitors, users and fingerprints that the site has not seen as unknown, even if another site has', async () => {
    const other = await createTestSite(stage.database.pool);
    const foreign = await addVisitor(stage.database.pool, other.id);
    expect(
      await results(
        { visitor_id: randomUUID(), gender: 'male' },
        { user_id: 'nobody', gender: 'male' },
        { fingerprint_uuid: randomUUID() },
        { visitor_id: foreign, gender: 'male' },
        { visitor_id: visitor, gender: 'male' },
      ),
    ).toEqual([
      ...[0, 1, 2, 3].map((index) => ({ index, ...UNKNOWN })),
      expect.objectContaining({ index: 4, ok: true }),
    ]);
  });

  it('knows a user from POST /users, without a visitor', async () => {
    await call('POST', '/users', { users: [{ user_id: 'u', gender: 'female' }] });
    expect(await results({ user_id: 'u' })).toMatchObject([
      { ok: true, visitor_id: null, attributes: { gender: 'female', sources: { gender: 'user' } } },
    ]);
  });

  it('names the most recent visitor of a user', async () => {
    const later = await addVisitor(stage.database.pool, site.id);
    await tell(visitor, 'u');
    await tell(later, 'u');
    await stage.database.pool.query(
      'update site_visitors set last_visit_at = now() where site_id = $1 and visitor_id = $2',
      [site.id, later],
    );
    expect(await results({ user_id: 'u' })).toMatchObject([{ visitor_id: later }]);
  });

  // proves: analytics-ids/fingerprint_uuid, decisions-visitors/attributes-identifier
  it('finds the visitor that was last seen with a fingerprint, if the site uses fingerprints', async () => {
    const fingerprint = randomUUID();
    await updateSite(stage.database.pool, site.id, { fingerprints: true });
    const later = await addVisitor(stage.database.pool, site.id);
    await inTransaction(stage.database.pool, (client) =>
      applyUserData(
        client,
        site.id,
        [visitor, later].map((visitorId, index) => ({
          visitorId,
          userId: null,
          fingerprint,
          data: {},
          source: 'user',
          at: new Date(Date.now() + index * 1000),
        })),
      ),
    );
    const found = await results({ fingerprint_uuid: fingerprint.toUpperCase(), gender: 'male' });
    expect(found).toMatchObject([{ ok: true, visitor_id: later, attributes: { gender: 'male' } }]);
    expect(await results({ user_id: 'nobody', fingerprint_uuid: fingerprint })).toEqual([{ index: 0, ...UNKNOWN }]);
    await updateSite(stage.database.pool, site.id, { fingerprints: false });
    // The API is notified of the change.
    await eventually(
      async () => (await results({ fingerprint_uuid: fingerprint }))[0].ok === false,
      'fingerprints are off',
    );
  });

  it('prefers visitor_id to user_id, and links nothing', async () => {
    await call('POST', '/users', { users: [{ user_id: 'u' }] });
    const [result] = await results({ visitor_id: visitor, user_id: 'u', gender: 'male' });
    expect(result).toMatchObject({ visitor_id: visitor, attributes: { gender: 'male' } });
    expect(await results({ user_id: 'u' })).toMatchObject([{ visitor_id: null, attributes: { gender: null } }]);
  });

  it('refuses params with a personal-data key for that element only', async () => {
    expect(
      await results({ visitor_id: visitor, gender: 'male', params: { a: [{ Passport: 1 }] } }, { visitor_id: visitor }),
    ).toEqual([
      { index: 0, ...UNKNOWN, error: { code: 'pii_not_allowed', message: expect.any(String) } },
      { index: 1, ok: true, visitor_id: visitor, attributes: EMPTY, error: null },
    ]);
  });

  it.each<[string, string, object]>([
    // proves: analytics-rules/4-attributes
    ['visitors[1].visitor_id', 'required', { visitor_id: undefined, gender: 'male' }],
    // proves: analytics-rules/4-attributes
    ['visitors[1].visitor_id', 'invalid_value', { visitor_id: 'x' }],
    // proves: analytics-rules/4-attributes
    ['visitors[1].visitor_id', 'invalid_type', { visitor_id: null }],
    // proves: analytics-ids/fingerprint_uuid
    ['visitors[1].fingerprint_uuid', 'invalid_value', { fingerprint_uuid: 'x' }],
    // proves: analytics-rules/4-attributes
    ['visitors[1].user_id', 'too_long', { user_id: 'u'.repeat(192) }],
    ['visitors[1].gender', 'invalid_value', { gender: 'x' }],
    // proves: people/attributes
    ['visitors[1].age_group', 'invalid_value', { age_group: '30' }],
    ['visitors[1].age', 'unknown_field', { age: 30 }],
    // proves: people/attributes
    ['visitors[1].geo.country', 'invalid_value', { geo: { country: 'XX' } }],
    ['visitors[1].geo.region', 'invalid_value', { geo: { region: 'RU-XX' } }],
    ['visitors[1].geo.city', 'too_long', { geo: { city: 'x'.repeat(201) } }],
    ['visitors[1].geo.region', 'invalid_value', { geo: { country: 'DE', region: 'RU-TA' } }],
    ['visitors[1].geo.city', 'invalid_value', { geo: { region: 'RU-MOS', city: 'ru-kazan' } }],
    ['visitors[1].geo.city', 'invalid_value', { geo: { country: 'DE', city: 'ru-kazan' } }],
    ['visitors[1].geo.street', 'unknown_field', { geo: { street: 'x' } }],
    ['visitors[1].geo', 'invalid_type', { geo: 'RU' }],
    // proves: people/attributes
    ['visitors[1].company.type', 'invalid_value', { company: { type: 'x' } }],
    ['visitors[1].company.industry', 'invalid_value', { company: { industry: 'x' } }],
    ['visitors[1].company.region', 'invalid_value', { company: { region: 'x' } }],
    // proves: people/attributes
    ['visitors[1].purchase_categories[0]', 'invalid_value', { purchase_categories: ['x'] }],
    ['visitors[1].purchase_categories', 'too_long', { purchase_categories: Array(51).fill('toys') }],
    ['visitors[1].price_segment', 'invalid_value', { price_segment: 'x' }],
    ['visitors[1].children[0]', 'invalid_value', { children: [-1] }],
    ['visitors[1].has_children', 'invalid_type', { has_children: 'yes' }],
    ['visitors[1].params', 'too_long', { params: { a: 'x'.repeat(4096) } }],
    ['visitors[1].email', 'unknown_field', { email: 'a@b.ru' }],
  ])('answers 422 for the whole request: %s %s', async (field, code, fault) => {
    const answer = await send({ visitor_id: visitor, gender: 'male' }, { visitor_id: visitor, ...fault });
    expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
      422,
      'validation_failed',
      [{ field, code }],
    ]);
    expect(await results({ visitor_id: visitor })).toMatchObject([{ attributes: EMPTY }]);
  });

  // proves: analytics-errors/too_many-batch, analytics-endpoints/attributes, analytics-limits/attributes
  it('accepts at most 100 visitors', async () => {
    expect(await results(...Array.from({ length: 100 }, () => ({ visitor_id: visitor })))).toHaveLength(100);
    const answer = await send(...Array.from({ length: 101 }, () => ({ visitor_id: visitor })));
    expect([answer.status, answer.body.error.details]).toEqual([422, [{ field: 'visitors', code: 'too_many' }]]);
  });
});

describe('params of people', () => {
  // proves: decisions-privacy/params
  it.each(['POST /visitors/attributes', 'POST /users'])('%s stores params without contacts', async (path) => {
    const params = { note: 'ask anna@example.ru', deep: [['+7 916 555-73-01']] };
    await tell(visitor, 'u-1');
    const isOfUser = path === 'POST /users';
    const { status } = isOfUser
      ? await call('POST', '/users', { users: [{ user_id: 'u-1', params }] })
      : await send({ visitor_id: visitor, params });
    expect(status).toBe(isOfUser ? 202 : 200);
    const [read] = await results({ visitor_id: visitor });
    expect(read.attributes.params).toEqual({ note: 'ask [email]', deep: [['[phone]']] });
  });
});

describe('GET /visitors/{visitor_id}', () => {
  // proves: analytics/2-visitors, analytics/7, people/visitor, analytics-endpoints/visitor
  // proves: decisions-visitors/visitor-answer, decisions-visitors/after-writes
  it('answers with attributes and visits immediately after every write', async () => {
    await stage.database.pool.query(
      `update site_visitors set first_visit_at = '2026-11-01T07:20:11.250Z', last_visit_at = '2026-11-20T09:00:00Z', visits = 4 where visitor_id = $1`,
      [visitor],
    );
    for (const gender of ['male', 'female', 'male', 'female']) {
      await results({ visitor_id: visitor, gender });
      const { status, body } = await call('GET', `/visitors/${visitor.toUpperCase()}`);
      expect([status, body]).toEqual([
        200,
        {
          visitor_id: visitor,
          attributes: { ...EMPTY, gender, sources: { gender: 'site' } },
          first_visit_at: '2026-11-01T07:20:11Z',
          last_visit_at: '2026-11-20T09:00:00Z',
          visits: 4,
        },
      ]);
    }
  });

  // proves: analytics-endpoints/visitor
  it('answers with the attributes of the user that the visitor is linked to', async () => {
    await call('POST', '/users', {
      users: [
        { user_id: 'one', gender: 'male' },
        { user_id: 'two', gender: 'female' },
      ],
    });
    await tell(visitor, 'one');
    expect((await call('GET', `/visitors/${visitor}`)).body).toMatchObject({
      attributes: { gender: 'male' },
      first_visit_at: null,
      last_visit_at: null,
      visits: 0,
    });
    await tell(visitor, 'two');
    expect((await call('GET', `/visitors/${visitor}`)).body.attributes.gender).toBe('female');
  });

  // proves: analytics-auth/5, analytics-errors/400, analytics-errors/404, analytics-endpoints/visitor
  // proves: decisions-analytics/path-id
  it('answers 404 for a visitor that is unknown or of another site, and 400 for anything but a UUID', async () => {
    const foreign = await addVisitor(stage.database.pool, (await createTestSite(stage.database.pool)).id);
    for (const [id, status, code] of [
      [randomUUID(), 404, 'not_found'],
      [foreign, 404, 'not_found'],
      ['nobody', 400, 'invalid_request'],
    ] as const) {
      const answer = await call('GET', `/visitors/${id}`);
      expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    }
  });
});

describe('GET /network', () => {
  // proves: people/network, analytics-endpoints/network, decisions-visitors/network-answer
  it('returns the settings of the site and how many others take part', async () => {
    expect((await call('GET', '/network')).body).toEqual({ enabled: false, sensitive_topics: false, sites: 0 });
    const [one, two, blocked] = await Promise.all([1, 2, 3].map(() => createTestSite(stage.database.pool)));
    for (const other of [one, two, blocked])
      await updateSite(stage.database.pool, other?.id ?? '', { networkEnabled: true, sensitiveTopics: false });
    await updateSite(stage.database.pool, blocked?.id ?? '', { state: 'blocked' });
    expect((await call('GET', '/network')).body).toEqual({ enabled: false, sensitive_topics: false, sites: 0 });
    await updateSite(stage.database.pool, site.id, { networkEnabled: true, sensitiveTopics: true });
    expect((await call('GET', '/network')).body).toEqual({ enabled: true, sensitive_topics: true, sites: 2 });
    await updateSite(stage.database.pool, one?.id ?? '', { networkEnabled: false, sensitiveTopics: false });
    expect((await call('GET', '/network')).body.sites).toBe(1);
  });
});
