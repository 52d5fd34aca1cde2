/** Process: upkeep of the lake on Temporal's schedules, exports of reports, training of recommendation models. */
import { createAnalyticsActivities } from '../activities/analytics/index.ts';
import { createExportActivities } from '../activities/exports/buildExport.ts';
import { createTrainingActivities } from '../activities/training/index.ts';
import { createSolver } from '../activities/training/solver.ts';
import { createBlobStore } from '../platform/blobs/createBlobStore.ts';
import { createPool } from '../db/pool.ts';
import { QUEUES, type Queue } from '../domain/jobs/queues.ts';
import { deriveKey } from '../domain/accounts/secretKeys.ts';
import { registerDiskGauges } from '../platform/process/metrics/diskGauges.ts';
import { loadConfig } from '../config.ts';
import { runProcess } from '../platform/process/lifecycle.ts';
import { createRegistry, startMetrics } from '../platform/process/metrics/metrics.ts';
import { lowerProcessPriority } from '../platform/process/niceness.ts';
import { startOnlyWorker } from '../platform/process/temporal/temporalWorkers.ts';
import { sweepWorkDir } from '../platform/disk/workDir.ts';
import { createReportEngines } from '../reports/engines/index.ts';
import { openLakeWithRetry } from '../reports/lake/index.ts';
import { watchLake } from '../reports/lake/lakeMetrics.ts';
import { ANALYTICS_CONCURRENCY, EXPORTS_CONCURRENCY, TRAININGS_CONCURRENCY } from './concurrency.ts';

const POOL_SIZE = 7;

await runProcess('analytics', loadConfig, async (config, logger) => {
  const { mail, workDir } = config;
  await Promise.all([sweepWorkDir(config.lake.tempDir), sweepWorkDir(workDir)]);
  const pool = createPool({ databaseUrl: config.databaseUrl, size: POOL_SIZE, applicationName: 'attune-analytics' });
  const registry = createRegistry('analytics');
  registerDiskGauges(registry, { work: workDir });
  const metrics = await startMetrics(config, registry);
  const lake = await openLakeWithRetry(config.lake, logger);
  watchLake(registry, pool);
  const engines = { ...config.reports, engines: EXPORTS_CONCURRENCY };
  const reports = createReportEngines(engines, logger, { registry, isPatient: true });
  const blobs = createBlobStore(config.blobs, workDir);
  const solver = createSolver();
  const startWorker = (queue: Queue, activities: object, concurrency: number) =>
    startOnlyWorker(config, logger, { queue, activities, concurrency, registry });
  const ledgerKey = deriveKey(config.secretKey, 'deletion-ledger');
  const upkeep = createAnalyticsActivities({ pool, lake, ledgerKey, factMonths: config.factRetentionMonths, logger });
  const exporting = createExportActivities({ pool, blobs, workDir, reports, tellsByMail: mail !== null, logger });
  const training = createTrainingActivities({ pool, blobs, workDir, solver, logger });
  const workers = await Promise.all([
    startWorker(QUEUES.analytics, upkeep, ANALYTICS_CONCURRENCY),
    startWorker(QUEUES.exports, exporting, EXPORTS_CONCURRENCY),
    startWorker(QUEUES.training, training, TRAININGS_CONCURRENCY),
  ]);
  // The priority is lowered only now: the start has a time limit, however busy the machine is.
  lowerProcessPriority();
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
