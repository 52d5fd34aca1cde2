/** Process: upkeep of the lake, on the clock of Temporal's schedules. */
import { createAnalyticsActivities } from '../activities/analytics/index.ts';
import { createPool } from '../db/pool.ts';
import { QUEUES } from '../domain/queues.ts';
import { runProcess } from '../process/lifecycle.ts';
import { createRegistry, startMetrics } from '../process/metrics.ts';
import { startOnlyWorker } from '../process/temporal.ts';
import { sweepWorkDir } from '../process/workDir.ts';
import { openLakePatiently } from '../reports/lake/index.ts';
import { watchLake } from '../reports/lake/watch.ts';

/** One merge at a time needs all the memory that DuckDB was given; the other place is for what waits. */
const CONCURRENCY = 2;
const POOL_SIZE = 4;

await runProcess('analytics', async (config, logger) => {
  await sweepWorkDir(config.lake.tempDir);
  const pool = createPool({ databaseUrl: config.databaseUrl, size: POOL_SIZE, applicationName: 'attune-analytics' });
  const registry = createRegistry('analytics');
  const metrics = await startMetrics(config, registry);
  const lake = await openLakePatiently(config.lake, logger);
  watchLake(registry, pool);
  const worker = await startOnlyWorker(config, logger, { queue: QUEUES.analytics, activities: createAnalyticsActivities({ pool, lake, logger }), concurrency: CONCURRENCY, registry });
  return {
    async close() {
      await worker.close();
      await lake.close();
      await pool.end();
      await metrics.close();
    },
  };
});
