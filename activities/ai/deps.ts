import type pg from 'pg';
import type { BlobStore } from '../../blobs/store.ts';
import type { StepModels } from '../../domain/models.ts';
import type { Logger } from '../../process/logger.ts';
import type { Providers } from '../../providers/types.ts';

/** What the analysis activities work with. */
export interface AiActivityDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  providers: Providers;
  /** What is noted with the results of each step. */
  models: StepModels;
  logger: Logger;
}
