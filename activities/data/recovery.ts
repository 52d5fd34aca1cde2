/** Activities of webhook recoveries, on the queue `data`. */
import type pg from 'pg';
import { recoverPage } from '../../db/webhooks/deliveries/recoveryPages.ts';
import type { JobInput } from '../../domain/jobs/jobs.ts';
import type { RecoveryPage } from '../../domain/webhooks/recovery.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { runChunk } from '../runChunk.ts';

export function createRecoveryActivities({ pool, logger }: { pool: pg.Pool; logger: Logger }) {
  return {
    /** Queues the next deliveries for which there is room; returns the end state when the recovery is already over. */
    recoverNextDeliveries: ({ projectId, entityId }: JobInput): Promise<RecoveryPage> =>
      runChunk(logger, async () => {
        const page = await recoverPage(pool, projectId, entityId);
        if (page.state !== 'running')
          logger.info(
            { projectId, recoveryId: entityId, state: page.state, done: page.done },
            'recovery of a webhook is over',
          );
        return page;
      }),
  };
}
