import type pg from 'pg';
import type { BlobStore } from '../../blobs/store.ts';
import type { Logger } from '../../process/logger.ts';
import type { Providers } from '../../providers/types.ts';

/** What the analysis activities work with. */
export interface AiActivityDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  providers: Providers;
  logger: Logger;
}
