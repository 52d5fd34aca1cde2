/** The position of a delivery's retry lane, from its own attempts and from signals about others. */
import { patched } from '@temporalio/workflow';
import type { DeliveryInput, DeliveryMoved, RetryReport } from '../../domain/webhooks/deliveryStates.ts';
import { retryDelayMs } from '../../domain/webhooks/retrySchedule.ts';
import { attemptLine, attemptName, nextLine } from './attemptTexts.ts';

const FIRST_BUSY_PAUSE_MS = 2_000;
const MAX_BUSY_PAUSE_MS = 60_000;

export class RetryPosition {
  attemptsMade: number;
  scheduleStart: number;
  /** Milliseconds until the next attempt. */
  waitMs: number;
  #timesBusy = 0;
  /** An attempt by another party that is not taken into account yet. */
  #move: DeliveryMoved | null = null;
  readonly #journal: string[] = [];

  /** @param waitMs remaining time of the first wait */
  constructor(
    { attemptsMade, scheduleStart = 0 }: Pick<DeliveryInput, 'attemptsMade' | 'scheduleStart'>,
    waitMs: number,
  ) {
    this.attemptsMade = attemptsMade;
    this.scheduleStart = scheduleStart;
    this.waitMs = waitMs;
  }

  get hasMove(): boolean {
    return this.#move !== null;
  }

  /** Handles a signal; older or known moves are ignored. */
  onMoved(move: DeliveryMoved): void {
    if (move.attemptsMade > (this.#move?.attemptsMade ?? this.attemptsMade)) this.#move = move;
  }

  /**
   * Applies another party's attempt, which has given the delivery a new time and perhaps a new schedule.
   * @param known number of attempts that are already known
   * @returns true when there was one
   */
  applyMove(known = this.attemptsMade): boolean {
    const move = this.#move;
    this.#move = null;
    if (move === null || move.attemptsMade <= known) return false;
    this.waitMs = leftOf(move, Date.now());
    this.attemptsMade = move.attemptsMade;
    this.scheduleStart = move.scheduleStart ?? 0;
    this.#journal.push(
      attemptLine({ state: 'superseded', attemptsMade: move.attemptsMade, waitMs: this.waitMs }, this.scheduleStart),
    );
    return true;
  }

  /** Continues by the result of this lane's own attempt. */
  follow(report: Exclude<RetryReport, { state: 'settled' }>): void {
    if (report.state === 'busy') return this.#askAgain(report.waitMs);
    this.#timesBusy = 0;
    if (report.state === 'superseded') this.scheduleStart = report.scheduleStart ?? this.scheduleStart;
    this.#journal.push(attemptLine(report, this.scheduleStart));
    this.attemptsMade = report.attemptsMade;
    this.waitMs =
      report.state === 'failed' ? (report.retryInMs ?? retryDelayMs(this.attemptsMade) ?? 0) : report.waitMs;
    this.#forgetOldMove();
  }

  /** Returns Markdown for the operator: the past attempts, and the next one or the end. */
  checklist(end?: Extract<RetryReport, { state: 'settled' }>): string {
    return [
      ...this.#journal,
      end ? attemptLine(end, this.scheduleStart) : nextLine(this.attemptsMade, this.scheduleStart),
    ].join('\n');
  }

  /** The purpose of the next wait. */
  get waitSummary(): string {
    return this.#timesBusy === 0 ? `Until ${this.nextName}` : `Asking again for ${this.nextName}`;
  }

  /** For example `attempt 2 of 7`. */
  get nextName(): string {
    return attemptName(this.attemptsMade + 1, this.scheduleStart);
  }

  #askAgain(dueInMs: number | undefined): void {
    this.#timesBusy = dueInMs === undefined ? this.#timesBusy + 1 : 0;
    this.waitMs = dueInMs ?? busyPauseMs(this.#timesBusy);
  }

  /**
   * Drops a move that this lane's own report already includes. Otherwise it would end the next wait at once, as it did
   * before this patch. The patch is checked only here, so that other histories get no marker.
   */
  #forgetOldMove(): void {
    if (this.#move !== null && this.#move.attemptsMade <= this.attemptsMade && patched('forget-old-news'))
      this.#move = null;
  }
}

/**
 * Returns the remaining wait of a signal. When no worker was available, a signal may be read long after it was sent, so
 * its due time counts and not its wait. The result is never more than the wait, so a difference between clocks delays
 * nothing. An attempt that such a difference makes too early is refused by the database's clock (claimRetry).
 * @param now epoch milliseconds
 * @returns milliseconds
 */
export function leftOf({ waitMs, dueAt }: DeliveryMoved, now: number): number {
  return dueAt === undefined ? waitMs : Math.min(waitMs, Math.max(0, dueAt - now));
}

/** Doubles from 2 s to 1 min, so that a long queue for one address keeps histories short. */
function busyPauseMs(timesBusy: number): number {
  return Math.min(MAX_BUSY_PAUSE_MS, FIRST_BUSY_PAUSE_MS * 2 ** (timesBusy - 1));
}
