/** The scheduled attempts of a delivery. */
import type { DeliveryDetail } from '../../../data/webhooks/webhooks.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Delay between attempt n and attempt n + 1, milliseconds; a test checks that it equals
 * domain/webhooks/retrySchedule.ts.
 */
export const RETRY_DELAYS_MS: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];

export interface UpcomingAttempt {
  number: number;
  /** Milliseconds since 1970; null: imminent, or some time after an imminent one. */
  at: number | null;
  /** Delay after the previous attempt, if that fails; null for the one that is certain. */
  afterMs: number | null;
}

type Known = Pick<DeliveryDetail, 'event' | 'status' | 'attempt' | 'schedule_start' | 'next_attempt_at'>;

export function upcomingAttempts({
  event,
  status,
  attempt,
  schedule_start,
  next_attempt_at: next,
}: Known): UpcomingAttempt[] {
  if (status !== 'pending') return [];
  let at = next === null ? null : Date.parse(next);
  const upcoming: UpcomingAttempt[] = [{ number: attempt + 1, at, afterMs: null }];
  if (event === 'webhook.test') return upcoming;
  const made = Math.max(0, attempt - schedule_start);
  RETRY_DELAYS_MS.slice(made).forEach((afterMs, index) => {
    at = at === null ? null : at + afterMs;
    upcoming.push({ number: attempt + 2 + index, at, afterMs });
  });
  return upcoming;
}
