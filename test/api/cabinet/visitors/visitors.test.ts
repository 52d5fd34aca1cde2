import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestToken, type Client } from '../../support/testApi.ts';
import { createTestGoal, createTestSite, type TestSite } from '../../support/testSite.ts';

const stage = stageApi();
let admin: Client;
let site: TestSite;

beforeAll(async () => {
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});
beforeEach(async () => {
  site = await createTestSite(stage.database.pool);
});

const SEARCH = { source_type: 'organic', source_name: 'Yandex' };

async function addVisitor(userId: string | null = null): Promise<string> {
  const id = randomUUID();
  await stage.database.pool.query(
    `insert into site_visitors (site_id, visitor_id, user_id, first_visit_at, last_visit_at, visits) values ($1, $2, $3, now() - interval '9 days', now(), 3)`,
    [site.id, id, userId],
  );
  return id;
}

/** @param hours age of the visit in hours */
async function addVisit(visitorId: string, hours: number, row: object = {}, goals = 0): Promise<string> {
  const id = randomUUID();
  const state = { row: { source_last_significant: SEARCH, is_robot: false, pageviews: 2, ...row } };
  await stage.database.pool.query(
    `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, goals, state)
     values ($1, $2, $3, 0, now() - make_interval(hours => $4), now() - make_interval(hours => $4, secs => -90), $5, $6)`,
    [site.id, visitorId, id, hours, goals, JSON.stringify(state)],
  );
  return id;
}

async function addGoal(visitorId: string, visitId: string, goal = 'lead'): Promise<void> {
  await stage.database.pool.query(
    `insert into site_conversions (site_id, origin, id, goal, goal_source, visitor_id, occurred_at, value, attribution, visit_id, visit_started_at, shard)
     values ($1, 'tag', $2, $3, 'tag', $4, now(), 500, 'visit', $5, now(), 0)`,
    [site.id, randomUUID(), goal, visitorId, visitId],
  );
}

const list = async (query = '') => (await admin('GET', `/sites/${site.id}/visitors?${query}`)).body;
const idsOf = (page: { items: { visitor_id: string }[] }): string[] => page.items.map(({ visitor_id }) => visitor_id);

describe('visitors', () => {
  it('are listed by their last visit, each on exactly one page, without robots', async () => {
    const [anna, ivan, olga, robot] = [await addVisitor(), await addVisitor(), await addVisitor(), await addVisitor()];
    for (const [visitor, hours] of [
      [anna, 1],
      [ivan, 2],
      [anna, 3],
      [olga, 4],
      [ivan, 5],
    ] as const)
      await addVisit(visitor, hours);
    await addVisit(robot, 0, { is_robot: true });
    expect(idsOf(await list())).toEqual([anna, ivan, olga]);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list(`limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual([anna, ivan, olga]);
    expect((await admin('GET', `/sites/${site.id}/visitors?cursor=abc`)).status).toBe(400);
  });

  it('are found by goal, source, page and time of a visit, and that visit is shown', async () => {
    const [anna, ivan] = [await addVisitor(), await addVisitor()];
    const bought = await addVisit(anna, 30, { entry_url: 'https://shop.test/Sale', exit_url: null }, 1);
    await addGoal(anna, bought);
    await addVisit(anna, 1, { source_last_significant: { source_type: 'ad', source_name: null } });
    await addVisit(ivan, 2, { exit_url: 'https://shop.test/cart' }, 1);
    for (const [query, found] of [
      ['goal=lead', [anna]],
      ['source_type=organic', [ivan, anna]],
      ['source=Yandex&page=/SALE', [anna]],
      ['page=/cart', [ivan]],
      ['source_type=ad', [anna]],
      ['goal=other', []],
      [`until=${new Date(Date.now() - 24 * 3_600_000).toISOString()}`, [anna]],
      [`since=${new Date(Date.now() - 90 * 60_000).toISOString()}`, [anna]],
    ] as const)
      expect([query, idsOf(await list(query))]).toEqual([query, found]);
    expect((await list('goal=lead')).items[0].visit).toMatchObject({
      id: bought,
      source_type: 'organic',
      source_name: 'Yandex',
      entry_page: 'https://shop.test/Sale',
      pageviews: 2,
      goals: 1,
    });
  });

  it.each([
    ['/каталог/чай', true],
    ['/КАТАЛОГ', true],
    ['/%D0%BA%D0%B0%D1%82%D0%B0%D0%BB%D0%BE%D0%B3', true],
    ['пример.рф/Каталог', true],
    ['https://xn--e1afmkfd.xn--p1ai/', true],
    ['чай зелёный', true],
    ['/кофе', false],
  ])('are searched by a part of an address that browsers encode: %s', async (page, isFound) => {
    const visitor = await addVisitor();
    const address = new URL('https://пример.рф/Каталог/чай зелёный').href;
    await addVisit(visitor, 1, { entry_url: address, exit_url: 'https://shop.test/' });
    expect(idsOf(await list(`page=${encodeURIComponent(page)}`))).toEqual(isFound ? [visitor] : []);
  });

  it('are found by their id and by every user that they were linked to', async () => {
    const [anna, ivan] = [await addVisitor('user-7'), await addVisitor()];
    await stage.database.pool.query(
      'insert into site_visitor_users (site_id, visitor_id, user_id) values ($1, $2, $3)',
      [site.id, ivan, 'user-7'],
    );
    expect(idsOf(await list(`visitor=${ivan.toUpperCase()}`))).toEqual([ivan]);
    expect(idsOf(await list('user_id=user-7')).toSorted()).toEqual([anna, ivan].toSorted());
    expect(await list(`visitor=${randomUUID()}`)).toMatchObject({ items: [], next_cursor: null });
    expect((await list(`visitor=${anna}`)).items[0]).toMatchObject({ user_id: 'user-7', visits: 3, visit: null });
  });

  it('are searched among 2,000 visits at a time, and the answer leads to the next ones', async () => {
    const [anna, busy] = [await addVisitor(), await addVisitor()];
    await stage.database.pool.query(
      `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, state)
       select $1, $2, gen_random_uuid(), 0, now() - make_interval(secs => n), now(), '{"row": {"is_robot": true}}' from generate_series(1, 2500) n`,
      [site.id, busy],
    );
    await addVisit(anna, 2);
    const first = await list();
    expect(first.items).toEqual([]);
    expect(idsOf(await list(`cursor=${first.next_cursor}`))).toEqual([anna]);
  });
});

describe('a visitor', () => {
  it('is shown with visits, goals, orders, users and known attributes with their sources', async () => {
    const { pool } = stage.database;
    await createTestGoal(pool, site.id, 'lead');
    const anna = await addVisitor();
    const [older, newer] = [await addVisit(anna, 30, { city: 'Kazan', country: 'RU' }, 1), await addVisit(anna, 1)];
    await addGoal(anna, older);
    await pool.query(
      `insert into site_orders (site_id, transaction_id, status, origin, visitor_id, occurred_at, currency, revenue, attribution, visit_id, visit_started_at, shard)
       values ($1, 't-1', 'purchased', 'api', $2, now(), 'RUB', 1990.5, 'visit', $3, now(), 0)`,
      [site.id, anna, older],
    );
    const analytics = clientOf(stage.api.analytics, site.key);
    const told = {
      visitor_id: anna,
      gender: 'female',
      interests: ['sport-football'],
      price_segment: 'economy',
      params: { plan: ['annual'] },
    };
    expect((await analytics('POST', '/visitors/attributes', { visitors: [told] })).status).toBe(200);
    const { status, body } = await admin('GET', `/sites/${site.id}/visitors/${anna.toUpperCase()}`, undefined, {
      headers: { 'accept-language': 'en' },
    });
    expect([status, body]).toMatchObject([
      200,
      {
        visitor_id: anna,
        user_id: null,
        visits: 3,
        being_deleted: false,
        goals: [{ goal: 'lead', title: 'lead', value: 500, visit_id: older }],
        orders: [{ transaction_id: 't-1', status: 'purchased', revenue: 1990.5, currency: 'RUB', visit_id: older }],
      },
    ]);
    expect(body.recent_visits.map(({ id, city }: { id: string; city: string }) => [id, city])).toEqual([
      [newer, null],
      [older, 'Kazan'],
    ]);
    expect(body.attributes).toEqual(
      expect.arrayContaining([
        { attribute: 'gender', param: null, value: 'female', name: null, strength: null, source: 'site' },
        {
          attribute: 'interest',
          param: null,
          value: 'sport-football',
          name: expect.stringMatching(/ootball/),
          strength: 1,
          source: 'site',
        },
        {
          attribute: 'price_segment',
          param: null,
          value: 'economy',
          name: 'Economy',
          strength: null,
          source: 'site',
        },
        { attribute: 'visitor_param', param: 'plan', value: '["annual"]', name: null, strength: null, source: 'site' },
      ]),
    );
  });

  it('is shown as being deleted once that is requested, and is not found through another site', async () => {
    const anna = await addVisitor();
    await admin('DELETE', `/sites/${site.id}/visitors/${anna}`);
    expect((await admin('GET', `/sites/${site.id}/visitors/${anna}`)).body.being_deleted).toBe(true);
    const other = await createTestSite(stage.database.pool);
    expect((await admin('GET', `/sites/${other.id}/visitors/${anna}`)).status).toBe(404);
    expect((await admin('GET', `/sites/${site.id}/visitors/${randomUUID()}`)).status).toBe(404);
    expect((await admin('GET', `/sites/${site.id}/visitors/x`)).status).toBe(400);
  });
});
