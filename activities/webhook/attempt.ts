/** One attempt of a delivery: sign, send, tell what came of it. Both lanes come through here. */
import { signedRequest } from '../../domain/webhook.ts';
import type { AttemptOutcome, ClaimedDelivery } from '../../domain/webhookDelivery.ts';
import { decryptSecret } from '../../domain/secretKeys.ts';
import type { GuardedAgent } from '../../outgoing/connect.ts';
import { deliveryErrorCode, isOutgoingError } from '../../outgoing/errors.ts';
import { postOnce, type PostOutcome } from '../../outgoing/post.ts';
import type { WebhookMetrics } from './metrics.ts';

export interface AttemptOptions {
  agent: GuardedAgent;
  /** deriveKey(secretKey, 'webhook-secrets'). */
  secretsKey: Buffer;
  userAgent: string;
  metrics: WebhookMetrics;
  /** From the attempt's start to the end of the answer; the documented 10 s unless a test shortens it. */
  deadlineMs?: number;
}

/**
 * Makes one attempt with the webhook's address and secret as the claim read them.
 * @throws when the fault is ours (a secret that cannot be decrypted): such an attempt is not spent.
 */
export type Attempt = (claim: ClaimedDelivery) => Promise<AttemptOutcome>;

/** The documented limit for an attempt. */
export const ATTEMPT_DEADLINE_MS = 10_000;

export function createAttempt(options: AttemptOptions): Attempt {
  const { agent, secretsKey, userAgent, metrics, deadlineMs = ATTEMPT_DEADLINE_MS } = options;
  return async (claim) => {
    const startedAt = new Date();
    const begun = performance.now();
    const secret = decryptSecret(secretsKey, claim.secret);
    const { headers, body } = signedRequest(claim, secret, startedAt, userAgent);
    metrics.inFlight.inc();
    const answer = await postOnce(agent, { url: claim.url, headers, body, deadlineMs })
      .then(successOf, failureOf)
      .finally(() => metrics.inFlight.dec());
    const durationMs = Math.round(performance.now() - begun);
    metrics.attempts.inc({ lane: claim.lane, outcome: answer.errorCode ?? 'delivered' });
    metrics.duration.observe({ lane: claim.lane }, durationMs / 1000);
    return { startedAt, durationMs, ...answer };
  };
}

type Answer = Pick<AttemptOutcome, 'responseStatus' | 'errorCode' | 'error'>;

function successOf({ status }: PostOutcome): Answer {
  return { responseStatus: status, errorCode: null, error: null };
}

/** An OutgoingError is an outcome; anything else is our own fault and thrown on. */
function failureOf(error: unknown): Answer {
  if (!isOutgoingError(error)) throw error;
  return { responseStatus: error.status, errorCode: deliveryErrorCode(error), error: error.message };
}
