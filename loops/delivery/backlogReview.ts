/** Reviews the backlogs every few seconds (db/webhooks/backlog.ts). Safe to run in several workers at once. */
import type pg from 'pg';
import { reviewBacklogs } from '../../db/webhooks/backlog.ts';
import { BACKLOG_REVIEW_MS } from '../../domain/webhooks/backlog.ts';
import type { RunningProcess } from '../../platform/process/lifecycle.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { repeat } from '../../platform/process/concurrency/repeat.ts';

export function startBacklogReview(pool: pg.Pool, logger: Logger): RunningProcess {
  return repeat(BACKLOG_REVIEW_MS, logger, 'reviewing webhook backlogs', async () => {
    for (const { paused, ...webhook } of await reviewBacklogs(pool)) {
      logger.warn(
        webhook,
        paused
          ? 'backlog too long: new events of the webhook are dropped'
          : 'backlog is short again: events are queued',
      );
    }
  });
}
