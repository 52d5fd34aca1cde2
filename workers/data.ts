/** Process: longer work on PostgreSQL, in chunks. */
import { createDataActivities } from '../activities/data/index.ts';
import { createBlobStore } from '../platform/blobs/createBlobStore.ts';
import { createPool } from '../db/pool.ts';
import { QUEUES } from '../domain/jobs/queues.ts';
import { mediaUrlCheck } from '../platform/outgoing/url.ts';
import { loadKeylessConfig } from '../config.ts';
import { runProcess } from '../platform/process/lifecycle.ts';
import { createRegistry, startMetrics } from '../platform/process/metrics/metrics.ts';
import { addressRules } from '../platform/process/addressRules.ts';
import { startOnlyWorker } from '../platform/process/temporal/temporalWorkers.ts';
import { createValidators } from '../domain/schemas/validation.ts';

await runProcess('data', loadKeylessConfig, async (config, logger) => {
  const pool = createPool({
    databaseUrl: config.databaseUrl,
    size: config.databasePoolSize,
    applicationName: 'attune-data',
    looksUpByIndex: true,
  });
  const registry = createRegistry('data');
  const metrics = await startMetrics(config, registry);
  const validators = createValidators({
    isMediaUrl: mediaUrlCheck(addressRules(config), { allowHttp: config.allowHttpMedia }),
  });
  const worker = await startOnlyWorker(config, logger, {
    queue: QUEUES.data,
    activities: createDataActivities({
      pool,
      blobs: createBlobStore(config.blobs, config.workDir),
      validators,
      logger,
      rerunItemsPerSecond: config.rerunItemsPerSecond,
    }),
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
