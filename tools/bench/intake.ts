/**
 * `npm run bench:intake` measures what the content API accepts per second, and how this changes as the tables grow. `--
 * 1` ends the growth at one million rows, for a quick run.
 */
import { resolveEngines } from '../scripts/engines/index.ts';
import { startBenchDatabase } from './intake/database.ts';
import { measureEvents, measureGrowth } from './intake/events.ts';
import { measureItems, measureReads } from './intake/items.ts';
import { measureOrders } from './intake/orders.ts';
import { createLoad } from './support/load.ts';
import { CA_FILE } from './support/receiver.ts';
import { report } from './support/report.ts';
import { liftLimits, startBenchStack } from './support/stack.ts';

const mostMillions = Number(process.argv[2] ?? 20);
const { postgresBinDir } = await resolveEngines({ report: console.error, env: process.env });
const database = await startBenchDatabase(postgresBinDir);
const stack = await startBenchStack(CA_FILE, {
  DATABASE_URL: database.url,
  IP_REQUESTS_PER_MINUTE: '1000000',
  RECONCILE_INTERVAL_SECONDS: '86400',
});
const load = createLoad({ url: stack.contentUrl, key: stack.project.key });
const relay = {
  pause: () => void process.kill(stack.pids['relay'] ?? Number.NaN, 'SIGSTOP'),
  resume: () => void process.kill(stack.pids['relay'] ?? Number.NaN, 'SIGCONT'),
};
try {
  await liftLimits(stack);
  relay.pause();
  const items = await measureItems(load, database);
  const reads = await measureReads(load);
  const events = await measureEvents(load, database, stack.project.id);
  relay.resume();
  const orders = await measureOrders(load, database, relay);
  const growth = await measureGrowth(load, database, stack.project.id, mostMillions);
  report('intake', [...events, ...growth, ...items, ...reads, ...orders]);
} finally {
  relay.resume();
  await load.close();
  await stack.stop();
  await database.stop();
}
