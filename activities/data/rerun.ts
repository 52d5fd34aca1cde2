/** Activities that analyse a project's items again, on the queue `data`. */
import type pg from 'pg';
import { rerunPage } from '../../db/reruns/reruns.ts';
import type { JobInput } from '../../domain/jobs/jobs.ts';
import { RERUN_ITEMS_PER_SECOND, type RerunPage } from '../../domain/items/reruns.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { runChunk } from '../runChunk.ts';

const ROUND_PAUSE_MS = 60_000;

export interface RerunActivityDeps {
  pool: pg.Pool;
  logger: Logger;
  rerunItemsPerSecond?: number;
  /** See `RerunPace`; one minute, which tests shorten. */
  rerunRoundPauseMs?: number;
}

export function createRerunActivities({
  pool,
  logger,
  rerunItemsPerSecond = RERUN_ITEMS_PER_SECOND,
  rerunRoundPauseMs = ROUND_PAUSE_MS,
}: RerunActivityDeps) {
  return {
    /** Queues the next items; returns the end state when the rerun is already over. */
    rerunNextItems: ({ projectId, entityId }: JobInput): Promise<RerunPage> =>
      runChunk(logger, () =>
        rerunPage(pool, projectId, entityId, { itemsPerSecond: rerunItemsPerSecond, roundPauseMs: rerunRoundPauseMs }),
      ),
  };
}
