/** Process: upkeep of the lake, on the clock of Temporal's schedules, and reports that become files. */
import { createAnalyticsActivities } from '../activities/analytics/index.ts';
import { createExportActivities } from '../activities/exports/index.ts';
import { createBlobStore } from '../blobs/store.ts';
import { createPool } from '../db/pool.ts';
import { QUEUES } from '../domain/queues.ts';
import { deriveKey } from '../domain/secretKeys.ts';
import { registerDiskGauges } from '../process/diskGauges.ts';
import { runProcess } from '../process/lifecycle.ts';
import { createRegistry, startMetrics } from '../process/metrics.ts';
import { startOnlyWorker } from '../process/temporal.ts';
import { sweepWorkDir } from '../process/workDir.ts';
import { createReportEngines } from '../reports/engines/index.ts';
import { openLakePatiently } from '../reports/lake/index.ts';
import { watchLake } from '../reports/lake/watch.ts';

/** One merge at a time needs all the memory that DuckDB was given; the other place is for what waits. */
const CONCURRENCY = 2;
/** Each has the one engine of this process to itself, and a whole report in memory. */
const EXPORTS = 1;
const POOL_SIZE = 6;

await runProcess('analytics', async (config, logger) => {
  await Promise.all([sweepWorkDir(config.lake.tempDir), sweepWorkDir(config.workDir)]);
  const pool = createPool({ databaseUrl: config.databaseUrl, size: POOL_SIZE, applicationName: 'attune-analytics' });
  const registry = createRegistry('analytics');
  registerDiskGauges(registry, { work: config.workDir });
  const metrics = await startMetrics(config, registry);
  const lake = await openLakePatiently(config.lake, logger);
  watchLake(registry, pool);
  const reports = createReportEngines({ ...config.reports, engines: EXPORTS }, logger, { registry });
  const exporting = createExportActivities({
    pool,
    blobs: createBlobStore(config.blobs, config.workDir),
    workDir: config.workDir,
    reports,
    tellsByMail: config.mail !== null,
    logger,
  });
  const workers = await Promise.all([
    startOnlyWorker(config, logger, {
      queue: QUEUES.analytics,
      activities: createAnalyticsActivities({
        factMonths: config.factRetentionMonths,
        pool,
        lake,
        ledgerKey: deriveKey(config.secretKey, 'deletion-ledger'),
        logger,
      }),
      concurrency: CONCURRENCY,
      registry,
    }),
    startOnlyWorker(config, logger, { queue: QUEUES.exports, activities: exporting, concurrency: EXPORTS, registry }),
  ]);
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await reports.close();
      await lake.close();
      await pool.end();
      await metrics.close();
    },
  };
});
