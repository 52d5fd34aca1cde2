/** Where the retry lane of a delivery stands, by its own attempts and by what it is told of others. */
import { patched } from '@temporalio/workflow';
import type { DeliveryInput, DeliveryMoved, RetryReport } from '../../domain/webhookDelivery.ts';
import { retryDelayMs } from '../../domain/webhookSchedule.ts';
import { attemptLine, attemptName, busyPauseMs, nextLine } from './words.ts';

export class Course {
  attemptsMade: number;
  scheduleStart: number;
  /** Milliseconds from now to the next attempt. */
  waitMs: number;
  #timesBusy = 0;
  /** Somebody else's attempt that is not reckoned with yet. */
  #news: DeliveryMoved | null = null;
  readonly #journal: string[] = [];

  /** @param waitMs what is left of the first wait */
  constructor(
    { attemptsMade, scheduleStart = 0 }: Pick<DeliveryInput, 'attemptsMade' | 'scheduleStart'>,
    waitMs: number,
  ) {
    this.attemptsMade = attemptsMade;
    this.scheduleStart = scheduleStart;
    this.waitMs = waitMs;
  }

  get hasNews(): boolean {
    return this.#news !== null;
  }

  /** A signal came. Old news, and what is known already, is no news. */
  hear(news: DeliveryMoved): void {
    if (news.attemptsMade > (this.#news?.attemptsMade ?? this.attemptsMade)) this.#news = news;
  }

  /**
   * Somebody else's attempt has given the delivery another time, and perhaps another schedule.
   * @param known attempts that need no telling
   * @returns whether there was news
   */
  takeNews(known = this.attemptsMade): boolean {
    const news = this.#news;
    this.#news = null;
    if (news === null || news.attemptsMade <= known) return false;
    this.waitMs = leftOf(news, Date.now());
    this.attemptsMade = news.attemptsMade;
    this.scheduleStart = news.scheduleStart ?? 0;
    this.#journal.push(
      attemptLine({ state: 'superseded', attemptsMade: news.attemptsMade, waitMs: this.waitMs }, this.scheduleStart),
    );
    return true;
  }

  /** Goes on by what came of the own attempt. */
  follow(report: Exclude<RetryReport, { state: 'settled' }>): void {
    if (report.state === 'busy') return this.#askAgain(report.waitMs);
    this.#timesBusy = 0;
    if (report.state === 'superseded') this.scheduleStart = report.scheduleStart ?? this.scheduleStart;
    this.#journal.push(attemptLine(report, this.scheduleStart));
    this.attemptsMade = report.attemptsMade;
    this.waitMs =
      report.state === 'failed' ? (report.retryInMs ?? retryDelayMs(this.attemptsMade) ?? 0) : report.waitMs;
    this.#forgetOldNews();
  }

  /** Markdown for the operator: what was, and what comes next or how it ended. */
  checklist(end?: Extract<RetryReport, { state: 'settled' }>): string {
    return [
      ...this.#journal,
      end ? attemptLine(end, this.scheduleStart) : nextLine(this.attemptsMade, this.scheduleStart),
    ].join('\n');
  }

  /** What the next wait is for. */
  get waitSummary(): string {
    return this.#timesBusy === 0 ? `Until ${this.nextName}` : `Asking again for ${this.nextName}`;
  }

  /** Such as `attempt 2 of 7`. */
  get nextName(): string {
    return attemptName(this.attemptsMade + 1, this.scheduleStart);
  }

  #askAgain(dueInMs: number | undefined): void {
    this.#timesBusy = dueInMs === undefined ? this.#timesBusy + 1 : 0;
    this.waitMs = dueInMs ?? busyPauseMs(this.#timesBusy);
  }

  /**
   * News that the own report has caught up with would end the next wait at once. It did once; asking
   * for the patch only here costs the others no marker.
   */
  #forgetOldNews(): void {
    if (this.#news !== null && this.#news.attemptsMade <= this.attemptsMade && patched('forget-old-news'))
      this.#news = null;
  }
}

/**
 * A signal may be read long after it was sent, when no worker was there: its time counts, not its wait.
 * Never more than the wait, so that clocks which differ put nothing off; what they bring forward, the
 * database's clock refuses (claimRetry).
 * @param now epoch milliseconds
 * @returns milliseconds
 */
export function leftOf({ waitMs, dueAt }: DeliveryMoved, now: number): number {
  return dueAt === undefined ? waitMs : Math.min(waitMs, Math.max(0, dueAt - now));
}
