/** Activities that move or delete the histories of end users, on the queue `data`. */
import type pg from 'pg';
import { moveHistoryChunk } from '../../db/people/moveHistory.ts';
import { purgeChunk } from '../../db/people/purge.ts';
import type { JobInput } from '../../domain/jobs/jobs.ts';
import type { PassChunk } from '../../domain/people/historyPasses.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { runChunk } from '../runChunk.ts';

/** Rows per transaction: few enough that it takes well under a second. */
const CHUNK = 5_000;

export function createUserActivities({ pool, logger }: { pool: pg.Pool; logger: Logger }) {
  return {
    /** Moves the next rows of a linked device to its user. */
    moveHistory: ({ projectId, entityId }: JobInput, isLastPass: boolean): Promise<PassChunk> =>
      runChunk(logger, () => moveHistoryChunk(pool, { projectId, deviceId: entityId, limit: CHUNK, isLastPass })),

    /** Erases the next rows of a deleted user. */
    purgeUser: ({ projectId, entityId }: JobInput, isLastPass: boolean): Promise<PassChunk> =>
      runChunk(logger, () => purgeChunk(pool, { projectId, rootId: entityId, limit: CHUNK, isLastPass })),
  };
}
