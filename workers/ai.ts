/** Process: analysis by providers. */
import { createAiActivities } from '../activities/ai/index.ts';
import { checkProvidersOnDemand } from '../activities/ai/checkProviders.ts';
import { recordModelsOnce } from '../activities/ai/recordModels.ts';
import { createBlobStore } from '../platform/blobs/createBlobStore.ts';
import { createPool } from '../db/pool.ts';
import { QUEUES } from '../domain/jobs/queues.ts';
import { registerDiskGauges } from '../platform/process/metrics/diskGauges.ts';
import { loadKeylessConfig } from '../config.ts';
import { runProcess } from '../platform/process/lifecycle.ts';
import { createRegistry, startMetrics } from '../platform/process/metrics/metrics.ts';
import { restrictSharp } from '../platform/process/decoders/sharp.ts';
import { startOnlyWorker } from '../platform/process/temporal/temporalWorkers.ts';
import { sweepWorkDir } from '../platform/disk/workDir.ts';
import { modelsOf, remarksOn } from '../providers/setup/modelNames.ts';
import { createProviders } from '../providers/setup/createProviders.ts';

await runProcess('ai', loadKeylessConfig, async (config, logger) => {
  restrictSharp();
  await sweepWorkDir(config.workDir);
  const pool = createPool({
    databaseUrl: config.databaseUrl,
    size: config.databasePoolSize,
    applicationName: 'attune-ai',
    sendsTogether: true,
  });
  const registry = createRegistry('ai');
  registerDiskGauges(registry, { work: config.workDir });
  const metrics = await startMetrics(config, registry);
  const { providers, close } = await createProviders(config);
  const models = modelsOf(config);
  logger.info({ models }, 'models of the analysis');
  for (const remark of remarksOn(config)) logger.warn(remark);
  const modelRecorder = recordModelsOnce(pool, models, logger);
  const checking = checkProvidersOnDemand(pool, { ...config, providers }, logger);
  const worker = await startOnlyWorker(config, logger, {
    queue: QUEUES.ai,
    activities: createAiActivities({
      pool,
      blobs: createBlobStore(config.blobs, config.workDir),
      providers,
      models,
      logger,
    }),
    concurrency: config.concurrency.ai,
    registry,
  });
  return {
    async close() {
      await Promise.all([modelRecorder.close(), checking.close(), worker.close()]);
      await close();
      await pool.end();
      await metrics.close();
    },
  };
});
