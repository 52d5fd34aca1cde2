/**
 * `npm run oracle`: compares random reports with the naive evaluator for as long as you like; `-- 20000` sets the
 * number of requests, and a second number the seed of the first generated world. The suite runs a few
 * (test/reports/oracle).
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const [runs = '2000', seed = '1'] = process.argv.slice(2);
if (![runs, seed].every((text) => /^[1-9]\d{0,8}$/.test(text))) {
  console.error('npm run oracle -- [requests] [first world]: both are whole numbers from 1');
  process.exit(2);
}
const { status } = spawnSync(
  process.execPath,
  [join(import.meta.dirname, '../test.ts'), 'test/reports/oracle/oracle.test.ts'],
  { stdio: 'inherit', env: { ...process.env, ATTUNE_ORACLE_RUNS: runs, ATTUNE_ORACLE_SEED: seed } },
);
process.exit(status ?? 1);
