/**
 * Process: maintenance of the lake on Temporal's schedules, reports as files, and training of recommendation models.
 */
import { createAnalyticsActivities } from '../activities/analytics/index.ts';
import { createExportActivities } from '../activities/exports/index.ts';
import { createTrainingActivities } from '../activities/training/index.ts';
import { createSolver } from '../activities/training/solver.ts';
import { createBlobStore } from '../platform/blobs/createBlobStore.ts';
import { createPool } from '../db/pool.ts';
import { QUEUES } from '../domain/jobs/queues.ts';
import { deriveKey } from '../domain/accounts/secretKeys.ts';
import { registerDiskGauges } from '../platform/process/diskGauges.ts';
import { loadConfig } from '../config.ts';
import { runProcess } from '../platform/process/lifecycle.ts';
import { createRegistry, startMetrics } from '../platform/process/metrics.ts';
import { stepProcessBack } from '../platform/process/niceness.ts';
import { startOnlyWorker } from '../platform/process/temporalWorkers.ts';
import { sweepWorkDir } from '../platform/process/workDir.ts';
import { createReportEngines } from '../reports/engines/index.ts';
import { openLakePatiently } from '../reports/lake/index.ts';
import { watchLake } from '../reports/lake/metrics.ts';

/**
 * A merge needs all the memory that DuckDB was given, so only one runs at a time; the other slot is for activities that
 * wait.
 */
const CONCURRENCY = 2;
/** Each export uses the only engine of this process, and holds a whole report in memory. */
const EXPORTS = 1;
/** The solver has one thread and holds the data of one training in memory. */
const TRAININGS = 1;
const POOL_SIZE = 7;

await runProcess('analytics', loadConfig, async (config, logger) => {
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
  // The priority is lowered only now: the start has a time limit, however busy the machine is.
  stepProcessBack();
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
