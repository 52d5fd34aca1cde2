/** Texts about the attempts of a delivery, for the operator. */
import { MAX_ATTEMPTS } from '../../domain/webhooks/retrySchedule.ts';
import type { RetryReport } from '../../domain/webhooks/deliveryStates.ts';

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
