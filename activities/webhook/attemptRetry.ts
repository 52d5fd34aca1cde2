/** One attempt of a delivery's retries, made for the workflow retryDelivery. */
import type pg from 'pg';
import { claimRetry, releaseClaims } from '../../db/webhooks/deliveries/claims.ts';
import { readProgress } from '../../db/webhooks/deliveries/retries.ts';
import type { LaneParts } from '../../loops/delivery/laneParts.ts';
import type { ReleaseSlot } from '../../loops/delivery/attemptSlots.ts';
import { RETRY_LEASE_MS } from '../../domain/webhooks/claimLease.ts';
import type { ClaimedDelivery, RetryInput, RetryReport } from '../../domain/webhooks/deliveryStates.ts';

/**
 * Makes an attempt once: a number that is already in the journal is not sent again. Returns `busy` instead of waiting
 * when the webhook already has its maximum of concurrent attempts, so that one slow address does not fill the worker.
 */
export async function attemptRetry(parts: LaneParts, input: RetryInput): Promise<RetryReport> {
  const { pool, slots } = parts;
  const claim = await claimRetry(pool, input.projectId, input.deliveryId, input.attempt, RETRY_LEASE_MS);
  if (claim === null) return reportOf(pool, input);
  const release = slots.tryAcquire(claim.webhookId);
  if (release === null) return postpone(pool, claim);
  return attemptWith(parts, claim, release);
}

async function attemptWith(
  { pool, attempt, recorder }: LaneParts,
  claim: ClaimedDelivery,
  release: ReleaseSlot,
): Promise<RetryReport> {
  const settlement = await attempt(claim).finally(release);
  if (!(await recorder.add(settlement))) return reportOf(pool, claim);
  const attemptsMade = claim.attempt;
  if ('dropped' in settlement) return { state: 'settled', status: 'dropped', attemptsMade: attemptsMade - 1 };
  const { outcome, retryInMs } = settlement;
  if (outcome.errorCode === null) return { state: 'settled', status: 'delivered', attemptsMade };
  const failure = { errorCode: outcome.errorCode, responseStatus: outcome.responseStatus };
  if (retryInMs === null) return { state: 'settled', status: 'failed', attemptsMade, ...failure };
  return { state: 'failed', attemptsMade, ...failure, retryInMs };
}

async function postpone(pool: pg.Pool, claim: ClaimedDelivery): Promise<RetryReport> {
  await releaseClaims(pool, [claim]);
  return { state: 'busy' };
}

/** Returns the reason why the delivery could not be claimed for that attempt. */
async function reportOf(pool: pg.Pool, { projectId, deliveryId, attempt }: RetryInput): Promise<RetryReport> {
  const progress = await readProgress(pool, projectId, deliveryId);
  if (progress === null) return { state: 'settled', status: 'gone', attemptsMade: attempt - 1 };
  const { status, lane, attemptsMade, waitMs, scheduleStart, lastFailure } = progress;
  if (status !== 'pending') return { state: 'settled', status, attemptsMade, ...lastFailure };
  if (lane === 'retry' && attemptsMade >= attempt) return { state: 'superseded', attemptsMade, waitMs, scheduleStart };
  if (lane === 'retry' && waitMs > 0) return { state: 'busy', waitMs };
  return { state: 'busy' };
}
