/** Process: workflow tasks, and the short database activities that run beside them. */
import { createItemStepActivities } from '../activities/data/itemSteps.ts';
import { createPool } from '../db/pool.ts';
import { QUEUES } from '../domain/queues.ts';
import { runProcess } from '../process/lifecycle.ts';
import { createRegistry, startMetrics } from '../process/metrics.ts';
import { pathOf, startTemporalWorker } from '../process/temporal.ts';

await runProcess('workflow', async (config, logger) => {
  const pool = createPool({ databaseUrl: config.databaseUrl, size: config.databasePoolSize, applicationName: 'attune-workflow' });
  const registry = createRegistry('workflow');
  const metrics = await startMetrics(config.metricsPort, registry);
  const worker = await startTemporalWorker(config, logger, {
    queue: QUEUES.workflow,
    activities: createItemStepActivities(pool),
    concurrency: config.databasePoolSize,
    registry,
    workflowsPath: pathOf(import.meta.url, '../workflows/index.ts'),
  });
  return {
    async close() {
      await worker.close();
      await pool.end();
      await metrics.close();
    },
  };
});
