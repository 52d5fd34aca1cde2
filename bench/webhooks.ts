/**
 * `npm run bench:webhooks`: from the commit of an event to its receipt, the drain of a backlog, what
 * failing addresses cost, and what failures cost Temporal. `-- --brief` is a quick look, whose figures
 * are not written; `-- --only=drain` takes one measurement (healthy, drain, neighbours, failing);
 * `-- --profile=FOLDER` leaves a CPU profile of every process there.
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
/** The failing ones last: their retries come a minute later. */
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
// Its connections stay, so that their processor time can be told from the product's.
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
