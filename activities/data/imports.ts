/** Activities of imports, on the queue `data`. */
import type pg from 'pg';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import type { ImportProgress } from '../../domain/jobs/imports.ts';
import type { JobInput } from '../../domain/jobs/jobs.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createLineValidator } from '../../domain/schemas/importLine.ts';
import type { CompileValidator } from '../../domain/schemas/validation.ts';
import { runChunk } from '../runChunk.ts';
import { importNextLines } from './imports/nextLines.ts';

export interface ImportActivityDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  validators: CompileValidator;
  logger: Logger;
}

export function createImportActivities({ pool, blobs, validators, logger }: ImportActivityDeps) {
  const validate = createLineValidator(validators);
  return {
    /** Applies the next lines of an import; does nothing when the import is over. */
    importChunk: (input: JobInput): Promise<ImportProgress> =>
      runChunk(logger, () => importNextLines({ pool, blobs, validate }, input)),
  };
}
