/** Delivery in one process: the running first lane, and the parts that the retry lane's activities need. */
import type pg from 'pg';
import type { Registry } from 'prom-client';
import { DELIVERIES_CHANNEL } from '../../db/webhooks/deliveries/recordItemEvent.ts';
import { listen } from '../../db/listen.ts';
import { signingSecretKeys } from '../../domain/accounts/secretKeys.ts';
import { userAgentOf } from '../../domain/webhooks/webhookRequest.ts';
import type { GuardedAgent } from '../../platform/outgoing/connect.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { renewWebhookSecret } from '../../db/webhooks/webhooks.ts';
import { createAttempt } from './attempt.ts';
import { startBacklogReview } from './backlogReview.ts';
import { FirstLane } from './firstLane.ts';
import type { FirstLaneLimits } from './firstLaneLimits.ts';
import { DatabaseClock } from './databaseClock.ts';
import { createWebhookMetrics } from './metrics.ts';
import type { LaneParts } from './laneParts.ts';
import { WorkerShareRenewer } from './workerShare.ts';
import { Recorder } from './outcomeRecorder.ts';
import { AttemptSlots } from './attemptSlots.ts';

export interface LanesDeps {
  pool: pg.Pool;
  /** For the connection that listens, which is outside the pool. */
  databaseUrl: string;
  agent: GuardedAgent;
  secretKey: Buffer;
  publicUrl: string;
  logger: Logger;
  registry: Registry;
  limits?: Partial<FirstLaneLimits>;
  deadlineMs?: number;
}

export interface Lanes {
  /** For the activities of the retry lane. */
  parts: LaneParts;
  /** Stops the first lane; attempts in progress end within their 10 s. */
  close(): Promise<void>;
}

/** Starts the first lane, which needs only PostgreSQL. */
export function startLanes(deps: LanesDeps): Lanes {
  const { pool, databaseUrl, logger } = deps;
  const slots = new AttemptSlots();
  const metrics = createWebhookMetrics(deps.registry, () => slots.limit);
  const clock = new DatabaseClock();
  const share = new WorkerShareRenewer({ databaseUrl, clock, slots, logger, onRoom: () => firstLane.wake() });
  const attempt = createAttempt({
    agent: deps.agent,
    logger,
    metrics,
    secretKeys: signingSecretKeys(deps.secretKey),
    renewSecret: (claim, secret) => renewWebhookSecret(deps.pool, claim, secret),
    userAgent: userAgentOf(deps.publicUrl),
    now: () => clock.now(),
    ...(deps.deadlineMs !== undefined && { deadlineMs: deps.deadlineMs }),
  });
  const parts: LaneParts = { pool, attempt, recorder: new Recorder(pool, logger, metrics), slots };
  const firstLane = new FirstLane({ ...parts, logger, metrics, ...(deps.limits && { limits: deps.limits }) });
  const listener = listen(
    databaseUrl,
    DELIVERIES_CHANNEL,
    () => firstLane.wake(),
    (error) => {
      logger.warn({ err: error }, 'not listening for deliveries; they are polled');
    },
  );
  const review = startBacklogReview(pool, logger);
  share.start();
  firstLane.start();
  return {
    parts,
    async close() {
      await Promise.all([firstLane.close(), listener.close(), review.close()]);
      await share.close();
    },
  };
}
