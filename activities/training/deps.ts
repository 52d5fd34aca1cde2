import type pg from 'pg';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { Solver } from './solver.ts';

/** Dependencies of the activities on the queue `training`. */
export interface TrainingDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  /** Cleaned when the process starts: a killed process may have left partial files. */
  workDir: string;
  solver: Solver;
  logger: Logger;
}
