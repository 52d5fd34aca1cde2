/** The activity of the queue `webhook`: one attempt of the retry lane. */
import type pg from 'pg';
import { claimRetry, releaseClaims } from '../../db/deliveryClaims.ts';
import { readProgress } from '../../db/deliveryRetries.ts';
import type { ClaimedDelivery, RetryInput, RetryReport } from '../../domain/webhookDelivery.ts';
import type { Attempt } from './attempt.ts';
import { settled, type Recorder } from './recorder.ts';
import { ATTEMPTS_PER_WEBHOOK, type ReleaseSlot, type Slots } from './slots.ts';

export interface WebhookActivityDeps {
  pool: pg.Pool;
  attempt: Attempt;
  recorder: Recorder;
  slots: Slots;
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** Over the attempt's 10 s with its storing; a worker that dies leaves the claim to end by itself. */
const LEASE_MS = 20_000;

export function createWebhookActivities(deps: WebhookActivityDeps) {
  return {
    /**
     * Makes attempt number `attempt` of a delivery, once: a number that is already in the journal is
     * not sent again. Answers `busy` instead of waiting when the webhook has its most attempts in
     * hand, so that one slow address does not fill the worker.
     */
    async attemptDelivery(input: RetryInput): Promise<RetryReport> {
      const claim = await claimRetry(deps.pool, input.projectId, input.deliveryId, input.attempt, LEASE_MS);
      if (claim === null) return reportOf(deps.pool, input);
      if (claim.obstacle !== null) {
        await deps.recorder.add({ claim, dropped: claim.obstacle });
        return { state: 'settled', status: 'dropped', attemptsMade: input.attempt - 1 };
      }
      const release = deps.slots.tryAcquire(claim.webhookId, ATTEMPTS_PER_WEBHOOK);
      if (release === null) return postpone(deps.pool, claim);
      return attemptWith(deps, claim, release);
    },
  };
}

async function attemptWith({ pool, attempt, recorder }: WebhookActivityDeps, claim: ClaimedDelivery, release: ReleaseSlot): Promise<RetryReport> {
  const outcome = await attempt(claim).finally(release);
  const settlement = settled(claim, outcome);
  if (!(await recorder.add(settlement))) return reportOf(pool, claim);
  const attemptsMade = claim.attempt;
  if (outcome.errorCode === null) return { state: 'settled', status: 'delivered', attemptsMade };
  if (settlement.retryInMs === null) return { state: 'settled', status: 'failed', attemptsMade };
  return { state: 'failed', attemptsMade, errorCode: outcome.errorCode, responseStatus: outcome.responseStatus };
}

async function postpone(pool: pg.Pool, claim: ClaimedDelivery): Promise<RetryReport> {
  await releaseClaims(pool, [claim]);
  return { state: 'busy' };
}

/** Why the delivery could not be claimed for that attempt. */
async function reportOf(pool: pg.Pool, { projectId, deliveryId, attempt }: RetryInput): Promise<RetryReport> {
  const progress = await readProgress(pool, projectId, deliveryId);
  if (progress === null) return { state: 'settled', status: 'gone', attemptsMade: attempt - 1 };
  const { status, lane, attemptsMade, waitMs } = progress;
  if (status !== 'pending') return { state: 'settled', status, attemptsMade };
  if (lane === 'retry' && attemptsMade >= attempt) return { state: 'superseded', attemptsMade, waitMs };
  return { state: 'busy' };
}
