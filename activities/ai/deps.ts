import type pg from 'pg';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import type { CallCost } from '../../db/analysis/usage.ts';
import type { StepModels } from '../../domain/analysis/stepModels.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { Providers } from '../../providers/types.ts';

/** Dependencies of the analysis activities. */
export interface AiActivityDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  providers: Providers;
  /** Models that are recorded with the results of each step. */
  models: StepModels;
  logger: Logger;
  /** Receives the costs of calls, which are otherwise stored one by one. */
  collectCost?: (cost: CallCost) => void;
}
