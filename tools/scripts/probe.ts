/**
 * `npm run probe` exposes a separate API and ingest, with the settings of an installation, to the abuse that a stranger
 * or a careless customer can cause. It prints one table, and fails when a bound does not hold.
 *
 *   npm run probe                        about three minutes
 *   npm run probe -- --only recordings   a single probe; the option may be repeated
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EngineError } from './engines/index.ts';
import { printFigures, reachesAim, type Figure } from '../load/figures.ts';
import { probeCostlyGoals } from './probe/costlyGoals.ts';
import { probeHitFlood } from './probe/hitFlood.ts';
import { figure, watchHealth, type Probe } from './probe/probe.ts';
import { probeRecordings } from './probe/recordings.ts';
import { probeSlowClients } from './probe/slowClients.ts';
import { startStage, type ProbeStage } from './probe/stage.ts';
import { probeWrongKeys } from './probe/wrongKeys.ts';

/** Run in this order; each leaves nothing pending for the next. */
const PROBES: Record<string, Probe> = {
  'wrong-keys': probeWrongKeys,
  'hit-flood': probeHitFlood,
  'costly-goals': probeCostlyGoals,
  recordings: probeRecordings,
  'slow-clients': probeSlowClients,
};
/** A process that has just started answers its first requests slowly, which no flood has caused. */
const WARM_UP_MS = 5_000;
const TIMER_MS = 10;
const report = (line: string): void => console.error(`[probe] ${line}`);

/** @throws {EngineError} on an unknown name */
function chosenProbes(): [string, Probe][] {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
  const unknown = values.only?.find((name) => !(name in PROBES));
  if (unknown !== undefined)
    throw new EngineError(`there is no probe "${unknown}": name one of ${Object.keys(PROBES).join(', ')}`);
  return Object.entries(PROBES).filter(([name]) => values.only?.includes(name) ?? true);
}

async function main(): Promise<number> {
  const chosen = chosenProbes();
  const stage = await startStage(report);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stage.close().finally(() => process.exit(1)));
  const figures: Figure[] = [];
  try {
    await warmUp(stage);
    for (const [name, probe] of chosen) {
      report(name);
      const found = await withTimerLateness(() => probe(stage));
      figures.push(...found.map((one) => ({ ...one, name: `${name}: ${one.name}` })));
      stage.requireRunning();
    }
  } finally {
    printFigures(figures);
    await stage.close();
  }
  const broken = figures.filter((found) => reachesAim(found) === false);
  for (const { name, value, aim } of broken) report(`does not hold: ${name} is ${value}, not ${aim}`);
  return broken.length === 0 ? 0 : 1;
}

/**
 * Adds how late the timers of this idle process were. When they were very late, the machine was busy with something
 * else, and the times say nothing about the product.
 */
async function withTimerLateness(run: () => Promise<Figure[]>): Promise<Figure[]> {
  const lateness = monitorEventLoopDelay({ resolution: TIMER_MS });
  lateness.enable();
  const found = await run();
  lateness.disable();
  return [
    ...found,
    figure('wait of an idle process for its turn, p99', lateness.percentile(99) / 1e6 - TIMER_MS, 'ms'),
  ];
}

async function warmUp(stage: ProbeStage): Promise<void> {
  const warming = watchHealth(stage);
  await pause(WARM_UP_MS);
  await warming.stop();
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof EngineError)) throw error;
  report(error.message);
  process.exitCode = 1;
}
