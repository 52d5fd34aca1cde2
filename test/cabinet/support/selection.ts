/** A selection process for pages that request recommendations. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { startSelection } from '../../../output/selection/selection.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { embedText } from '../../../providers/builtin/embedding/embed.ts';
import { MODELS } from '../../../providers/builtin/modelVersions.ts';

/** @param port that the API was configured with */
export async function startLabSelection(databaseUrl: string, port: number): Promise<{ close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-models-'));
  const running = await startSelection(
    {
      databaseUrl,
      host: '127.0.0.1',
      port,
      catalogueMb: 64,
      blobs: createLocalBlobStore(folder),
      embedder: {
        model: MODELS.embedding,
        similarityThreshold: 0.2,
        embed: (text) => Promise.resolve(embedText(text) ?? new Float32Array(0)),
      },
    },
    createLogger('selection', 'silent'),
    new Registry(),
  );
  return {
    async close() {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
