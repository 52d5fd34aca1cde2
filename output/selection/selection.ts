/** The selection process: catalogues in memory that follow their projects, and an HTTP listener for the API. */
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import { createPool } from '../../db/pool.ts';
import type { RunningProcess } from '../../platform/process/lifecycle.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { listen } from '../../platform/process/metrics/metrics.ts';
import { repeat } from '../../platform/process/concurrency/repeat.ts';
import type { Registry } from 'prom-client';
import { Catalogues } from './upkeep/catalogues.ts';
import { CatchUp, FOLLOW_MS } from './upkeep/catchUp.ts';
import { createQueryVectors, NO_QUERY_VECTORS, type QueryEmbedder } from '../search/queryVectors.ts';
import { createSearcher } from '../search/searcher.ts';
import { FOLLOW_MODELS_MS } from './upkeep/modelFollower.ts';
import { createModelSource } from './upkeep/modelSource.ts';
import { AHEAD_MS } from './upkeep/precomputeNeighbours.ts';
import { FOLLOW_TRIALS_MS } from './upkeep/trialsReader.ts';
import { createSelectionMetrics } from './metrics.ts';
import { createSelectionServer } from './server.ts';

const POOL_SIZE = 4;

export interface SelectionSettings {
  databaseUrl: string;
  host: string;
  /** 0 means any free port, for tests. */
  port: number;
  /** Memory limit of all catalogues together, in MB. */
  catalogueMb: number;
  /** The blob store of the models. */
  blobs: BlobStore;
  /** Computes vectors of queries; null means search by words alone. */
  embedder?: QueryEmbedder | null;
  /** The same for the space of pictures. */
  pictureEmbedder?: QueryEmbedder | null;
}

export interface RunningSelection extends RunningProcess {
  port: number;
  catalogues: Catalogues;
}

/** Starts the process. @throws {StartError} when the port is in use */
export async function startSelection(
  { databaseUrl, host, port, catalogueMb, blobs, embedder = null, pictureEmbedder = null }: SelectionSettings,
  logger: Logger,
  registry: Registry,
): Promise<RunningSelection> {
  const pool = createPool({ databaseUrl, size: POOL_SIZE, applicationName: 'attune-selection', looksUpByIndex: true });
  const budgetBytes = catalogueMb * 2 ** 20;
  const models = createModelSource(pool, blobs);
  const catalogues: Catalogues = new Catalogues({
    pool,
    logger,
    budgetBytes,
    models,
    onApplied: (projectId, catalogue, ids) => searcher.onApplied(projectId, catalogue, ids),
  });
  const vectors = embedder === null ? NO_QUERY_VECTORS : createQueryVectors(embedder);
  const pictureQueryVectors = pictureEmbedder === null ? NO_QUERY_VECTORS : createQueryVectors(pictureEmbedder);
  const catchUp = new CatchUp(pool, catalogues);
  const searcher = createSearcher({ pool, logger, catalogues, catchUp, vectors, pictureQueryVectors });
  const onAnswer = createSelectionMetrics(registry, () => catalogues.sizes());
  const server = createSelectionServer({ catalogues, catchUp, searcher, logger, onAnswer });
  await listen(server, { host, port, setting: 'SELECTION_PORT', exclusive: true });
  const following = [
    repeat(FOLLOW_MS, logger, 'following the catalogues', () => catalogues.followAll()),
    repeat(FOLLOW_TRIALS_MS, logger, 'counting the trials of new items', () => catalogues.followTrials()),
    repeat(AHEAD_MS, logger, 'computing neighbour lists ahead', () => catalogues.computeAhead()),
    repeat(FOLLOW_MODELS_MS, logger, 'following the models', () => catalogues.followModels()),
  ];
  const address = server.address();
  return {
    catalogues,
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      await Promise.all([catalogues.close(), searcher.close(), ...following.map((one) => one.close())]);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
      await pool.end();
    },
  };
}
