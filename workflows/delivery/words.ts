/** Texts about a delivery for the operator, and how long a busy webhook is left alone. */
import { MAX_ATTEMPTS } from '../../domain/webhooks/schedule.ts';
import type { RetryReport } from '../../domain/webhooks/delivery.ts';

const BUSY_FIRST_MS = 2_000;
const BUSY_MOST_MS = 60_000;

/** Doubles from 2 s to 1 min, so that a long queue for one address keeps histories short. */
export function busyPauseMs(timesBusy: number): number {
  return Math.min(BUSY_MOST_MS, BUSY_FIRST_MS * 2 ** (timesBusy - 1));
}

/**
 * @param scheduleStart attempts made before the schedule began; 0 unless the delivery was recovered
 * @returns for example `attempt 2 of 7`, or `attempt 9 of 14` after a recovery
 */
export function attemptName(attempt: number, scheduleStart: number): string {
  return `attempt ${attempt} of ${scheduleStart + MAX_ATTEMPTS}`;
}

export function nextLine(attemptsMade: number, scheduleStart: number): string {
  return `- [ ] ${attemptName(attemptsMade + 1, scheduleStart)}`;
}

/** Returns one line of Markdown about the result of an attempt. */
export function attemptLine(report: Exclude<RetryReport, { state: 'busy' }>, scheduleStart: number): string {
  const name = attemptName(report.attemptsMade, scheduleStart);
  if (report.state === 'settled') return `- [x] ${report.status}, ${report.attemptsMade} attempts made`;
  if (report.state === 'superseded') return `- [x] ${name}: made on demand`;
  const status = report.responseStatus === null ? '' : ` ${report.responseStatus}`;
  return `- [x] ${name}: \`${report.errorCode}\`${status}`;
}
