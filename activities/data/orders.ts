/** Activities of orders, on the queue `data`. */
import type pg from 'pg';
import { expandRequest, type ExpandedChunk } from '../../db/orders/expandOrders.ts';
import type { JobInput } from '../../domain/jobs/jobs.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { runChunk } from '../runChunk.ts';

/** Orders per transaction: few enough that a write to one of them does not wait long. */
const CHUNK = 100;

export function createOrderActivities({ pool, logger }: { pool: pg.Pool; logger: Logger }) {
  return {
    /** Expands the next orders of a request; `isDone` when none are left. */
    expandOrdersChunk: ({ projectId, entityId }: JobInput): Promise<ExpandedChunk> =>
      runChunk(logger, () => expandRequest(pool, projectId, entityId, CHUNK)),
  };
}
