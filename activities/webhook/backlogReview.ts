/** Reviews the backlogs every few seconds (db/webhookBacklog.ts). Safe in several workers at once. */
import type pg from 'pg';
import { reviewBacklogs } from '../../db/webhookBacklog.ts';
import type { Logger } from '../../process/logger.ts';

const INTERVAL_MS = 5_000;

/** Starts the reviews; the returned function stops them and waits for the one in hand. */
export function startBacklogReview(pool: pg.Pool, logger: Logger, intervalMs = INTERVAL_MS): () => Promise<void> {
  let reviewing: Promise<void> | null = null;
  const timer = setInterval(() => {
    reviewing ??= review(pool, logger).finally(() => {
      reviewing = null;
    });
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    await reviewing;
  };
}

async function review(pool: pg.Pool, logger: Logger): Promise<void> {
  try {
    for (const { paused, ...webhook } of await reviewBacklogs(pool)) {
      logger.warn(webhook, paused ? 'backlog too long: new events of the webhook are dropped' : 'backlog is short again: events are queued');
    }
  } catch (error) {
    logger.warn({ err: error }, 'could not review webhook backlogs');
  }
}
