/** Process: ranks the items of recommendations and searches. */
import { createBlobStore } from '../platform/blobs/createBlobStore.ts';
import { loadKeylessConfig } from '../config.ts';
import { runProcess } from '../platform/process/lifecycle.ts';
import { createRegistry, startMetrics } from '../platform/process/metrics/metrics.ts';
import { createProviders } from '../providers/setup/createProviders.ts';
import type { EmbeddingCapability, PictureEmbedding } from '../providers/types.ts';
import type { QueryEmbedder } from '../output/search/queryVectors.ts';
import { startSelection } from '../output/selection/selection.ts';

function queryEmbedder(capability: EmbeddingCapability | PictureEmbedding): QueryEmbedder {
  return {
    model: capability.model,
    similarityThreshold: capability.similarityThreshold,
    embed: async (query, signal) => (await capability.embedQuery(query, { signal, progress: () => {} })).value,
  };
}

await runProcess('selection', loadKeylessConfig, async (config, logger) => {
  const registry = createRegistry('selection');
  const metrics = await startMetrics(config, registry);
  const {
    providers: { embedding, pictures },
    close: closeProviders,
  } = await createProviders(config);
  const running = await startSelection(
    {
      databaseUrl: config.databaseUrl,
      catalogueMb: config.selection.catalogueMb,
      blobs: createBlobStore(config.blobs, config.workDir),
      embedder: embedding ? queryEmbedder(embedding) : null,
      pictureEmbedder: pictures ? queryEmbedder(pictures) : null,
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
