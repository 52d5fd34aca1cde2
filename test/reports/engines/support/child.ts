/**
 * A process with an engine whose report does what its first metric says. `whole` as the second metric restricts
 * that to reports that are not sampled. With `cold` as the folder of its files it cannot get ready for the first
 * report.
 */
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { basename, dirname } from 'node:path';
import { serveReports } from '../../../../reports/engines/serve.ts';
import { interruptOn } from '../../../../reports/run/interrupt.ts';
import { warm } from '../../../../reports/run/warmUp.ts';
import { statFields } from '../../../support/programs/statFields.ts';

/** Minutes of work on any machine. */
const HEAVY = 'select sum(hash(a.range, b.range) % 7) from range(10000000) a, range(1000000) b';
/** More memory and disk than the tests' engines may use. */
const HUGE = 'select len(list(range)) from range(200000000)';

/** Returns the least niceness of all threads on Linux. */
function leastNiceness(): number {
  if (process.platform !== 'linux') return getPriority();
  return Math.min(...readdirSync('/proc/self/task').map((thread) => statFields(`self/task/${thread}`)(19)));
}

serveReports(
  async (lake, { kind, request, site, options: { sampled } }, signal) => {
    if (kind !== 'report') throw new Error('not a report');
    const [what = '', when = 'always'] = request.metrics;
    const totals = [process.pid, leastNiceness()];
    await lake.withConnection(async (connection) => {
      if (sampled && when === 'whole') return;
      const stopListening = interruptOn(connection, signal);
      if (what === 'heavy') await connection.query(HEAVY).finally(stopListening);
      stopListening();
      if (what === 'huge') await connection.query(HUGE);
      if (what === 'postgres') await connection.query(`from postgres_query('pg', 'select 1')`);
      if (what === 'file') await connection.query(`from read_text('/proc/${process.ppid}/environ')`);
      if (what === 'pattern') await connection.query(`select regexp_matches('a', $1)`, ['a{1000}{1000}']);
      if (what === 'wrong') await connection.query('select no_such_column');
      if (what === 'crash') process.kill(process.pid, 'SIGKILL');
      if (what === 'deaf') for (;;);
      if (what === 'sleep') await connection.query(`from postgres_query('pg', 'select pg_sleep(3600)::text as word')`);
      // Ends like V8 with a full heap, but without its message, which Jest would take for its own worker's.
      if (what === 'heap') process.kill(process.pid, 'SIGABRT');
      if (what === 'long')
        await connection.query('select repeat(range::VARCHAR, 100) as word from range(10000)', [], {
          maxCharacters: 1_000_000,
        });
    });
    const names = what === 'environment' ? Object.keys(process.env) : [site.siteId];
    return {
      data: Array.from({ length: request.limit }, () => ({ dimensions: names, metrics: [1] })),
      totals,
      sampled,
      timezone: site.timezone,
      rows: 0,
    };
  },
  async (lake) => {
    if (basename(dirname(lake.settings.tempDir)) === 'cold') throw new Error('PostgreSQL went away');
    await warm(lake);
  },
);
