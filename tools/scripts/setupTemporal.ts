/**
 * `node tools/scripts/setupTemporal.ts [--retention-days N]`: sets up the namespace of TEMPORAL_NAMESPACE and its
 * search attributes, the one-shot step before the relay and the workers of an installation start. It changes only what
 * differs, so it may run at every start. With `--verify` it changes nothing and names what is missing, for a server
 * whose namespaces are administered elsewhere.
 */
import { parseArgs } from 'node:util';
import { Connection } from '@temporalio/client';
import { ConfigError, loadKeylessConfig } from '../../config.ts';
import { connectionOptions } from '../../platform/process/temporal/temporalConnection.ts';
import { setUpNamespace, verifyNamespace } from './temporal/namespace.ts';

/** How long closed workflows stay available for inspection; the results themselves are in PostgreSQL. */
const DEFAULT_RETENTION_DAYS = '7';

try {
  const { retentionDays, verify } = readArguments();
  const config = loadKeylessConfig(process.env);
  const namespace = config.temporalNamespace;
  const connection = await Connection.connect({ ...connectionOptions(config), connectTimeout: '10 seconds' });
  try {
    if (verify) await verifyNamespace(connection, namespace);
    else await setUpNamespace(connection, { namespace, retentionDays });
  } finally {
    await connection.close();
  }
  process.stdout.write(`the namespace ${namespace} is ready\n`);
} catch (error) {
  const message =
    error instanceof ConfigError ? error.faults.join('\n') : error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

function readArguments(): { retentionDays: number; verify: boolean } {
  const { values } = parseArgs({
    options: {
      'retention-days': { type: 'string', default: DEFAULT_RETENTION_DAYS },
      verify: { type: 'boolean', default: false },
    },
  });
  const retentionDays = Number(values['retention-days']);
  if (Number.isInteger(retentionDays) && retentionDays >= 1 && retentionDays <= 365)
    return { retentionDays, verify: values.verify };
  throw new Error(`--retention-days "${values['retention-days']}" is not a whole number from 1 to 365`);
}
