/** Process: moves data from the tag's inbox to visits and the lake. */
import { startIngest } from '../loops/ingest/ingest.ts';
import { registerDiskGauges } from '../platform/process/metrics/diskGauges.ts';
import { loadKeylessConfig } from '../config.ts';
import { runProcess } from '../platform/process/lifecycle.ts';
import { createRegistry, startMetrics } from '../platform/process/metrics/metrics.ts';
import { sweepWorkDir } from '../platform/disk/workDir.ts';

await runProcess('ingest', loadKeylessConfig, async (config, logger) => {
  const registry = createRegistry('ingest');
  registerDiskGauges(registry, { work: config.lake.tempDir });
  const metrics = await startMetrics(config, registry);
  await sweepWorkDir(config.lake.tempDir);
  const { databaseUrl, lake, enrich, ingest } = config;
  const running = await startIngest({ databaseUrl, lake, enrich, ...ingest }, logger, registry);
  return {
    async close() {
      await running.close();
      await metrics.close();
    },
  };
});
