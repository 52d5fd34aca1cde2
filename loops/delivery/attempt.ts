/**
 * One attempt of a delivery: sign, send, and classify the result. Both lanes use it. It succeeds with any 2xx
 * (isSuccess) that is complete within 10 seconds (ATTEMPT_DEADLINE_MS).
 */
import {
  decryptSigningSecret,
  encryptSigningSecret,
  webhookSecretContext,
  type SigningSecretKeys,
} from '../../domain/accounts/secretKeys.ts';
import { signedRequest, TEST_EVENT } from '../../domain/webhooks/webhookRequest.ts';
import type { AttemptOutcome, ClaimedDelivery, Obstacle } from '../../domain/webhooks/deliveryStates.ts';
import { attemptPhrase } from '../../domain/webhooks/journalPhrases.ts';
import { retryDelayMs } from '../../domain/webhooks/retrySchedule.ts';
import type { AttemptSettlement, Settlement } from '../../db/webhooks/deliveries/outcomes.ts';
import type { GuardedAgent } from '../../platform/outgoing/connect.ts';
import { deliveryErrorCode, isOutgoingError } from '../../platform/outgoing/errors.ts';
import { postOnce, type PostOutcome } from '../../platform/outgoing/post.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { WebhookMetrics } from './metrics.ts';

/** The documented limit for an attempt, from its start to the end of the response. */
export const ATTEMPT_DEADLINE_MS = 10_000;

/** Returns true for any 2xx. Every other status is a failure, including a redirect, because none is followed. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export interface AttemptOptions {
  agent: GuardedAgent;
  secretKeys: SigningSecretKeys;
  /** Replaces a stored secret from before secrets were bound to their webhooks. */
  renewSecret(claim: ClaimedDelivery, secret: { old: Buffer; fresh: Buffer }): Promise<void>;
  userAgent: string;
  logger: Logger;
  metrics: WebhookMetrics;
  /**
   * Returns the time by the database's clock: receivers refuse requests signed too early or too late
   * (databaseClock.ts).
   */
  now(): Date;
  /** {@link ATTEMPT_DEADLINE_MS} unless a test shortens it. */
  deadlineMs?: number;
}

/**
 * Makes one attempt with the webhook's address and secret as the claim read them, unless an obstacle prevents it. The
 * settlement is not stored yet.
 */
export type Attempt = (claim: ClaimedDelivery) => Promise<Settlement>;

export function createAttempt(options: AttemptOptions): Attempt {
  return async (claim) => {
    if (claim.obstacle !== null) return drop(claim, claim.obstacle, options);
    const secret = readSecret(claim, options);
    if (secret === null) return drop(claim, 'secret', options);
    return settlementOf(claim, await send(claim, secret, options));
  };
}

/** Returns the settlement of an attempt that was made. A test is never retried. */
export function settlementOf(claim: ClaimedDelivery, outcome: AttemptOutcome): AttemptSettlement {
  const isRetried = outcome.errorCode !== null && claim.event !== TEST_EVENT;
  return { claim, outcome, retryInMs: isRetried ? retryDelayMs(claim.attempt - claim.scheduleStart) : null };
}

function drop(claim: ClaimedDelivery, obstacle: Obstacle, { metrics }: AttemptOptions): Settlement {
  metrics.dropped.inc({ obstacle });
  return { claim, dropped: obstacle };
}

/**
 * Returns the secret; null when it was encrypted under another SECRET_KEY or for another webhook, in which case no
 * later attempt can succeed.
 */
function readSecret(claim: ClaimedDelivery, options: AttemptOptions): string | null {
  const { projectId, webhookId, deliveryId } = claim;
  const context = webhookSecretContext(projectId, webhookId);
  try {
    const { text, isUnbound } = decryptSigningSecret(options.secretKeys, claim.secret, context);
    if (isUnbound) renew(claim, text, context, options);
    return text;
  } catch {
    options.logger.error(
      { projectId, webhookId, deliveryId },
      'the secret of a webhook cannot be decrypted: SECRET_KEY has changed; rotate the secret',
    );
    return null;
  }
}

/** Renews the secret in the background: no attempt waits for it, and the next one tries again. */
function renew(claim: ClaimedDelivery, text: string, context: string, options: AttemptOptions): void {
  const fresh = encryptSigningSecret(options.secretKeys, text, context);
  options
    .renewSecret(claim, { old: claim.secret, fresh })
    .catch((error: unknown) =>
      options.logger.warn(
        { err: error, webhookId: claim.webhookId },
        'could not encrypt a webhook secret with the new key',
      ),
    );
}

async function send(claim: ClaimedDelivery, secret: string, options: AttemptOptions): Promise<AttemptOutcome> {
  const { agent, userAgent, metrics, deadlineMs = ATTEMPT_DEADLINE_MS } = options;
  // domain/webhooks/webhookRequest.ts writes it as the timestamp and as sent_at.
  const startedAt = options.now();
  const begun = performance.now();
  const { headers, body } = signedRequest(claim, secret, startedAt, userAgent);
  metrics.inFlight.inc();
  // A person who presses the test button counts the incoming requests, so a test is never sent twice.
  const onNewConnection = claim.event === TEST_EVENT;
  const answer = await postOnce(agent, { url: claim.url, headers, body, isSuccess, deadlineMs, onNewConnection })
    .then(successOf, failureOf)
    .finally(() => metrics.inFlight.dec());
  const durationMs = Math.round(performance.now() - begun);
  metrics.attempts.inc({ lane: claim.lane, outcome: answer.errorCode ?? 'delivered' });
  metrics.duration.observe({ lane: claim.lane }, durationMs / 1000);
  return { startedAt, durationMs, ...answer };
}

type Answer = Pick<AttemptOutcome, 'responseStatus' | 'errorCode' | 'error'>;

function successOf({ status }: PostOutcome): Answer {
  return { responseStatus: status, errorCode: null, error: null };
}

/**
 * Returns an OutgoingError as a result. Its code comes from platform/outgoing/errors.ts, and its text from
 * domain/webhooks/journalPhrases.ts. Any other error is our own fault; it is rethrown and uses up no attempt.
 */
function failureOf(error: unknown): Answer {
  if (!isOutgoingError(error)) throw error;
  const errorCode = deliveryErrorCode(error);
  return { responseStatus: error.status, errorCode, error: attemptPhrase(errorCode, error) };
}
