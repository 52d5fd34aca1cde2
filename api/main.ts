/** Process: the API. */
import { createBlobStore } from '../platform/blobs/createBlobStore.ts';
import { createPool, INTAKE_STATEMENT_TIMEOUT_MS } from '../db/pool.ts';
import { createSystemResolver } from '../platform/outgoing/resolve.ts';
import { foldersOf } from '../platform/process/metrics/disks.ts';
import { registerDiskGauges } from '../platform/process/metrics/diskGauges.ts';
import { loadConfig } from '../config.ts';
import { runProcess } from '../platform/process/lifecycle.ts';
import { createRegistry, startMetrics } from '../platform/process/metrics/metrics.ts';
import { addressRules } from '../platform/process/addressRules.ts';
import { logOpenNetworks } from '../platform/process/outgoingAgent.ts';
import { sweepWorkDir } from '../platform/disk/workDir.ts';
import { createReportEngines } from '../reports/engines/index.ts';
import { registerDatabaseMetrics } from './databaseMetrics.ts';
import { createLimiterPool } from './http/limits/rateLimiterPostgres.ts';
import { createApi } from './server.ts';

await runProcess('api', loadConfig, async (config, logger) => {
  await sweepWorkDir(config.workDir);
  const pool = createPool({
    databaseUrl: config.databaseUrl,
    size: config.databasePoolSize,
    applicationName: 'attune-api',
    statementTimeoutMs: INTAKE_STATEMENT_TIMEOUT_MS,
    looksUpByIndex: true,
  });
  const registry = createRegistry('api');
  registerDatabaseMetrics(registry, pool);
  registerDiskGauges(registry, foldersOf(config));
  const limiterPool = config.rateLimits === 'postgres' ? createLimiterPool(config.databaseUrl) : null;
  const reports = createReportEngines(config.reports, logger, { registry });
  logOpenNetworks(config, logger);
  const api = createApi({
    config,
    pool,
    limiterPool,
    logger,
    registry,
    reports,
    blobs: createBlobStore(config.blobs, config.workDir),
    addressRules: addressRules(config),
    resolve: createSystemResolver(),
  });
  const metrics = await startMetrics(config, registry);
  await api.listen();
  logger.info({ host: config.host, port: config.port }, 'listening');
  return {
    async close() {
      await api.close();
      await reports.close();
      await metrics.close();
      await pool.end();
      await limiterPool?.end();
    },
  };
});
