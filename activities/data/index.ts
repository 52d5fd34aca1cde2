/** The activities on the queue `data`: longer work on PostgreSQL, in chunks. */
import type pg from 'pg';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { CompileValidator } from '../../domain/schemas/validation.ts';
import { createImportActivities } from './imports.ts';
import { createOrderActivities } from './orders.ts';
import { createRecoveryActivities } from './recovery.ts';
import { createRerunActivities } from './rerun.ts';
import { createUserActivities } from './userHistories.ts';
import { createTrainingRoundActivities } from './trainings.ts';

export interface DataActivityDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  /** Compiles the validators for the lines of imports. */
  validators: CompileValidator;
  logger: Logger;
  /** Maximum number of items that one rerun queues per second. */
  rerunItemsPerSecond?: number;
}

export type DataActivities = ReturnType<typeof createDataActivities>;

export function createDataActivities(deps: DataActivityDeps) {
  return {
    ...createImportActivities(deps),
    ...createOrderActivities(deps),
    ...createRecoveryActivities(deps),
    ...createRerunActivities(deps),
    ...createUserActivities(deps),
    ...createTrainingRoundActivities(deps),
  };
}
