/**
 * `npm run bench:webhooks` measures deliveries from the commit of an event to its receipt, the drain of a backlog, the
 * cost of failing addresses, and the cost of failures for Temporal. `-- --brief` is a quick run that writes no figures;
 * `-- --only=drain` runs one measurement (healthy, drain, neighbours, failing); `-- --profile=FOLDER` saves a CPU
 * profile of every process there.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { CA_FILE } from './support/receiver.ts';
import { printFigures, report, type Figure } from './support/report.ts';
import { startBenchStack } from './support/stack.ts';
import type { Bench } from './webhooks/bench.ts';
import { measureDrain } from './webhooks/drain.ts';
import { measureFailing } from './webhooks/failing.ts';
import { SECRET_KEY } from './webhooks/hooks.ts';
import { measureHealthy } from './webhooks/latency.ts';
import { measureNeighbours } from './webhooks/neighbours.ts';
import { startReceiver } from './webhooks/receiver.ts';

const ADDRESSES = 5;
const CONNECTIONS = 8;
/** The failing ones are last, because their retries follow soon. */
const MEASUREMENTS = {
  healthy: measureHealthy,
  drain: measureDrain,
  neighbours: measureNeighbours,
  failing: measureFailing,
};

const { values } = parseArgs({
  options: {
    brief: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    profile: { type: 'string' },
  },
});
const chosen = Object.entries(MEASUREMENTS).filter(([name]) => values.only?.includes(name) ?? true);
const receiver = await startReceiver(ADDRESSES);
const stack = await startBenchStack(CA_FILE, {
  SECRET_KEY,
  ...(values.profile !== undefined && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(values.profile)}` }),
});
// Its connections stay open, so that their processor time is separable from the product's.
const pool = new pg.Pool({
  connectionString: stack.databaseUrl,
  max: CONNECTIONS,
  idleTimeoutMillis: 0,
  application_name: 'attune-bench',
});
const bench: Bench = { stack, pool, receiver, seconds: values.brief ? 10 : 60, rounds: values.brief ? 1 : 2 };
try {
  const figures: Figure[] = [];
  for (const [, measure] of chosen) figures.push(...(await measure(bench)));
  if (values.brief || values.only || values.profile) printFigures(figures);
  else report('webhooks', figures);
} finally {
  await pool.end();
  await stack.stop();
  receiver.close();
}
