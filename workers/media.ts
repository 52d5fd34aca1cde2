/** Process: fetches and decodes media. CPU-bound, so it runs few at a time. */
import { createDecoder } from '../activities/media/decoderProcess.ts';
import { adoptDownloads } from '../activities/media/keptDownloads.ts';
import { ACTIVITIES_PER_DECODER } from '../activities/media/mediaSlots.ts';
import { createMediaActivities } from '../activities/media/prepare.ts';
import { createBlobStore } from '../platform/blobs/createBlobStore.ts';
import { createPool } from '../db/pool.ts';
import { QUEUES } from '../domain/jobs/queues.ts';
import { registerDiskGauges } from '../platform/process/metrics/diskGauges.ts';
import { loadKeylessConfig } from '../config.ts';
import { runProcess } from '../platform/process/lifecycle.ts';
import { createRegistry, startMetrics } from '../platform/process/metrics/metrics.ts';
import { createOutgoingAgent } from '../platform/process/outgoingAgent.ts';
import { startOnlyWorker } from '../platform/process/temporal/temporalWorkers.ts';
import { sweepWorkDir } from '../platform/disk/workDir.ts';

await runProcess('media', loadKeylessConfig, async (config, logger) => {
  await adoptDownloads(config.workDir);
  await sweepWorkDir(config.workDir);
  const pool = createPool({
    databaseUrl: config.databaseUrl,
    size: config.databasePoolSize,
    applicationName: 'attune-media',
    sendsTogether: true,
  });
  const registry = createRegistry('media');
  registerDiskGauges(registry, { work: config.workDir });
  const metrics = await startMetrics(config, registry);
  const agent = createOutgoingAgent(config, logger, { allowHttp: config.allowHttpMedia });
  const {
    ffmpegPath,
    workDir,
    concurrency: { media: decoders },
  } = config;
  const worker = await startOnlyWorker(config, logger, {
    queue: QUEUES.media,
    activities: createMediaActivities({
      pool,
      blobs: createBlobStore(config.blobs, config.workDir),
      agent,
      decode: await createDecoder(ffmpegPath, workDir, logger),
      decoders,
      workDir,
      logger,
    }),
    concurrency: decoders * ACTIVITIES_PER_DECODER,
    registry,
  });
  return {
    async close() {
      await worker.close();
      await agent.destroy();
      await pool.end();
      await metrics.close();
    },
  };
});
