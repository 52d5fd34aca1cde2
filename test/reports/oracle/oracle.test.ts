/**
 * The engine against the naive evaluator: random requests on random worlds. ATTUNE_ORACLE_RUNS is how many requests
 * (in the suite few enough to take half a minute), ATTUNE_ORACLE_SEED the first world.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findDimension, findMetric, DIMENSIONS, METRICS } from '../../../reports/registry/index.ts';
import type { Report, ReportRequest } from '../../../reports/request.ts';
import { runReport } from '../../../reports/run/runReport.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openTestLake, type TestLake } from '../../support/lake.ts';
import { differenceOf } from './compare.ts';
import { evaluate } from './evaluate.ts';
import { knownValues } from './knownValues.ts';
import { randomRequest } from './requests.ts';
import { storeWorld } from './store.ts';
import { Seen } from './seen.ts';
import { randomWorld, type RandomWorld } from './worlds.ts';

const RUNS = Number(process.env['ATTUNE_ORACLE_RUNS'] ?? 1500);
const SEED = Number(process.env['ATTUNE_ORACLE_SEED'] ?? 1);
const PER_WORLD = 75;
const WORLDS = Math.ceil(RUNS / PER_WORLD);

let db: TestDatabase;
let lake: TestLake;
const seen = new Seen();

beforeAll(async () => {
  db = await createTestDatabase();
  lake = await openTestLake(db.url);
}, 60_000);

afterAll(async () => {
  await lake?.close();
  await db?.drop();
});

/** Not more than one wants to look at. */
const shown = (value: unknown): string => JSON.stringify(value).slice(0, 4000);

async function check(random: RandomWorld, request: ReportRequest, options: { sampled: boolean; audienceMinPeople: number }): Promise<void> {
  const expected = evaluate(random.world, request, random.site, options);
  const got: Report = await runReport(lake.lake, request, random.site, { language: 'en', lateEventHours: 24, ...options });
  const difference = differenceOf(request, expected, got);
  if (difference !== null) throw new Error(`${difference}\nworld ${random.seed}, ${random.site.timezone}, ${JSON.stringify(options)}\nexpected ${shown(expected)}\ngot ${shown(got)}`);
  seen.note(request, expected);
}

it.each(Array.from({ length: WORLDS }, (_, index) => SEED + index))('random requests on world %i', async (seed) => {
  const random = randomWorld(seed, new Date());
  await storeWorld(db.pool, lake.lake, random);
  const options = fc.record({ sampled: fc.constantFrom(false, false, false, true), audienceMinPeople: fc.constantFrom(1, 1, 1, 2) });
  const property = fc.asyncProperty(randomRequest(random.day, knownValues(random)), options, (request, given) => check(random, request, given));
  await fc.assert(property, { seed, numRuns: PER_WORLD, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true });
}, 300_000);

it('every identifier was asked for, and told something', () => {
  expect(DIMENSIONS.map(({ id }) => id).filter((id) => !seen.dimensions.has(id))).toEqual([]);
  expect(METRICS.map(({ id }) => id).filter((id) => !seen.metrics.has(id))).toEqual([]);
  expect([...seen.dimensions].every((id) => DIMENSIONS.some((dimension) => dimension.id === id))).toBe(true);
  expect(findDimension('date') !== null && findMetric('visits') !== null).toBe(true);
});
