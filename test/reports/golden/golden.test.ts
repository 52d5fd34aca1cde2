/**
 * Compares reports on a month of the seeded sample traffic, through intake, ingest and lake, with answers/.
 * ATTUNE_GOLDEN=write rewrites those; review them before a commit.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  createCounter,
  generateTraffic,
  TRAFFIC_GOALS,
  TRAFFIC_SITE,
  type TagBatch,
  type ServerFact,
  type TrafficSummary,
} from '../../../tools/traffic/index.ts';
import type { ReportRequest, ReportSite } from '../../../reports/reportRequest.ts';
import { History } from '../support/history.ts';
import { GOLDEN } from './requests.ts';

const ANSWERS = join(import.meta.dirname, 'answers');
const PERIOD = { date_from: '2025-12-22', date_to: '2026-01-20' } as const;
const REQUESTS_OF_A_PART = 200;

/** The last digits of a mean depend on the order of addition. */
const rounded = (value: number): number => Number(value.toPrecision(12));

let history: History;
let site: ReportSite;
let sent: TrafficSummary;

beforeAll(async () => {
  history = await History.open();
  site = await history.addSite({ goals: TRAFFIC_GOALS });
  const counter = createCounter();
  // 00:00 of the next day in Moscow.
  const traffic = [
    ...generateTraffic({ seed: 3, until: Date.UTC(2026, 0, 20, 21), days: 30, visitorsPerDay: 6, ...TRAFFIC_SITE }),
  ];
  for (const record of traffic) counter.add(record);
  const collected = traffic.filter((record): record is TagBatch => record.kind === 'collect');
  for (let start = 0; start < collected.length; start += REQUESTS_OF_A_PART)
    await history.collect(site.siteId, collected.slice(start, start + REQUESTS_OF_A_PART));
  await history.settled();
  await history.takeFacts(
    site,
    traffic.filter((record): record is ServerFact => record.kind !== 'collect'),
  );
  await history.settled();
  sent = counter.summary();
});

afterAll(async () => {
  await history?.close();
});

it('the report counts what was sent', async () => {
  const { totals } = await history.report(site, {
    ...PERIOD,
    metrics: ['visits', 'visitors', 'hits', 'conversions', 'gross_revenue', 'refunds'],
    robots: 'include',
  });
  const hits = Object.entries(sent.hits).reduce((sum, [type, count]) => sum + (type === 'ping' ? 0 : count), 0);
  const conversions = Object.values(sent.conversions).reduce((sum, count) => sum + count, 0);
  expect(totals).toEqual([sent.visits, sent.visitors, hits, conversions, sent.revenue, sent.refunds]);
});

it.each(Object.entries(GOLDEN))(
  'the report has the recorded answer: %s',
  async (name, request: Partial<ReportRequest>) => {
    const { data, totals, rows, notes } = await history.report(site, { ...PERIOD, limit: 20, ...request });
    const answer = {
      totals: totals.map(rounded),
      rows,
      ...(notes && { notes }),
      data: data.map(({ dimensions, metrics }) => [dimensions, metrics.map(rounded)]),
    };
    const path = join(ANSWERS, `${name.replaceAll(' ', '-')}.json`);
    if (process.env['ATTUNE_GOLDEN'] === 'write') await writeFile(path, `${JSON.stringify(answer, null, 1)}\n`);
    expect(answer).toEqual(JSON.parse(await readFile(path, 'utf8')));
  },
);
