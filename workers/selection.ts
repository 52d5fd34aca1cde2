/** Process: ranks what recommendations and searches show. */
import { createBlobStore } from '../blobs/store.ts';
import { runKeylessProcess } from '../process/lifecycle.ts';
import { createRegistry, startMetrics } from '../process/metrics.ts';
import { createProviders } from '../providers/index.ts';
import { startSelection } from '../output/selection/selection.ts';

await runKeylessProcess('selection', async (config, logger) => {
  const registry = createRegistry('selection');
  const metrics = await startMetrics(config, registry);
  const {
    providers: { embedding },
    close: closeProviders,
  } = await createProviders(config);
  const running = await startSelection(
    {
      databaseUrl: config.databaseUrl,
      catalogueMb: config.selection.catalogueMb,
      blobs: createBlobStore(config.blobs, config.workDir),
      embedder: embedding
        ? {
            model: embedding.model,
            similarityThreshold: embedding.similarityThreshold,
            embed: async (query, signal) => (await embedding.embedQuery(query, { signal, progress: () => {} })).value,
          }
        : null,
      ...config.selection.listen,
    },
    logger,
    registry,
  );
  return {
    async close() {
      await running.close();
      await closeProviders();
      await metrics.close();
    },
  };
});
