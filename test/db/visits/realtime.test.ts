import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readRealtime, type Realtime } from '../../../db/visits/realtime.ts';
import type { VisitRow } from '../../../domain/reports/lakeRows.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { EMPTY_ROW, NEW_VISIT_MEMO, packVisit } from '../../../domain/visits/visitState.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addVisitor } from '../../support/people/siteFacts.ts';

const MINUTE = 60_000;
const SITE = 'realtimesite';

/** Times are seconds before now. */
interface Given {
  visitor: number;
  began: number;
  last: number;
  row?: Partial<VisitRow>;
}

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newSite = (): string => randomUUID().slice(0, 12);

/** @param users the user of each visitor; null for a visitor without one */
async function fill(siteId: string, users: readonly (string | null)[], visits: readonly Given[]): Promise<void> {
  const ids: string[] = [];
  for (const userId of users) ids.push(await addVisitor(database.pool, siteId, { userId }));
  const now = Date.now();
  const rows = visits.map(({ visitor, began, last, row }) => ({
    ...EMPTY_ROW,
    site_id: siteId,
    visitor_id: ids[visitor] ?? '',
    visit_id: randomUUID(),
    weight: 1,
    started_at: now - began * 1000,
    ended_at: now - last * 1000,
    exit_url: 'https://Shop.example:8443/a?b#c',
    exit_path: '/a',
    source_last: { ...EMPTY_ROW.source_last, source_type: 'organic' as const, source_name: 'Google' },
    ...row,
  }));
  await database.pool.query(
    `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, state)
     select $1, v, i, $2, to_timestamp(s / 1000), to_timestamp(e / 1000), t from unnest($3::uuid[], $4::uuid[], $5::float8[], $6::float8[], $7::json[]) k (v, i, s, e, t)`,
    [
      siteId,
      shardOf(siteId),
      rows.map((row) => row.visitor_id),
      rows.map((row) => row.visit_id),
      rows.map((row) => row.started_at),
      rows.map((row) => row.ended_at),
      rows.map((row) => packVisit({ row, memo: { ...NEW_VISIT_MEMO, params_at: [] }, isChanged: true })),
    ],
  );
}

const page = (domain: string, path: string): Partial<VisitRow> => ({
  exit_url: `https://${domain}${path}?x=1`,
  exit_path: path,
});
const source = (type: 'ad' | 'direct' | 'social', name: string | null): Partial<VisitRow> => ({
  source_last: { ...EMPTY_ROW.source_last, source_type: type, source_name: name },
});

describe('the current people on a site', () => {
  it('number 0 if nobody came', async () => {
    const told = await readRealtime(database.pool, SITE);
    expect(told).toMatchObject({
      now: 0,
      lastMinutes: { people: 0, visits: 0 },
      pages: [],
      sources: [],
      isSampled: false,
    });
    expect(told.minutes.map(({ people }) => people)).toEqual(Array.from({ length: 30 }, () => 0));
    const last = told.minutes.at(-1)?.at.getTime() ?? 0;
    expect(last).toBe(Math.floor(told.at.getTime() / MINUTE) * MINUTE);
    expect(told.minutes.map(({ at }) => at.getTime())).toEqual(
      Array.from({ length: 30 }, (_, index) => last - (29 - index) * MINUTE),
    );
  });

  it('had a hit in the last five minutes; the last half hour is shown too, without robots and other sites', async () => {
    const [siteId, other] = [newSite(), newSite()];
    await fill(
      siteId,
      [null, null, null, null, null],
      [
        { visitor: 0, began: 700, last: 10 },
        { visitor: 1, began: 290, last: 280 },
        { visitor: 2, began: 400, last: 330 },
        { visitor: 3, began: 3_000, last: 1_750 },
        { visitor: 4, began: 3_000, last: 1_900 },
        { visitor: 4, began: 50, last: 20, row: { is_robot: true, robot_reason: 'UserAgent' } },
      ],
    );
    await fill(other, [null], [{ visitor: 0, began: 60, last: 1 }]);
    expect(await readRealtime(database.pool, siteId)).toMatchObject({ now: 2, lastMinutes: { people: 4, visits: 4 } });
  });

  it('are counted once, even if a visitor has several visits or a user several visitors', async () => {
    const siteId = newSite();
    await fill(
      siteId,
      ['anna', 'anna', null],
      [
        { visitor: 0, began: 900, last: 200, row: page('a.example', '/old') },
        { visitor: 1, began: 120, last: 30, row: page('a.example', '/new') },
        { visitor: 2, began: 250, last: 240, row: { ...page('a.example', '/x'), ...source('direct', null) } },
        { visitor: 2, began: 230, last: 100, row: { ...page('a.example', '/y'), ...source('ad', 'Direct') } },
      ],
    );
    const told = await readRealtime(database.pool, siteId);
    expect(told).toMatchObject({ now: 2, lastMinutes: { people: 2, visits: 4 } });
    expect(told.pages).toEqual([
      { domain: 'a.example', path: '/new', people: 1 },
      { domain: 'a.example', path: '/y', people: 1 },
    ]);
    expect(told.sources).toEqual([
      { type: 'ad', name: 'Direct', people: 1 },
      { type: 'organic', name: 'Google', people: 1 },
    ]);
  });

  it('include a user and a visitor with the same id as two people', async () => {
    const siteId = newSite();
    const visitorId = await addVisitor(database.pool, siteId);
    await fill(siteId, [visitorId], [{ visitor: 0, began: 20, last: 10 }]);
    await database.pool.query(
      `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, state)
       select site_id, $2, gen_random_uuid(), shard, started_at, last_hit_at, state from site_visits where site_id = $1`,
      [siteId, visitorId],
    );
    expect((await readRealtime(database.pool, siteId)).now).toBe(2);
  });

  it('count with the weights of the daily quota, a person with the smallest of theirs', async () => {
    const siteId = newSite();
    await fill(
      siteId,
      [null, null, null],
      [
        { visitor: 0, began: 100, last: 50, row: { weight: 10 } },
        { visitor: 1, began: 100, last: 60, row: { weight: 10 } },
        { visitor: 1, began: 100, last: 50, row: { weight: 1 } },
        { visitor: 2, began: 100, last: 50, row: { weight: 0 } },
      ],
    );
    const told = await readRealtime(database.pool, siteId);
    expect(told).toMatchObject({ now: 11, lastMinutes: { people: 11, visits: 21 } });
    expect(told.pages).toEqual([{ domain: 'shop.example', path: '/a', people: 11 }]);
  });

  it('are shown with the twenty most visited pages and sources; a visit without a page view has no page', async () => {
    const siteId = newSite();
    const visits = Array.from({ length: 25 }, (_, number) =>
      Array.from({ length: number < 3 ? 2 : 1 }, () => number),
    ).flat();
    await fill(
      siteId,
      visits.map(() => null),
      visits.map((number, visitor) => ({
        visitor,
        began: 9,
        last: 5,
        row: { ...page('a.example', `/${number}`), ...source('social', `n${number}`) },
      })),
    );
    await fill(siteId, [null], [{ visitor: 0, began: 9, last: 5, row: { exit_url: null, exit_path: null } }]);
    const told = await readRealtime(database.pool, siteId);
    expect(told.now).toBe(29);
    expect(told.pages).toHaveLength(20);
    expect(told.pages.slice(0, 4)).toEqual(
      ['/0', '/1', '/2', '/10'].map((path, index) => ({ domain: 'a.example', path, people: index < 3 ? 2 : 1 })),
    );
    expect(told.sources.slice(0, 4)).toEqual(
      ['n0', 'n1', 'n2']
        .map((name) => ({ type: 'social', name, people: 2 }))
        .concat({ type: 'organic', name: 'Google', people: 1 } as never),
    );
  });

  it('are not hidden by a clock that is ahead', async () => {
    const siteId = newSite();
    await fill(siteId, [null], [{ visitor: 0, began: 100, last: -20 }]);
    expect(await readRealtime(database.pool, siteId)).toMatchObject({ now: 1, lastMinutes: { people: 1, visits: 1 } });
  });

  it('match a plain count of the visits', async () => {
    const visit = fc.record({
      visitor: fc.nat(5),
      last: fc.integer({ min: 0, max: 2_400 }),
      lasted: fc.integer({ min: 0, max: 1_500 }),
      page: fc.nat(3),
      weight: fc.constantFrom(0, 1, 10),
      isRobot: fc.boolean(),
    });
    const worlds = fc.record({
      users: fc.array(fc.constantFrom(null, 'anna', 'oleg'), { minLength: 6, maxLength: 6 }),
      visits: fc.array(visit, { maxLength: 25 }),
    });
    await fc.assert(
      fc.asyncProperty(worlds, async ({ users, visits }) => {
        const siteId = newSite();
        const given = visits.map(({ visitor, last, lasted, page: number, weight, isRobot }) => ({
          visitor,
          began: last + lasted,
          last,
          row: { ...page('a.example', `/${number}`), weight, is_robot: isRobot },
        }));
        await fill(siteId, users, given);
        const told = await readRealtime(database.pool, siteId);
        expect(plainly(told)).toEqual(await count(siteId, told.at.getTime()));
      }),
      { numRuns: 40 },
    );
  });
});

/** Reduces the pages to their total, because the order of pages of equal rank may differ. */
function plainly({ now, lastMinutes, minutes, pages }: Realtime): object {
  return {
    now,
    ...lastMinutes,
    minutes: minutes.map(({ people }) => people),
    onPages: pages.reduce((sum, { people }) => sum + people, 0),
  };
}

/** Computes the same figures by loops over the stored rows. */
async function count(siteId: string, at: number): Promise<object> {
  const { rows } = await database.pool.query<{ person: string; began: number; last: number; weight: number }>(
    `select coalesce('user ' || u.user_id, v.visitor_id::text) as person, extract(epoch from v.started_at)::float8 * 1000 as began, extract(epoch from v.last_hit_at)::float8 * 1000 as last,
            (v.state->'row'->>'weight')::int as weight
       from site_visits v join site_visitors u using (site_id, visitor_id) where v.site_id = $1 and v.state->'row'->>'is_robot' = 'false'`,
    [siteId],
  );
  const visits = rows.filter(({ weight, last }) => weight > 0 && last > at - 30 * MINUTE);
  const weights = new Map<string, number>();
  for (const { person, weight } of visits) weights.set(person, Math.min(weight, weights.get(person) ?? weight));
  const people = (those: typeof visits): number =>
    [...new Set(those.map(({ person }) => person))].reduce((sum, person) => sum + (weights.get(person) ?? 0), 0);
  const minuteOf = (time: number): number => Math.floor(time / MINUTE);
  const now = people(visits.filter(({ last }) => last > at - 5 * MINUTE));
  return {
    now,
    people: people(visits),
    visits: visits.reduce((sum, { weight }) => sum + weight, 0),
    onPages: now,
    minutes: Array.from({ length: 30 }, (_, index) => minuteOf(at) - 29 + index).map((minute) =>
      people(visits.filter(({ began, last }) => minuteOf(began) <= minute && minute <= minuteOf(last))),
    ),
  };
}

describe('a site with very many open visits', () => {
  it('is measured by a sample, with figures close to the full count', async () => {
    const siteId = newSite();
    const visitors = 12_000;
    await database.pool.query(
      'insert into site_visitors (site_id, visitor_id) select $1, gen_random_uuid() from generate_series(1, $2::int)',
      [siteId, visitors],
    );
    // One in ten is a robot, half of the others are on one page; each minute of the half hour has the same number.
    await database.pool.query(
      `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, state)
       select site_id, visitor_id, visitor_id, $2, now() - make_interval(secs => 600 + n * 1790.0 / $3), now() - make_interval(secs => n * 1790.0 / $3),
              json_build_object('row', json_build_object('weight', 1, 'is_robot', n % 10 = 0, 'exit_url', 'https://a.example/', 'exit_path', case when n % 2 = 0 then '/a' else '/' || n % 50 end,
                'source_last', json_build_object('source_type', 'direct')), 'memo', json_build_object())
         from (select *, row_number() over (order by visitor_id) as n from site_visitors where site_id = $1) v`,
      [siteId, shardOf(siteId), visitors],
    );
    const told = await readRealtime(database.pool, siteId);
    const near = (value: number, expected: number): boolean => Math.abs(value - expected) < expected * 0.1;
    expect(told.isSampled).toBe(true);
    expect([told.now, told.lastMinutes.people, told.lastMinutes.visits].map((value) => Math.round(value))).toEqual([
      told.now,
      told.lastMinutes.people,
      told.lastMinutes.visits,
    ]);
    expect({
      told,
      near: [
        near(told.now, (visitors * 0.9) / 6),
        near(told.lastMinutes.people, visitors * 0.9),
        near(told.lastMinutes.visits, visitors * 0.9),
      ],
    }).toMatchObject({ near: [true, true, true] });
    expect(told.pages[0]).toMatchObject({ path: '/a' });
    expect(near(told.pages[0]?.people ?? 0, (visitors * 0.4) / 6)).toBe(true);
    expect(near(told.sources[0]?.people ?? 0, told.now)).toBe(true);
  });
});
