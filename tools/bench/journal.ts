/**
 * `npm run bench:journal` measures the journal of deliveries at ten million rows. `-- 1` uses one million, for a quick
 * run.
 */
import { resolveEngines } from '../scripts/engines/index.ts';
import { migrate } from '../../db/migrate.ts';
import { createPool } from '../../db/pool.ts';
import { startBenchDatabase } from './intake/database.ts';
import { fillJournal } from './journal/fill.ts';
import { measureHotPath } from './journal/hotPath.ts';
import { measurePages } from './journal/pages.ts';
import { measureBacklogs, measureRemoval } from './journal/upkeep.ts';
import { report } from './support/report.ts';

/** With `minimal`, a table that is filled in the transaction that truncates it is not logged. */
const SETTINGS = { wal_level: 'minimal', max_wal_senders: '0', maintenance_work_mem: '1GB', autovacuum: 'off' };

const rows = Number(process.argv[2] ?? 10) * 1_000_000;
const { postgresBinDir } = await resolveEngines({ report: console.error, env: process.env });
const database = await startBenchDatabase(postgresBinDir, SETTINGS);
await migrate(database.url);
const pool = createPool({ databaseUrl: database.url, size: 2, applicationName: 'attune-bench', looksUpByIndex: true });
try {
  const start = performance.now();
  await fillJournal(database, rows, true);
  const filled = (performance.now() - start) / 1_000;
  console.error(`filled in ${Math.round(filled)} s`);
  const hotPath = await measureHotPath(database);
  const pages = await measurePages(pool);
  const backlogs = await measureBacklogs(pool);
  const removal = await measureRemoval(pool, database);
  report('journal', [
    ...pages,
    ...hotPath,
    ...backlogs,
    ...removal,
    { name: `filling the journal with ${rows / 1_000_000} million`, value: filled, unit: 's', aim: null },
  ]);
} finally {
  await pool.end();
  await database.stop();
}
