/** Process: workflow tasks, and the short activities that run in the same process. */
import { createShortTextActivity } from '../activities/ai/analyseShortText.ts';
import { createAiActivities } from '../activities/ai/index.ts';
import { createExportStepActivities } from '../activities/data/exportSteps.ts';
import { createItemStepActivities } from '../activities/data/itemSteps.ts';
import { createBlobStore } from '../platform/blobs/createBlobStore.ts';
import { createPool } from '../db/pool.ts';
import { QUEUES } from '../domain/jobs/queues.ts';
import { loadKeylessConfig } from '../config.ts';
import { runProcess } from '../platform/process/lifecycle.ts';
import { createRegistry, startMetrics } from '../platform/process/metrics/metrics.ts';
import { pathOf, startOnlyWorker } from '../platform/process/temporal/temporalWorkers.ts';
import { modelsOf } from '../providers/setup/modelNames.ts';
import { createProviders, quickSteps } from '../providers/setup/createProviders.ts';

await runProcess('workflow', loadKeylessConfig, async (config, logger) => {
  const pool = createPool({
    databaseUrl: config.databaseUrl,
    size: config.databasePoolSize,
    applicationName: 'attune-workflow',
    sendsTogether: true,
  });
  const registry = createRegistry('workflow');
  const metrics = await startMetrics(config, registry);
  const { providers, close } = await createProviders(config);
  const ai = {
    pool,
    blobs: createBlobStore(config.blobs, config.workDir),
    providers,
    models: modelsOf(config),
    logger,
  };
  const quick = quickSteps(config);
  const worker = await startOnlyWorker(config, logger, {
    queue: QUEUES.workflow,
    activities: {
      ...createItemStepActivities(pool, quick),
      ...createShortTextActivity(ai, { quickSteps: quick }),
      ...createExportStepActivities(pool),
      ...createAiActivities(ai),
    },
    concurrency: config.databasePoolSize,
    registry,
    workflowsPath: pathOf(import.meta.url, '../workflows/index.ts'),
  });
  return {
    async close() {
      await worker.close();
      await close();
      await pool.end();
      await metrics.close();
    },
  };
});
