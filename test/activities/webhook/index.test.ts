import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import pg from 'pg';
import { Registry } from 'prom-client';
import { RETRY_LEASE_MS } from '../../../domain/webhooks/claimLease.ts';
import { createWebhookActivities } from '../../../activities/webhook/index.ts';
import { ATTEMPT_DEADLINE_MS } from '../../../loops/delivery/attempt.ts';
import { createWebhookMetrics } from '../../../loops/delivery/metrics.ts';
import { Recorder, STORING_PATIENCE_MS } from '../../../loops/delivery/outcomeRecorder.ts';
import { AttemptSlots } from '../../../loops/delivery/attemptSlots.ts';
import { FAILURE } from '../../../domain/jobs/failureTypes.ts';
import { ACTIVITY_OPTIONS } from '../../../domain/jobs/activityOptions.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { closedPort } from '../../platform/outgoing/support/servers.ts';

/** Returns the failure of an attempt whose statements use that pool. */
async function failureWith(pool: pg.Pool): Promise<unknown> {
  const recorder = new Recorder(pool, createLogger('test', 'silent'), createWebhookMetrics(new Registry()));
  const activities = createWebhookActivities({
    pool,
    recorder,
    slots: new AttemptSlots(),
    attempt: () => Promise.reject(new Error('not reached')),
  });
  return activities
    .attemptDelivery({ projectId: 'p', deliveryId: '01a1fdb9-b6d9-7566-a1b3-c800da5e4f5c', attempt: 2 })
    .catch((error: unknown) => error)
    .finally(() => pool.end());
}

describe('attemptDelivery', () => {
  it('reports an unavailable database by its type, without host, port or account', async () => {
    const port = await closedPort();
    const failure = await failureWith(
      new pg.Pool({ connectionString: `postgres://someone:password@127.0.0.1:${port}/x` }),
    );
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: FAILURE.interrupted });
    expect(JSON.stringify(failure) + String((failure as Error).stack)).not.toMatch(
      new RegExp(`${port}|ECONN|someone|password`),
    );
  });

  it('has a lease longer than the request and the wait for the database, and a timeout longer than the lease', () => {
    const { startToCloseTimeout, retry } = ACTIVITY_OPTIONS.webhook;
    const [, seconds = ''] = /^(\d+) seconds$/.exec(startToCloseTimeout) ?? [];
    expect(RETRY_LEASE_MS).toBeGreaterThan(ATTEMPT_DEADLINE_MS + STORING_PATIENCE_MS);
    expect(Number(seconds) * 1000).toBeGreaterThan(RETRY_LEASE_MS);
    expect(retry.maximumAttempts).toBe(1);
  });
});
