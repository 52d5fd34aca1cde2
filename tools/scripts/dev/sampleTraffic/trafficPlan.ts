/**
 * Records the sample traffic of a data folder, so that it is sent once, and is repeated identically after an
 * interruption.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrafficSummary } from '../../../traffic/index.ts';

export const PLAN_NAME = 'sample-traffic.json';
const MINUTE_MS = 60_000;

export interface TrafficPlan {
  seed: number;
  days: number;
  visitorsPerDay: number;
  /** Epoch milliseconds; the traffic ends before this time. */
  until: number;
  /** Summary of what was sent; null until all of it has been sent. */
  sent: TrafficSummary | null;
}

/** Number of days of traffic, at most and unless `--sample-days` asks for fewer. */
export const SAMPLE_DAYS = 90;
/** About 45,000 hits in 90 days. */
const VISITORS_PER_DAY = 30;
const SEED = 1;

/** Loads the folder's plan, or creates and stores one. */
export async function loadPlan(dataDir: string, days: number, now: number): Promise<TrafficPlan> {
  try {
    return JSON.parse(await readFile(join(dataDir, PLAN_NAME), 'utf8')) as TrafficPlan;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const plan = {
    seed: SEED,
    days,
    visitorsPerDay: VISITORS_PER_DAY,
    until: Math.floor(now / MINUTE_MS) * MINUTE_MS,
    sent: null,
  };
  await savePlan(dataDir, plan);
  return plan;
}

export async function savePlan(dataDir: string, plan: TrafficPlan): Promise<void> {
  const path = join(dataDir, PLAN_NAME);
  await writeFile(`${path}.draft`, `${JSON.stringify(plan, null, 2)}\n`);
  await rename(`${path}.draft`, path);
}
