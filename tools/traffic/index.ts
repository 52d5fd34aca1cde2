/**
 * Generates realistic traffic of a shop with a blog, the same for the same seed, for benchmarks, tests and `npm start
 * -- --sample-traffic`. Run directly, it prints the traffic as JSON lines: node tools/traffic/index.ts [--seed 1]
 * [--days 7] [--visitors 100] [--until 2026-11-20T12:00:00Z] [--summary]
 */
import { parseArgs } from 'node:util';
import { createCounter } from './count.ts';
import { generateTraffic } from './generate.ts';
import type { TrafficOptions } from './types.ts';

export { createCounter, type TrafficCounter, type TrafficSummary } from './count.ts';
export { generateTraffic } from './generate.ts';
export { TRAFFIC_GOALS } from './shop/goals.ts';
export { collectBody, collectHeaders } from './toCollectRequest.ts';
export type { TagBatch, TrafficRecord, ServerFact, TrafficOptions } from './types.ts';

export const TRAFFIC_SITE: Pick<TrafficOptions, 'timezone' | 'origin'> = {
  timezone: 'Europe/Moscow',
  origin: 'https://samovar.example',
};

function main(): void {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      days: { type: 'string', default: '7' },
      visitors: { type: 'string', default: '100' },
      until: { type: 'string', default: new Date().toISOString() },
      summary: { type: 'boolean', default: false },
    },
  });
  const options = {
    seed: Number(values.seed),
    days: Number(values.days),
    visitorsPerDay: Number(values.visitors),
    until: Date.parse(values.until),
    ...TRAFFIC_SITE,
  };
  process.stdout.on('error', () => process.exit(0)); // the reader, such as head, has closed the pipe
  const counter = createCounter();
  for (const record of generateTraffic(options)) {
    counter.add(record);
    if (!values.summary) process.stdout.write(`${JSON.stringify(record)}\n`);
  }
  if (values.summary) process.stdout.write(`${JSON.stringify(counter.summary(), null, 2)}\n`);
}

if (import.meta.main) main();
