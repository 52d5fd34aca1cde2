/** Reports while visits change, are settled, staged, committed and merged: accepted events count exactly once. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DuckDBValue } from '@duckdb/node-api';
import { inTransaction } from '../../../db/pool.ts';
import { saveVisits } from '../../../db/visits/visits.ts';
import type { VisitRow } from '../../../domain/reports/lakeRows.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { NEW_VISIT_MEMO, packVisit } from '../../../domain/visits/visitState.ts';
import { settleShard } from '../../../loops/ingest/stageFinished.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import { openLake, type Lake } from '../../../reports/lake/index.ts';
import { mergeFiles } from '../../../reports/lake/upkeep/mergeFiles.ts';
import type { ReportRequest } from '../../../reports/reportRequest.ts';
import { runReport } from '../../../reports/run/runReport.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { openTestLake, visitRow, type TestLake } from '../../support/lake/lake.ts';

const SITE = 'hammer000001';
const SHARD = shardOf(SITE);
const HOUR = 3_600_000;
/** Numbers of reports and of visits for each kind of traffic. */
const REPORTS = 12;
const VISITS = 60;

let database: TestDatabase;
let test: TestLake;
let reader: Lake;
beforeAll(async () => {
  database = await createTestDatabase();
  test = await openTestLake(database.url, { threads: 2 });
  reader = await openLake(test.settings);
});
afterAll(async () => {
  await reader?.close();
  await test?.close();
  await database.drop();
});

/** Far enough in the past to be settled at once. */
const START = Date.now() - 5 * HOUR;
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
const request = (given: Partial<ReportRequest>): ReportRequest => ({
  dimensions: [],
  metrics: ['visits', 'hits', 'visitors'],
  date_from: day(START - 24 * HOUR),
  date_to: day(START + 24 * HOUR),
  filters: [],
  segment: null,
  attribution: 'last',
  robots: 'exclude',
  sort: [],
  limit: 100,
  offset: 0,
  ...given,
});
const site = { siteId: SITE, timezone: 'UTC', currency: 'RUB', rates: {}, goals: [] };

/** The expected figures: recorded before and after each write. */
class Books {
  readonly visits: VisitRow[] = [];
  visitsBegun = 0;
  hitsBegun = 0;
  hitsStored = 0;

  async accept(): Promise<void> {
    const row = visitRow({
      site_id: SITE,
      started_at: START,
      ended_at: START + 60_000,
      hits: 1,
      weighted_hits: 1,
      entry_path: `/${this.visitsBegun % 3}`,
    });
    this.visitsBegun += 1;
    this.hitsBegun += 1;
    await store(row);
    this.visits.push(row);
    this.hitsStored += 1;
  }

  /** A late hit, which also moves the start; the visit goes to the lake again. */
  async change(): Promise<void> {
    const index = Math.floor(Math.random() * this.visits.length);
    const row = this.visits[index];
    if (row === undefined) return;
    this.hitsBegun += 1;
    const changed = { ...row, started_at: row.started_at - 1_000, weighted_hits: row.weighted_hits + 1 };
    await store(changed);
    this.visits[index] = changed;
    this.hitsStored += 1;
  }
}

/** Stores a visit of any site in the one shard that is settled here. */
async function store(row: VisitRow): Promise<void> {
  const state = packVisit({ row, memo: NEW_VISIT_MEMO, isChanged: true });
  await inTransaction(database.pool, (client) => saveVisits(client, [{ row, shard: SHARD, state }]));
}

/** Repeats an action until it is told to stop. */
function again(work: () => Promise<unknown>): () => Promise<void> {
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) await work();
  })();
  return async () => {
    isStopped = true;
    await running;
  };
}

const settle = (): Promise<unknown> =>
  inTransaction(database.pool, (client) => settleShard(client, {}, SHARD, 'visits', 7));
const commit = (): Promise<unknown> => commitStaged(test.lake, database.pool, [SHARD]);
const merge = (): Promise<unknown> => mergeFiles(test.lake, database.pool);

async function report(
  given: Partial<ReportRequest> = {},
  lake = reader,
): Promise<{ totals: number[]; sums: number[] }> {
  const { totals, data } = await runReport(lake, request(given), site, {
    language: 'en',
    sampled: false,
    lateEventHours: 24,
    audienceMinPeople: 1,
  });
  return {
    totals,
    sums: totals.map((_total, index) => data.reduce((sum, { metrics }) => sum + (metrics[index] ?? 0), 0)),
  };
}

describe('every report', () => {
  it('counts each visit and each hit once, while late hits send visits to the lake again', async () => {
    const books = new Books();
    for (let n = 0; n < VISITS; n += 1) await books.accept();
    const stops = [again(() => books.change()), again(settle), again(commit), again(merge)];
    for (let n = 0; n < REPORTS; n += 1) {
      const before = books.hitsStored;
      const { totals, sums } = await report(n % 2 === 0 ? {} : { dimensions: ['entry_path'] });
      const [visits = 0, hits = 0, visitors = 0] = totals;
      expect([visits, visitors]).toEqual([VISITS, VISITS]);
      expect(hits).toBeGreaterThanOrEqual(before);
      expect(hits).toBeLessThanOrEqual(books.hitsBegun);
      expect(sums).toEqual(totals);
    }
    for (const stop of stops) await stop();
    expect((await report()).totals).toEqual([VISITS, books.hitsStored, VISITS]);
    await eventually(async () => {
      await settle();
      await commit();
      return (
        await database.pool.query(
          'select 1 where not exists (select from site_visits where lake_batch is null) and not exists (select from lake_batches)',
        )
      ).rowCount;
    }, 'everything in the lake');
    expect((await report()).totals).toEqual([VISITS, books.hitsStored, VISITS]);
  });

  it('has everything accepted before it begins and nothing accepted after its end, while visits come in', async () => {
    const old = (await report()).totals;
    const books = new Books();
    const stops = [again(() => books.accept()), again(settle), again(commit)];
    for (let n = 0; n < REPORTS; n += 1) {
      const before = books.visits.length;
      const { totals, sums } = await report({ dimensions: ['entry_path'] });
      const visits = (totals[0] ?? 0) - (old[0] ?? 0);
      expect(visits).toBeGreaterThanOrEqual(before);
      expect(visits).toBeLessThanOrEqual(books.visitsBegun);
      expect(sums).toEqual(totals);
    }
    for (const stop of stops) await stop();
    expect((await report()).totals[0]).toBe((old[0] ?? 0) + books.visits.length);
  });
});

describe('a report', () => {
  it('shows one moment: what goes to the lake while it runs is in the next report', async () => {
    const books = new Books();
    const before = (await report()).totals;
    let statements = 0;
    const interrupted: Lake = {
      ...reader,
      withConnection: (work) =>
        reader.withConnection((connection) =>
          work({
            ...connection,
            // Only the compiled statement has parameters; it is the last one.
            async query<Row>(sql: string, params?: readonly DuckDBValue[]) {
              if (params !== undefined && (statements += 1) === 1) {
                await books.accept();
                await settle();
                await commit();
              }
              return connection.query<Row>(sql, params);
            },
          }),
        ),
    };
    expect((await report({}, interrupted)).totals).toEqual(before);
    expect(statements).toBe(1);
    expect((await report()).totals[0]).toBe((before[0] ?? 0) + 1);
  });
});

describe('a report on days that are completely in the lake', () => {
  it('leaves out a visit that now begins before them', async () => {
    const siteId = 'hammer000002';
    const of = (given: Partial<VisitRow>): VisitRow =>
      visitRow({ site_id: siteId, hits: 1, weighted_hits: 1, ...given });
    const midnight = Date.UTC(2026, 2, 15);
    const moved = of({ started_at: midnight + 1_000, ended_at: midnight + 60_000 });
    await store(moved);
    await store(of({ started_at: midnight + HOUR, ended_at: midnight + HOUR }));
    await inTransaction(database.pool, (client) => settleShard(client, {}, SHARD, 'visits', 7));
    await commit();
    await store({ ...moved, started_at: midnight - 1_000 });
    const ask = async (date: string): Promise<number[]> =>
      (
        await runReport(
          reader,
          request({ date_from: date, date_to: date }),
          { ...site, siteId },
          { language: 'en', sampled: false, lateEventHours: 24, audienceMinPeople: 1 },
        )
      ).totals;
    expect([await ask('2026-03-15'), await ask('2026-03-14')]).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
  });
});
