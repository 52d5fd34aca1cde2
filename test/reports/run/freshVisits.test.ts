/** A report's view of visits whose version in the lake is missing or outdated. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import type { VisitRow } from '../../../domain/reports/lakeRows.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { visitorBucket } from '../../../domain/reports/visitorSample.ts';
import {
  EMPTY_ROW,
  NEW_VISIT_MEMO,
  packVisit,
  unpackVisit,
  type StoredVisit,
  type Visit,
} from '../../../domain/visits/visitState.ts';
import { visitRow as rowOf } from '../../../domain/visits/visit.ts';
import { DIMENSIONS } from '../../../reports/registry/index.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import type { Report, ReportRequest } from '../../../reports/reportRequest.ts';
import type { Span } from '../../../reports/compile/index.ts';
import type { Sample } from '../../../reports/people/index.ts';
import { attachSites } from '../../../reports/lake/database.ts';
import { TABLES } from '../../../reports/lake/tables.ts';
import { createFreshVisits, readFreshVisits } from '../../../reports/run/freshVisits.ts';
import { runReport } from '../../../reports/run/runReport.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { DIRECT, hitRow, NOON, openTestLake, visitRow, type TestLake } from '../../support/lake/lake.ts';

const HOUR = 3_600_000;
const DAY: Span = { from: NOON - 12 * HOUR, to: NOON + 12 * HOUR };

let database: TestDatabase;
let test: TestLake;
beforeAll(async () => {
  database = await createTestDatabase();
  test = await openTestLake(database.url);
});
afterAll(async () => {
  await test?.close();
  await database.drop();
});

const newSite = (): string => `s${randomUUID().slice(0, 11)}`;

async function store(
  row: VisitRow,
  { goals = 0, lakeBatch = null }: { goals?: number; lakeBatch?: string | null } = {},
): Promise<Visit> {
  const visit: Visit = {
    row,
    memo: { ...NEW_VISIT_MEMO, entry_at: row.started_at, params_at: [['k', 5]] },
    isChanged: true,
  };
  await database.pool.query(
    `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, goals, lake_batch, state) values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0), $7, $8, $9)`,
    [
      row.site_id,
      row.visitor_id,
      row.visit_id,
      shardOf(row.site_id),
      row.started_at,
      row.ended_at,
      goals,
      lakeBatch,
      packVisit(visit),
    ],
  );
  return visit;
}

async function stage(row: VisitRow): Promise<string> {
  return inTransaction(database.pool, async (client) => {
    const batchId = await nextBatchId(client);
    await stageRows(client, shardOf(row.site_id), batchId, { visits: [row] });
    return batchId;
  });
}

const ALL: ReadonlySet<string> = new Set(Object.keys(TABLES.visits));

async function fresh(
  site: string,
  span = DAY,
  sample: Sample | null = null,
): Promise<{ ids: string[]; snapshot: number; rows: Record<string, unknown>[] }> {
  return test.lake.withConnection(async (connection) => {
    await connection.query(attachSites(test.settings));
    await connection.query('begin');
    const { snapshot } = await readFreshVisits(connection, site, { span, sample });
    await createFreshVisits(connection, ALL);
    await connection.query('commit');
    const rows = await connection.query('from fresh_visits order by visit_id');
    return { ids: rows.map((row) => String(row['visit_id'])), snapshot, rows };
  });
}

describe('a fresh visit', () => {
  const odd: Partial<VisitRow> = {
    user_id: 'Ёж "№1"',
    params: '{"plan":"a\\nb","n":1.50}',
    entry_url: 'https://shop.example/?q=%22\\u0000',
    robot_reason: null,
    previous_visit_at: NOON - 5 * HOUR - 1,
    duration_s: 12.345,
    weight: 10,
    source_last: { ...DIRECT, source_type: 'ad', search_phrase: "it's" },
    source_first: DIRECT,
  };
  it.each([
    ['without goals', 0],
    ['with goals', 2],
  ])('is the row that the lake will have, %s', async (_name, goals) => {
    const site = newSite();
    for (const given of [{}, { is_bounce: true }, odd, { ...EMPTY_ROW, started_at: NOON, ended_at: NOON }]) {
      await store(visitRow({ ...given, site_id: site, visit_id: randomUUID(), visitor_id: randomUUID(), goals: 7 }), {
        goals,
      });
    }
    const read = await fresh(site);
    expect(read.rows).toHaveLength(4);
    const { rows } = await database.pool.query<{ state: StoredVisit }>(
      'select state from site_visits where site_id = $1',
      [site],
    );
    for (const { state } of rows) await stage(rowOf(unpackVisit(state), goals));
    await commitStaged(test.lake, database.pool, [shardOf(site)]);
    expect(await test.lake.query(`select * from lake.visits where site_id = '${site}' order by visit_id`)).toEqual(
      read.rows,
    );
    const types =
      'select column_name, data_type from duckdb_columns() where table_name = $1 and not internal order by column_index';
    await test.lake.withConnection(async (connection) => {
      await connection.query(attachSites(test.settings));
      await readFreshVisits(connection, site, { span: DAY });
      await createFreshVisits(connection, ALL);
      expect(await connection.query(types, ['fresh_visits'])).toEqual(await connection.query(types, ['visits']));
    });
  });

  // proves: decisions-storage/reports
  it('is open or staged, but neither in the lake nor set aside', async () => {
    const site = newSite();
    const [open, staged, inLake, aside] = Array.from({ length: 4 }, () => visitRow({ site_id: site })) as [
      VisitRow,
      VisitRow,
      VisitRow,
      VisitRow,
    ];
    await store(inLake, { lakeBatch: await stage(inLake) });
    await commitStaged(test.lake, database.pool, [shardOf(site)]);
    await store(open);
    await store(staged, { lakeBatch: await stage(staged) });
    await store(aside, { lakeBatch: '-1' });
    await store(visitRow());
    const before = await fresh(site);
    expect(before.ids.toSorted()).toEqual([open.visit_id, staged.visit_id].toSorted());
    await commitStaged(test.lake, database.pool, [shardOf(site)]);
    const after = await fresh(site);
    expect(after.ids).toEqual([open.visit_id]);
    const inLakeAt = async (snapshot: number): Promise<number> =>
      Number(
        (
          await test.lake.query<{ n: bigint }>(
            `select count(*) as n from lake.visits at (version => ${snapshot}) where site_id = '${site}'`,
          )
        )[0]?.n,
      );
    expect([await inLakeAt(before.snapshot), await inLakeAt(after.snapshot)]).toEqual([1, 2]);
  });

  it('belongs to a visitor of the sample if a sample is requested', async () => {
    const site = newSite();
    const visitors = Array.from({ length: 300 }, () => randomUUID());
    for (const visitor_id of visitors)
      await store(visitRow({ site_id: site, visitor_id, visitor_bucket: visitorBucket(visitor_id) }));
    const inSample = visitors.filter((visitor) => visitorBucket(visitor) < 1000);
    expect((await fresh(site, DAY, 'visitors')).rows.map((row) => row['visitor_id']).toSorted()).toEqual(
      inSample.toSorted(),
    );
    expect((await fresh(site)).ids).toHaveLength(300);
  });

  it('belongs to a visitor without a user, or to a current or former user, of the sample if it is a sample of persons', async () => {
    const site = newSite();
    const [alone, was, is, others] = [0, 1, 2, 4].map((number) => `00000000-0000-4000-8000-00000000000${number}`) as [
      string,
      string,
      string,
      string,
    ];
    for (const visitor_id of [alone, was, is, others])
      await store(visitRow({ site_id: site, visitor_id, visitor_bucket: visitorBucket(visitor_id) }));
    // The visitors of users u2 and u4 are in the sample.
    await database.pool.query(
      'insert into site_visitors (site_id, visitor_id, user_id) select $1, v.* from unnest($2::uuid[], $3::text[]) as v',
      [site, [alone, was, is, others], [null, 'u1', 'u2', 'u1']],
    );
    await database.pool.query(
      'insert into site_visitor_users (site_id, visitor_id, user_id) select $1, v.* from unnest($2::uuid[], $3::text[]) as v',
      [site, [was, was, others], ['u4', 'u1', 'u1']],
    );
    expect((await fresh(site, DAY, 'visitors')).rows.map((row) => row['visitor_id'])).toEqual([alone]);
    expect((await fresh(site, DAY, 'persons')).rows.map((row) => row['visitor_id']).toSorted()).toEqual([
      alone,
      was,
      is,
    ]);
  });

  it('overlaps the span, to which its end does not belong', async () => {
    const site = newSite();
    const from = (started_at: number, ended_at: number): VisitRow => visitRow({ site_id: site, started_at, ended_at });
    const inside = from(NOON, NOON + HOUR);
    const overStart = from(DAY.from - 1, DAY.from);
    await store(inside);
    await store(overStart);
    await store(from(DAY.from - 2, DAY.from - 1));
    await store(from(DAY.to, DAY.to));
    expect((await fresh(site)).ids.toSorted()).toEqual([inside.visit_id, overStart.visit_id].toSorted());
  });
});

describe('a report', () => {
  const request = (given: Partial<ReportRequest>): ReportRequest => ({
    dimensions: [],
    metrics: ['visits'],
    date_from: '2026-03-15',
    date_to: '2026-03-15',
    filters: [],
    segment: null,
    attribution: 'last',
    robots: 'exclude',
    sort: [],
    limit: 100,
    offset: 0,
    ...given,
  });
  const run = (
    siteId: string,
    given: Partial<ReportRequest>,
    onQuery: (sql: string) => void = () => {},
  ): Promise<Report> => {
    const lake: typeof test.lake = {
      ...test.lake,
      withConnection: (work) =>
        test.lake.withConnection((connection) =>
          work({
            ...connection,
            query(sql, params) {
              onQuery(sql);
              return connection.query(sql, params);
            },
          }),
        ),
    };
    return runReport(
      lake,
      request(given),
      { siteId, timezone: 'UTC', currency: 'RUB', rates: {}, goals: [] },
      { language: 'en', sampled: false, lateEventHours: 24, audienceMinPeople: 1 },
    );
  };
  const source = {
    ...DIRECT,
    source_type: 'ad' as const,
    ad_system: 'Яндекс Директ',
    utm_source: 'letter',
    utm_campaign: 'spring',
    click_id: 'yclid',
  };

  it('on days before every open visit and its late hits reads no JSON', async () => {
    const site = newSite();
    const parsed: string[] = [];
    const watch = (sql: string): void => void (sql.includes('from_json') && parsed.push(sql));
    await store(visitRow({ site_id: site }));
    await run(site, { date_from: '2026-03-12', date_to: '2026-03-13' }, watch);
    expect(parsed).toEqual([]);
    expect((await run(site, {}, watch)).totals).toEqual([1]);
    expect(parsed).toHaveLength(1);
  });

  it('counts no hits of visits that were set aside or refused, even if a refused one has no id', async () => {
    const site = newSite();
    const [counted, aside, refused] = [
      visitRow({ site_id: site }),
      visitRow({ site_id: site }),
      visitRow({ site_id: site }),
    ];
    const hits = [counted, aside, refused].map(({ visit_id, visitor_id }) =>
      hitRow({ site_id: site, visit_id, visitor_id }),
    );
    await inTransaction(database.pool, async (client) =>
      stageRows(client, shardOf(site), await nextBatchId(client), { visits: [counted], hits }),
    );
    await commitStaged(test.lake, database.pool, [shardOf(site)]);
    await store(aside, { lakeBatch: '-1' });
    await database.pool.query(
      `insert into lake_failed (site_id, batch_id, table_name, row, error) select $1, 1, 'visits', unnest($2::text[]), 'x'`,
      [site, [JSON.stringify(refused), JSON.stringify({ ...refused, visit_id: '-'.repeat(36) }), 'no JSON']],
    );
    expect((await run(site, { dimensions: ['page_path'], metrics: ['pageviews'] })).totals).toEqual([1]);
  });

  // proves: decisions-storage/reports
  it('gives the same result for open visits and for the same visits in the lake, with every field', async () => {
    const site = newSite();
    const rows = [
      visitRow({ site_id: site }),
      visitRow({
        site_id: site,
        source_last: source,
        source_last_significant: { ...source, utm_term: 'kettle' },
        source_first: source,
        duration_s: 75,
        pageviews: 5,
        user_id: 'u',
        is_bounce: false,
        params: '{"plan":"pro"}',
        visit_number: 3,
      }),
    ];
    for (const row of rows) await store(row);
    const ofVisits = DIMENSIONS.filter(({ level, takes }) => level === 'visit' && takes === null);
    const names = ofVisits.map(({ id }) => id);
    const ofSource = ofVisits.filter(({ group }) => group === 'source').map(({ id }) => id);
    expect(names.length).toBeGreaterThan(40);
    expect(ofSource.length).toBeGreaterThan(10);
    const metrics = [
      'visits',
      'visitors',
      'new_visitors',
      'users',
      'bounce_rate',
      'avg_visit_duration',
      'pages_per_visit',
      'hits',
      'robot_visits',
      'mobile_share',
    ];
    const reports = async (): Promise<Report[]> => {
      const made: Report[] = [];
      // The attribution decides only which source is read.
      for (const [attribution, ids] of [
        ['last', names],
        ['last_significant', ofSource],
        ['first', ofSource],
      ] as const) {
        for (let from = 0; from < ids.length; from += 5)
          made.push(
            await run(site, { dimensions: ids.slice(from, from + 5), metrics, attribution, robots: 'include' }),
          );
      }
      return made;
    };
    const open = await reports();
    for (const row of rows) await stage(row);
    await database.pool.query('delete from site_visits where site_id = $1', [site]);
    await commitStaged(test.lake, database.pool, [shardOf(site)]);
    expect(await reports()).toEqual(open);
    expect(open.every(({ totals }) => totals[0] === 2)).toBe(true);
  });
});
