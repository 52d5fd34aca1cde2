/**
 * `npm run oracle:output`: compares random recommendations and searches with the naive model of what may be shown; `--
 * 20000 7` sends 20,000 requests, starting with world 7. The suite runs a few (test/output/oracle).
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const [runs = '5000', seed = '1'] = process.argv.slice(2);
if (![runs, seed].every((text) => /^[1-9]\d{0,8}$/.test(text))) {
  console.error('npm run oracle:output -- [requests] [first world]: both are whole numbers from 1');
  process.exit(2);
}
const { status } = spawnSync(
  process.execPath,
  [join(import.meta.dirname, '../test.ts'), 'test/output/oracle/oracle.test.ts'],
  { stdio: 'inherit', env: { ...process.env, ATTUNE_ORACLE_RUNS: runs, ATTUNE_ORACLE_SEED: seed } },
);
process.exit(status ?? 1);
