/** Migrates the database of DATABASE_URL: the one-shot step before the processes of an installation start. */
import { ConfigError, loadKeylessConfig } from '../../config.ts';
import { migrate } from '../../db/migrate.ts';
import { grantReports } from '../../db/reports/enginePrivileges.ts';

try {
  const { databaseUrl, reports } = loadKeylessConfig(process.env);
  const newer = await migrate(databaseUrl);
  if (newer.length > 0)
    process.stdout.write(`a newer release has already added to the database: ${newer.join(', ')}\n`);
  await grantReports(databaseUrl, reports.lake.databaseUrl);
  process.stdout.write('the database is up to date\n');
} catch (error) {
  process.stderr.write(`${describeFault(error)}\n`);
  process.exitCode = 1;
}

/**
 * Formats one line per fault. The cause has the database's message; the product's own errors never contain the address.
 */
function describeFault(error: unknown): string {
  if (error instanceof ConfigError) return error.faults.join('\n');
  if (!(error instanceof Error)) return String(error);
  // A refused connection is an AggregateError without a message of its own.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeFault).join('; ');
  return error.cause === undefined ? error.message : `${error.message}: ${describeFault(error.cause)}`;
}
