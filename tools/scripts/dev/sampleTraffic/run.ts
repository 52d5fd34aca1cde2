/**
 * `npm start -- --sample-traffic`: fills the development site with weeks of traffic, through the interfaces of a real
 * site.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  createCounter,
  generateTraffic,
  TRAFFIC_SITE,
  type TagBatch,
  type TrafficRecord,
  type ServerFact,
  type TrafficSummary,
} from '../../../traffic/index.ts';
import { createPool } from '../../../../db/pool.ts';
import { readIngestLag } from '../../../../db/visits/ingestLag.ts';
import type { DevDescription } from '../settings/devFiles.ts';
import type { Screen } from '../screen.ts';
import { createCollectSender } from './collectSender.ts';
import { loadPlan, PLAN_NAME, savePlan, type TrafficPlan } from './trafficPlan.ts';
import { putGoals, sendFacts } from './serverSender.ts';

/** Number of batches and server reports sent between two progress messages. */
const PART = 500;
const INGEST_LIMIT_MS = 10 * 60_000;
const POLL_MS = 500;

export interface SampleTrafficOptions {
  days: number;
  dataDir: string;
  description: DevDescription;
  screen: Screen;
  /** Aborts without output; the next start sends the same traffic again, and repeats are recognised. */
  signal: AbortSignal;
}

/** Sends the traffic once per data folder. An error is reported and affects nothing else. */
export async function runSampleTraffic(options: SampleTrafficOptions): Promise<void> {
  const { screen, signal, dataDir, days } = options;
  try {
    const plan = await loadPlan(dataDir, days, Date.now());
    if (plan.sent !== null) {
      screen.print(`  The sample traffic has already been sent (${PLAN_NAME} in the data folder).\n\n`);
      return;
    }
    screen.print(
      `  Sample traffic: ${plan.days} days of a shop with a blog through ${options.description.collect_url}\n`,
    );
    const started = performance.now();
    const sent = await sendAll(options, plan);
    await savePlan(dataDir, { ...plan, sent });
    const isIngested = await untilIngested(options);
    screen.live(null);
    screen.print(closing(sent, (performance.now() - started) / 1000, isIngested));
  } catch (error) {
    if (signal.aborted) return;
    screen.live(null);
    screen.print(`  The sample traffic could not be sent: ${(error as Error).message}\n`);
  }
}

async function sendAll(
  { description, screen, signal }: SampleTrafficOptions,
  plan: TrafficPlan,
): Promise<TrafficSummary> {
  await putGoals(description, signal);
  const sender = createCollectSender({ url: description.collect_url, key: description.site.tag_key, signal });
  const counter = createCounter();
  const facts: ServerFact[] = [];
  try {
    for (const part of partsOf(generateTraffic({ ...plan, ...TRAFFIC_SITE }))) {
      for (const record of part) counter.add(record);
      facts.push(...part.filter((record): record is ServerFact => record.kind !== 'collect'));
      await sender.send(part.filter((record): record is TagBatch => record.kind === 'collect'));
      const { from, to, events } = counter.summary();
      screen.live(`  ${Math.floor((100 * (to - from)) / (plan.until - from))} %, ${events} hits sent\n`);
    }
  } finally {
    await sender.close();
  }
  // Sent afterwards, because the API knows only visitors whose first batch has arrived.
  const rejected = await sendFacts(description, facts, signal);
  if (rejected > 0) screen.print(`  ${rejected} orders or conversions were rejected\n`);
  return counter.summary();
}

function* partsOf(records: Iterable<TrafficRecord>): Generator<TrafficRecord[], void> {
  let part: TrafficRecord[] = [];
  for (const record of records) {
    part.push(record);
    if (part.length < PART) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** @returns false when the ingest has not finished within the limit */
async function untilIngested({ description, screen, signal }: SampleTrafficOptions): Promise<boolean> {
  const pool = createPool({ databaseUrl: description.database_url, size: 1, applicationName: 'attune-dev-traffic' });
  try {
    const deadline = performance.now() + INGEST_LIMIT_MS;
    screen.live('  100 % sent, waiting for the ingest\n');
    while ((await readIngestLag(pool)).seconds > 0) {
      if (performance.now() > deadline) return false;
      await delay(POLL_MS, undefined, { signal });
    }
    return true;
  } finally {
    await pool.end();
  }
}

function closing(
  { hits, surplus, visits, visitors, orders, refunds }: TrafficSummary,
  seconds: number,
  isIngested: boolean,
): string {
  const taken = Object.values(hits).reduce((sum, count) => sum + count, 0);
  return [
    `  ${taken} hits of ${visitors} visitors in ${visits} visits, ${orders} orders, ${refunds} refunds${isIngested ? '' : ' are on their way'} (${seconds.toFixed(0)} s).`,
    ...(surplus > 0
      ? [`  ${surplus} more hits, from robots, exceeded the limit of one visitor and were dropped.`]
      : []),
    '',
    '',
  ].join('\n');
}
