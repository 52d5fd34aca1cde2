/** What the operator reads about a delivery, and how long a busy webhook is left alone. */
import { MAX_ATTEMPTS } from '../../domain/webhookSchedule.ts';
import type { RetryReport } from '../../domain/webhookDelivery.ts';

const BUSY_FIRST_MS = 2_000;
const BUSY_MOST_MS = 60_000;

/** Doubling from 2 s to 1 min, so that a long queue before one address keeps histories short. */
export function busyPauseMs(timesBusy: number): number {
  return Math.min(BUSY_MOST_MS, BUSY_FIRST_MS * 2 ** (timesBusy - 1));
}

export function nextLine(attemptsMade: number): string {
  return `- [ ] attempt ${attemptsMade + 1} of ${MAX_ATTEMPTS}`;
}

/** One line of Markdown about what came of an attempt. */
export function attemptLine(report: Exclude<RetryReport, { state: 'busy' }>): string {
  const name = `attempt ${report.attemptsMade} of ${MAX_ATTEMPTS}`;
  if (report.state === 'settled') return `- [x] ${report.status}, ${report.attemptsMade} attempts made`;
  if (report.state === 'superseded') return `- [x] ${name}: made on demand`;
  const status = report.responseStatus === null ? '' : ` ${report.responseStatus}`;
  return `- [x] ${name}: \`${report.errorCode}\`${status}`;
}
