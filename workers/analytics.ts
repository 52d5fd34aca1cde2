/** Process: upkeep of the lake, on the clock of Temporal's schedules, reports that become files, and models of recommendations. */
import { createAnalyticsActivities } from '../activities/analytics/index.ts';
import { createExportActivities } from '../activities/exports/index.ts';
import { createTrainingActivities } from '../activities/training/index.ts';
import { createSolver } from '../activities/training/solver.ts';
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
/** The solver has one thread, and the data of one training in memory. */
const TRAININGS = 1;
const POOL_SIZE = 7;

await runProcess('analytics', async (config, logger) => {
  await Promise.all([sweepWorkDir(config.lake.tempDir), sweepWorkDir(config.workDir)]);
  const pool = createPool({ databaseUrl: config.databaseUrl, size: POOL_SIZE, applicationName: 'attune-analytics' });
  const registry = createRegistry('analytics');
  registerDiskGauges(registry, { work: config.workDir });
  const metrics = await startMetrics(config, registry);
  const lake = await openLakePatiently(config.lake, logger);
  watchLake(registry, pool);
  const reports = createReportEngines({ ...config.reports, engines: EXPORTS }, logger, { registry, isPatient: true });
  const blobs = createBlobStore(config.blobs, config.workDir);
  const solver = createSolver();
  const exporting = createExportActivities({
    pool,
    blobs,
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
    startOnlyWorker(config, logger, {
      queue: QUEUES.training,
      activities: createTrainingActivities({ pool, blobs, workDir: config.workDir, solver, logger }),
      concurrency: TRAININGS,
      registry,
    }),
  ]);
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await solver.close();
      await reports.close();
      await lake.close();
      await pool.end();
      await metrics.close();
    },
  };
});
