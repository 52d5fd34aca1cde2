/** A heavy report while the intake and the report of another site run, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fetch } from 'undici';
import { storeHits } from '../../../tools/bench/collect/storedHits.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createReportEngines, type ReportEngines } from '../../../reports/engines/index.ts';
import { batch, event } from '../../api/collect/support/site.ts';
import { startTestApi, type TestApi } from '../../api/support/testApi.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { statFields } from '../../support/programs/statFields.ts';
import { watchChildren } from './support/watchChildren.ts';

/** Every fifth hit is the first of a visit. */
const HEAVY_HITS = 150_000;
const SMALL_HITS = 500;
const COLLECTED = 20;
/** Longer than the heavy report takes on any machine. */
const SECONDS = 300;

/** Ticks that an engine uses for nothing but a report. */
const AT_WORK = 5;

/** How often an engine has answered. */
let answers = 0;
const engineProcesses = watchChildren((child) => child.on('message', () => (answers += 1)));

let database: TestDatabase;
let test: TestLake;
let engines: ReportEngines;
let api: TestApi;
let heavySite: TestSite;
let smallSite: TestSite;

beforeAll(async () => {
  database = await createTestDatabase();
  test = await openTestLake(database.url);
  const lake = {
    ...test.settings,
    tempDir: join(test.settings.tempDir, 'engines'),
    memoryMb: 128,
    tempMb: 1_024,
    threads: 1,
  };
  engines = createReportEngines(
    { lake, engines: 2, seconds: SECONDS, sampleSeconds: SECONDS, lateEventHours: 24, audienceMinPeople: 1 },
    createLogger('test', 'silent'),
  );
  api = await startTestApi({ databaseUrl: database.url, reports: engines });
  [heavySite, smallSite] = [await createTestSite(api.pool), await createTestSite(api.pool)];
  await storeHits(test.lake, [heavySite.id], HEAVY_HITS);
  await storeHits(test.lake, [smallSite.id], SMALL_HITS);
});
afterAll(async () => {
  await api?.close();
  await engines?.close();
  await test?.close();
  await database.drop();
});

const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const PERIOD = { date_from: dayFromNow(-395), date_to: dayFromNow(0) };
/**
 * Hits with their visit and its person, ordered by time, counting all people, in a segment that needs everybody's
 * hits.
 */
const HEAVY = {
  ...PERIOD,
  dimensions: ['source_type', 'device_type', 'browser', 'page_path', 'date'],
  metrics: [
    'hits',
    'pageviews',
    'visits',
    'visitors',
    'unique_pageviews',
    'entrances',
    'exits',
    'avg_time_on_page',
    'avg_scroll_depth',
  ],
  segment: {
    scope: 'visitor',
    any: [
      { dimension: 'page_path', op: 'regex', values: ['item-\\d*[02468]$'] },
      { dimension: 'page_title', op: 'contains', values: ['1'] },
    ],
  },
  robots: 'include',
};
const SMALL = { ...PERIOD, dimensions: ['device_type'], metrics: ['visits', 'hits'] };

async function report(site: TestSite, body: object): Promise<{ totals: number[]; sampled: boolean }> {
  const response = await fetch(`${api.analytics}/reports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([response.status, await response.clone().text()]).toEqual([200, expect.any(String)]);
  return (await response.json()) as { totals: number[]; sampled: boolean };
}

async function collect(site: TestSite): Promise<void> {
  const response = await fetch(`${api.origin}/collect`, {
    method: 'POST',
    body: JSON.stringify(batch(site.tagKey, [event()])),
  });
  expect([response.status, await response.json()]).toEqual([202, expect.objectContaining({ accepted: 1 })]);
}

const pids = (): number[] =>
  engineProcesses.flatMap(({ pid, exitCode, signalCode }) =>
    pid && exitCode === null && signalCode === null ? [pid] : [],
  );

/** Returns the processor time that a process has used, in hundredths of a second. */
function ticksOf(pid: number): number {
  const field = statFields(String(pid));
  return field(14) + field(15);
}

/**
 * Begins the heavy report and stops its engine in the middle of it. If this process pauses so long that the report ends
 * before, an idle engine is stopped: then the report is begun once more.
 */
async function stopHeavyReport() {
  for (;;) {
    const answersBefore = answers;
    const idle = pids().map((pid) => [pid, ticksOf(pid)] as const);
    let hasEnded = false;
    const heavy = report(heavySite, HEAVY).finally(() => (hasEnded = true));
    const [busy] = await eventually(
      () => idle.find(([pid, ticks]) => ticksOf(pid) >= ticks + AT_WORK),
      'the heavy report runs',
    );
    process.kill(busy, 'SIGSTOP');
    await setImmediate(); // reads an answer that the engine gave before
    await setImmediate();
    if (answers === answersBefore) return { busy, heavy, hasEnded: () => hasEnded };
    process.kill(busy, 'SIGCONT');
    await heavy;
  }
}

describe('a heavy report', () => {
  it('blocks neither the intake nor the report of another site, which end before it', async () => {
    // Both engines are running, so that start-up time is not measured.
    await Promise.all([report(heavySite, SMALL), report(smallSite, SMALL)]);
    const { busy, heavy, hasEnded } = await stopHeavyReport(); // so it does not end, however slow this process is
    try {
      for (let n = 0; n < COLLECTED; n += 1) await collect(smallSite);
      expect((await report(smallSite, SMALL)).totals).toEqual([SMALL_HITS / 5, SMALL_HITS]);
      expect(hasEnded()).toBe(false);
    } finally {
      process.kill(busy, 'SIGCONT');
    }
    const { totals, sampled } = await heavy;
    expect([sampled, totals[0]]).toEqual([false, HEAVY_HITS]);
    expect((await api.pool.query('select count(*)::int as n from collect_inbox')).rows).toEqual([{ n: COLLECTED }]);
  });
});
