import type pg from 'pg';
import type { BlobStore } from '../../blobs/store.ts';
import type { Logger } from '../../process/logger.ts';
import type { Solver } from './solver.ts';

/** What the activities of the queue `training` work with. */
export interface TrainingDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  /** Swept at the start of the process: files that a killed one left half written. */
  workDir: string;
  solver: Solver;
  logger: Logger;
}
