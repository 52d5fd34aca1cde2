/**
 * A sample of a report that tells persons apart: a person with several visitors, or a shared one, stands for ten
 * like everybody else.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import type { OrderRow, VisitRow } from '../../../domain/reports/lakeRows.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { visitorBucket } from '../../../domain/reports/visitorSample.ts';
import { NEW_VISIT_MEMO, packVisit } from '../../../domain/visits/visitState.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import type { Report, ReportRequest } from '../../../reports/reportRequest.ts';
import { runReport } from '../../../reports/run/runReport.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { hitRow, openTestLake, orderRow, visitRow, type TestLake } from '../../support/lake/lake.ts';
import { addSite } from '../../support/people/sitePeople.ts';

/** Ids are the same in every run, so the sample is fixed. */
function uuidOf(text: string): string {
  return createHash('md5')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const isInSample = (person: string): boolean => visitorBucket(person) < 1000;
const isUserInSample = (user: string): boolean => isInSample(uuidOf(user));
const numbered = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

let database: TestDatabase;
let test: TestLake;
beforeAll(async () => {
  database = await createTestDatabase();
  test = await openTestLake(database.url);
});
afterAll(async () => {
  await test?.close();
  await database?.drop();
});

/** A person's visit in a browser: a view of a page of their own and a purchase. */
interface Seen {
  visitor: string;
  /** The user whom the visit names. */
  user: string | null;
  path?: string;
}

interface Site {
  seen: readonly Seen[];
  /** By visitor, the user to whom it is linked now. */
  links: ReadonlyMap<string, string>;
}

const rowsOf = (site: string, { seen }: Site): { visits: VisitRow[]; orders: OrderRow[] } => {
  const visits = seen.map(({ visitor, user, path = '/' }, index) =>
    visitRow({
      site_id: site,
      visit_id: uuidOf(`${site} visit ${index}`),
      visitor_id: visitor,
      visitor_bucket: visitorBucket(visitor),
      user_id: user,
      entry_path: path,
    }),
  );
  const orders = visits.map(({ visit_id, visitor_id, visitor_bucket, user_id, started_at }, index) =>
    orderRow({
      site_id: site,
      visit_id,
      visitor_id,
      visitor_bucket,
      user_id,
      visit_started_at: started_at,
      transaction_id: `t${index}`,
    }),
  );
  return { visits, orders };
};

/** Every third visit is still open. */
async function store(site: string, world: Site): Promise<void> {
  const { visits, orders } = rowsOf(site, world);
  const hits = visits.map(({ visit_id, visitor_id, visitor_bucket, entry_path }) =>
    hitRow({ site_id: site, visit_id, visitor_id, visitor_bucket, page_path: entry_path ?? '/' }),
  );
  const [open, settled] = [visits.filter((_, index) => index % 3 === 0), visits.filter((_, index) => index % 3 !== 0)];
  await inTransaction(database.pool, async (client) =>
    stageRows(client, shardOf(site), await nextBatchId(client), { visits: settled, hits, orders }),
  );
  await commitStaged(test.lake, database.pool, [shardOf(site)]);
  await database.pool.query(
    `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, goals, state)
     select $1, v.visitor_id, v.visit_id, $2, to_timestamp(v.at / 1000.0), to_timestamp(v.at / 1000.0), 0, v.state
       from unnest($3::uuid[], $4::uuid[], $5::float8[], $6::json[]) as v (visitor_id, visit_id, at, state)`,
    [
      site,
      shardOf(site),
      open.map(({ visitor_id }) => visitor_id),
      open.map(({ visit_id }) => visit_id),
      open.map(({ started_at }) => started_at),
      open.map((row) => packVisit({ row, memo: NEW_VISIT_MEMO, isChanged: false })),
    ],
  );
  await addSite(database.pool, { id: site });
  await link(site, world);
}

async function link(site: string, { seen, links }: Site): Promise<void> {
  const visitors = [...new Set(seen.map(({ visitor }) => visitor))];
  await database.pool.query(
    'insert into site_visitors (site_id, visitor_id, user_id) select $1, v.* from unnest($2::uuid[], $3::text[]) as v',
    [site, visitors, visitors.map((visitor) => links.get(visitor) ?? null)],
  );
  const ever = seen.filter(({ user }) => user !== null);
  await database.pool.query(
    'insert into site_visitor_users (site_id, visitor_id, user_id) select $1, u.* from unnest($2::uuid[], $3::text[]) as u on conflict do nothing',
    [site, ever.map(({ visitor }) => visitor), ever.map(({ user }) => user)],
  );
}

async function run(siteId: string, given: Partial<ReportRequest>, sampled = true): Promise<Report> {
  const request: ReportRequest = {
    dimensions: [],
    metrics: ['visits'],
    date_from: '2026-03-15',
    date_to: '2026-03-15',
    filters: [],
    segment: null,
    attribution: 'last',
    robots: 'exclude',
    sort: [],
    limit: 10_000,
    offset: 0,
    ...given,
  };
  return runReport(
    test.lake,
    request,
    { siteId, timezone: 'UTC', currency: 'RUB', rates: {}, goals: [] },
    { language: 'en', sampled, lateEventHours: 24, audienceMinPeople: 1 },
  );
}

const totals = async (...asked: Parameters<typeof run>): Promise<number[]> => (await run(...asked)).totals;

/** Allows three standard deviations of a tenth's estimate. */
function expectAbout(told: number | undefined, real: number): void {
  expect(Math.abs((told ?? 0) - real)).toBeLessThan(3 * 10 * Math.sqrt(real * 0.09));
}

describe('users with five visitors each, and visitors without a user', () => {
  const SITE = 'sampledfive1';
  const USERS = numbered(300, (index) => `Пользователь № ${index}`);
  const ALONE = numbered(300, (index) => uuidOf(`alone ${index}`));
  const owned = USERS.flatMap((user) =>
    numbered(5, (index) => ({ visitor: uuidOf(`${user} ${index}`), user, path: `/${user.length}/${index}` })),
  );
  const world: Site = {
    seen: [...owned, ...ALONE.map((visitor) => ({ visitor, user: null }))],
    links: new Map(owned.map(({ visitor, user }) => [visitor, user])),
  };
  const [users, alone] = [10 * USERS.filter(isUserInSample).length, 10 * ALONE.filter(isInSample).length];
  beforeAll(() => store(SITE, world));

  it('are all counted in the full report', async () => {
    expect(await totals(SITE, { metrics: ['users', 'people', 'buyers', 'visitors', 'orders'] }, false)).toEqual([
      300, 600, 600, 1800, 1800,
    ]);
  });

  // proves: report-rules/sample
  it('count as persons, with all of their visitors, whatever else is counted', async () => {
    const told = await totals(SITE, { metrics: ['users', 'people', 'buyers', 'visitors', 'visits', 'orders'] });
    expect(told).toEqual([
      users,
      users + alone,
      users + alone,
      5 * users + alone,
      5 * users + alone,
      5 * users + alone,
    ]);
    expectAbout(told[0], 300);
    expectAbout(told[1], 600);
  });

  it.each([
    ['users', users],
    ['people', users + alone],
    ['buyers', users + alone],
  ])('are counted by %s alone', async (metric, expected) => {
    expect(await totals(SITE, { metrics: [metric] })).toEqual([expected]);
  });

  it('are counted for a page, in a segment, and with a filter on their values', async () => {
    const segment = {
      scope: 'visitor',
      condition: { dimension: 'page_path', op: 'contains', values: ['/3'] },
    } as const;
    const inSegment = owned.filter(({ user, path }) => path.includes('/3') && isUserInSample(user));
    expect(await totals(SITE, { dimensions: ['page_path'], metrics: ['people', 'users'] })).toEqual([
      users + alone,
      users,
    ]);
    expect(await totals(SITE, { segment, metrics: ['people', 'visits'] })).toEqual([
      10 * new Set(inSegment.map(({ user }) => user)).size,
      10 * inSegment.length,
    ]);
    expect(
      await totals(SITE, {
        filters: [{ dimension: 'gender', op: 'neq', values: ['male'] }],
        metrics: ['visitors', 'pageviews'],
      }),
    ).toEqual([5 * users + alone, 2 * (5 * users + alone)]);
  });

  it('are sampled by visitors in a report that does not distinguish persons', async () => {
    const visitors = world.seen.filter(({ visitor }) => isInSample(visitor)).length;
    expect(await totals(SITE, { metrics: ['visitors', 'orders', 'order_conversion_rate'] })).toEqual([
      10 * visitors,
      10 * visitors,
      1,
    ]);
  });
});

describe('two users of one browser, of whom the first also has a telephone', () => {
  const SITE = 'sampledtwo01';
  const FAMILIES = numbered(300, (index) => ({
    first: `a${index}`,
    second: `b${index}`,
    browser: uuidOf(`browser ${index}`),
    phone: uuidOf(`phone ${index}`),
  }));
  const world: Site = {
    seen: FAMILIES.flatMap(({ first, second, browser, phone }) => [
      { visitor: browser, user: first, path: '/first' },
      { visitor: browser, user: null, path: '/nobody' },
      { visitor: browser, user: second, path: '/second' },
      { visitor: phone, user: first, path: '/phone' },
    ]),
    links: new Map(
      FAMILIES.flatMap(({ first, second, browser, phone }) => [
        [browser, second],
        [phone, first],
      ]),
    ),
  };
  const [first, second] = [
    FAMILIES.filter((family) => isUserInSample(family.first)).length,
    FAMILIES.filter((family) => isUserInSample(family.second)).length,
  ];
  beforeAll(() => store(SITE, world));

  it("are each sampled separately, and visits and orders are sampled with their visitor's current person", async () => {
    const told = await totals(SITE, { metrics: ['users', 'buyers', 'people', 'visitors', 'visits', 'orders'] });
    expect(told).toEqual(
      [first + second, first + second, first + second, first + second, first + 3 * second, first + 3 * second].map(
        (count) => 10 * count,
      ),
    );
    expectAbout(told[0], 600);
  });

  it('appear in each row with their visits', async () => {
    const rows = await run(SITE, {
      dimensions: ['entry_path'],
      metrics: ['visits', 'users'],
      sort: [{ field: 'entry_path', dir: 'asc' }],
    });
    expect(rows.data.map(({ dimensions, metrics }) => [dimensions[0], ...metrics])).toEqual([
      ['/first', 10 * second, 10 * first],
      ['/nobody', 10 * second, 0],
      ['/phone', 10 * first, 10 * first],
      ['/second', 10 * second, 10 * second],
    ]);
    const bought = await run(SITE, {
      dimensions: ['entry_path'],
      metrics: ['buyers'],
      segment: { scope: 'visit', condition: { dimension: 'page_path', op: 'eq', values: ['/first'] } },
    });
    expect(bought.data).toEqual([{ dimensions: ['/first'], metrics: [10 * first] }]);
  });
});
