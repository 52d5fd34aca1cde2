/**
 * Compares the engine with the naive evaluator on random requests and worlds. ATTUNE_ORACLE_RUNS sets the number of
 * requests (the suite runs one world's, to save time), ATTUNE_ORACLE_SEED the first world. `npm run oracle` runs
 * thousands.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DIMENSIONS, METRICS } from '../../../reports/registry/index.ts';
import type { Report, ReportRequest } from '../../../reports/reportRequest.ts';
import { runReport } from '../../../reports/run/runReport.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { differenceOf } from './compare.ts';
import { deckOf } from './deck.ts';
import { evaluate, type OracleOptions, type OracleReport } from './evaluate.ts';
import { knownValues } from './knownValues.ts';
import { randomRequest } from './requests.ts';
import { storeWorld } from './world/store.ts';
import { Seen } from './seen.ts';
import { randomWorld, type RandomWorld } from './world/worlds.ts';

const RUNS = Number(process.env['ATTUNE_ORACLE_RUNS'] ?? 50);
const SEED = Number(process.env['ATTUNE_ORACLE_SEED'] ?? 1);
const PER_WORLD = 50;
const WORLDS = Math.ceil(RUNS / PER_WORLD);

let db: TestDatabase;
let lake: TestLake;
const seen = new Seen();

beforeAll(async () => {
  db = await createTestDatabase();
  lake = await openTestLake(db.url);
});

afterAll(async () => {
  await lake?.close();
  await db?.drop();
});

/** Truncates long values. */
const shown = (value: unknown): string => JSON.stringify(value).slice(0, 4000);

async function check(random: RandomWorld, request: ReportRequest, options: OracleOptions): Promise<OracleReport> {
  const expected = evaluate(random.world, request, random.site, options);
  const got: Report = await runReport(lake.lake, request, random.site, {
    language: 'en',
    lateEventHours: 24,
    ...options,
  });
  const difference = differenceOf(request, expected, got);
  if (difference !== null)
    throw new Error(
      `${difference}\nworld ${random.seed}, ${random.site.timezone}, ${JSON.stringify(options)}\nexpected ${shown(expected)}\ngot ${shown(got)}`,
    );
  return expected;
}

const WHOLE = { sampled: false, audienceMinPeople: 1 };
/**
 * Worlds that together have a value in every column; they vary with the day of the test, because people's ages
 * change.
 */
const RICH_WORLDS = [1_009, 1_016, 1_029];

const untold = (deck: Seen): string[] =>
  [
    ...DIMENSIONS.filter(({ id }) => !deck.dimensions.has(id)),
    ...METRICS.filter(({ id }) => !deck.metrics.has(id)),
  ].map(({ id }) => id);

/** Reports whether a request uses one of the identifiers, which may have a parameter there. */
const asksFor = ({ dimensions, metrics }: ReportRequest, ids: ReadonlySet<string>): boolean =>
  [...dimensions, ...metrics].some((asked) => ids.has(asked.replace(/:.*/s, '')));

// proves: report-dimensions/time, report-dimensions/source, report-dimensions/visit, report-dimensions/technology
// proves: report-dimensions/geography, report-dimensions/page, report-dimensions/goal, report-dimensions/order
// proves: report-dimensions/product, report-dimensions/audience, report-metrics/visits, report-metrics/pages
// proves: report-metrics/goals, report-metrics/orders, report-metrics/products, report-metrics/audience
// proves: report-metrics/goal-code
it('every dimension and every metric is requested and has a value', async () => {
  const deck = new Seen();
  for (const seed of RICH_WORLDS) {
    if (untold(deck).length === 0) break;
    const random = randomWorld(seed, new Date());
    await storeWorld(db.pool, lake.lake, random);
    const left = new Set(untold(deck));
    for (const request of deckOf(random.day))
      if (asksFor(request, left)) deck.note(request, await check(random, request, WHOLE));
  }
  expect(untold(deck)).toEqual([]);
});

// proves: report/filters, report/segment, report/attribution, report/robots, report/sort, report/audience-metrics
// proves: report/data, report/totals
// proves: report-rules/weights, report-rules/distinct, report-rules/affinity, report-rules/people_share
// proves: report-rules/undefined_share, decisions-analytics/period-visits, decisions-analytics/period-facts
// proves: decisions-analytics/unique_pageviews, decisions-analytics/avg_time_on_page
it.each(Array.from({ length: WORLDS }, (_, index) => SEED + index))(
  'the engine and the evaluator agree on random requests in world %i',
  async (seed) => {
    const random = randomWorld(seed, new Date());
    await storeWorld(db.pool, lake.lake, random);
    const options = fc.record({
      sampled: fc.constantFrom(false, false, false, true),
      audienceMinPeople: fc.constantFrom(1, 1, 1, 2),
    });
    const property = fc.asyncProperty(
      randomRequest(random.day, knownValues(random)),
      options,
      async (request, given) => {
        seen.note(request, await check(random, request, given));
      },
    );
    await fc.assert(property, { seed, numRuns: PER_WORLD });
  },
);

it('the random requests cover many combinations of metrics, dimensions and filters', () => {
  expect(seen.requests).toBeGreaterThanOrEqual(RUNS);
  expect(seen.combinations.size).toBeGreaterThan(Math.min(3 * RUNS, 1500));
});
