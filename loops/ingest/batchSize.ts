/** Decides how many rows the next transaction takes, and when a single row is to blame for an error. */

const SHRINK_FACTOR = 10;
/** One timeout may be the server's fault; this many consecutive ones with a single row are the row's fault. */
const LONE_TIMEOUTS = 3;
/**
 * A server that goes down costs a session once or twice; this many consecutive losses with a single row are the row's
 * fault.
 */
const LONE_LOSSES = 5;

/** `smaller`: retry with fewer rows; `again`: retry as it is; `alone`: the single row is to blame. */
export type Verdict = 'smaller' | 'again' | 'alone';

export class AdaptiveLimit {
  readonly #most: number;
  #limit: number;
  #timeouts = 0;
  #losses = 0;

  constructor(most: number, first = most) {
    this.#most = most;
    this.#limit = first;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Sets the next limit to `next` rows, by default twice the current one. */
  succeeded(next = this.#limit * 2): void {
    this.#timeouts = 0;
    this.#losses = 0;
    this.#limit = Math.max(1, Math.min(next, this.#most));
  }

  /** Cuts the next limit to a tenth, so that a faulty row is soon alone. */
  failed(isTimeout: boolean): Verdict {
    if (this.#limit > 1) return this.#shrink();
    this.#timeouts = isTimeout ? this.#timeouts + 1 : LONE_TIMEOUTS;
    if (this.#timeouts < LONE_TIMEOUTS) return 'again';
    // The next row has to answer only for itself.
    this.#timeouts = 0;
    this.#losses = 0;
    return 'alone';
  }

  /** Records that the session was lost with these rows; the next session checks {@link isLoneLoss}. */
  lostSession(): void {
    if (this.#limit > 1) this.#shrink();
    else this.#losses += 1;
  }

  /** True when a single row has cost so many sessions that it is to blame. */
  get isLoneLoss(): boolean {
    return this.#losses >= LONE_LOSSES;
  }

  #shrink(): 'smaller' {
    this.#limit = Math.max(1, Math.floor(this.#limit / SHRINK_FACTOR));
    return 'smaller';
  }
}

/** A request may hold one event or fifty, so the batch size is aimed at events. */
const TARGET_EVENTS = 2_000;
const MAX_REQUESTS = 1_000;
const FIRST_REQUESTS = 200;

/** Chooses how many requests the next transaction of a shard takes. */
export class BatchSize {
  readonly #limit = new AdaptiveLimit(MAX_REQUESTS, FIRST_REQUESTS);

  get limit(): number {
    return this.#limit.limit;
  }

  /** Aims the next transaction at about {@link TARGET_EVENTS} events, with at most twice as many requests. */
  succeeded(requests: number, events: number): void {
    const fitting = Math.round((TARGET_EVENTS * requests) / Math.max(1, events));
    this.#limit.succeeded(Math.min(fitting, requests < this.limit ? this.limit : this.limit * 2));
  }

  failed(isTimeout: boolean): Verdict {
    return this.#limit.failed(isTimeout);
  }

  lostSession(): void {
    this.#limit.lostSession();
  }

  get isLoneLoss(): boolean {
    return this.#limit.isLoneLoss;
  }
}
