/** Process: longer work on PostgreSQL, in chunks. */
import { createDataActivities } from '../activities/data/index.ts';
import { createBlobStore } from '../blobs/store.ts';
import { createPool } from '../db/pool.ts';
import { QUEUES } from '../domain/queues.ts';
import { runProcess } from '../process/lifecycle.ts';
import { createRegistry, startMetrics } from '../process/metrics.ts';
import { startOnlyWorker } from '../process/temporal.ts';

await runProcess('data', async (config, logger) => {
  const pool = createPool({ databaseUrl: config.databaseUrl, size: config.databasePoolSize, applicationName: 'attune-data' });
  const registry = createRegistry('data');
  const metrics = await startMetrics(config, registry);
  const worker = await startOnlyWorker(config, logger, {
    queue: QUEUES.data,
    activities: createDataActivities({ pool, blobs: createBlobStore(config.blobs, config.workDir), logger }),
    concurrency: config.concurrency.data,
    registry,
  });
  return {
    async close() {
      await worker.close();
      await pool.end();
      await metrics.close();
    },
  };
});
