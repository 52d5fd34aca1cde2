/**
 * Measures what one API process accepts: hits per second in batches of 1, 10 and 50, and its latency at half of that
 * rate.
 */
import { percentile, type Figure } from '../support/report.ts';
import type { CollectStage } from './stage.ts';

const BATCHES = [1, 10, 50];
/** Number of concurrent requests: hits come from many browsers at once. */
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 3;
const AIM = 5_000;

export async function measureAccept(stage: CollectStage): Promise<Figure[]> {
  const figures: Figure[] = [];
  await stage.load({ events: 10, connections: CONNECTIONS, seconds: WARM_UP_SECONDS, pace: null });
  for (const events of BATCHES) figures.push(...(await measureBatch(stage, events)));
  return figures;
}

async function measureBatch(stage: CollectStage, events: number): Promise<Figure[]> {
  // Empties the inbox, as if the ingest kept up.
  await stage.database.query('truncate collect_inbox');
  const before = await stage.processorTime();
  const full = await stage.load({ events, connections: CONNECTIONS, seconds: stage.seconds, pace: null });
  const after = await stage.processorTime();
  const microseconds = (who: 'api' | 'postgres'): number => ((after[who] - before[who]) * 1e6) / full.events;
  const perSecond = full.events / full.seconds;
  await stage.database.query('truncate collect_inbox');
  const half = await stage.load({
    events,
    connections: CONNECTIONS,
    seconds: stage.seconds,
    pace: perSecond / events / 2,
  });
  const name = `in batches of ${events}`;
  return [
    { name: `hits accepted ${name}, one API process`, value: perSecond, unit: 'hits/s', aim: `>= ${AIM}` },
    { name: `requests accepted ${name}`, value: perSecond / events, unit: 'requests/s', aim: null },
    { name: `processor time of a hit ${name}, API`, value: microseconds('api'), unit: 'µs', aim: null },
    { name: `processor time of a hit ${name}, PostgreSQL`, value: microseconds('postgres'), unit: 'µs', aim: null },
    { name: `answer ${name}, at full load, p50`, value: percentile(full.latencies, 50), unit: 'ms', aim: null },
    { name: `answer ${name}, at full load, p99`, value: percentile(full.latencies, 99), unit: 'ms', aim: null },
    { name: `answer ${name}, at half load, p50`, value: percentile(half.latencies, 50), unit: 'ms', aim: null },
    { name: `answer ${name}, at half load, p99`, value: percentile(half.latencies, 99), unit: 'ms', aim: null },
  ];
}
