/**
 * `node scripts/setupTemporal.ts [--retention-days N]`: the namespace of TEMPORAL_NAMESPACE and its search
 * attributes, the one-shot step before the relay and the workers of an installation start. Changes only
 * what differs, so it may run at every start.
 */
import { parseArgs } from 'node:util';
import { Connection } from '@temporalio/client';
import { ConfigError, loadKeylessConfig } from '../config.ts';
import { setUpNamespace } from './temporal/namespace.ts';

/** Closed workflows stay to be looked at for so long; the results themselves are in PostgreSQL. */
const DEFAULT_RETENTION_DAYS = '7';

try {
  const retentionDays = readRetention();
  const { temporalAddress, temporalNamespace } = loadKeylessConfig(process.env);
  const connection = await Connection.connect({ address: temporalAddress, connectTimeout: '10 seconds' });
  try {
    await setUpNamespace(connection, { namespace: temporalNamespace, retentionDays });
  } finally {
    await connection.close();
  }
  process.stdout.write(`the namespace ${temporalNamespace} is ready\n`);
} catch (error) {
  const message =
    error instanceof ConfigError ? error.faults.join('\n') : error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

function readRetention(): number {
  const { values } = parseArgs({ options: { 'retention-days': { type: 'string', default: DEFAULT_RETENTION_DAYS } } });
  const days = Number(values['retention-days']);
  if (Number.isInteger(days) && days >= 1 && days <= 365) return days;
  throw new Error(`--retention-days "${values['retention-days']}" is not a whole number from 1 to 365`);
}
