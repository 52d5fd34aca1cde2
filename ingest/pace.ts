/** How many rows the next transaction takes, and when the only one it takes is at fault. */

const AFTER_FAULT = 10;
/** One time-out may be the server's; a statement for one row that is given up so often in a row is that row's. */
const LONE_TIMEOUTS = 3;
/** A server that goes down costs a session once or twice; a row with which a session is lost so often in a row costs it. */
const LONE_LOSSES = 5;

/** `smaller`: with fewer rows it may work; `again`: so it may as it is; `alone`: the one row is at fault. */
export type Verdict = 'smaller' | 'again' | 'alone';

export class Limit {
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

  /** The next takes `next` rows, twice as many when it is not given. */
  succeeded(next = this.#limit * 2): void {
    this.#timeouts = 0;
    this.#losses = 0;
    this.#limit = Math.max(1, Math.min(next, this.#most));
  }

  /** The next takes a tenth, and so the one at fault is soon alone. */
  failed(isTimeout: boolean): Verdict {
    if (this.#limit > 1) return this.#shrink();
    this.#timeouts = isTimeout ? this.#timeouts + 1 : LONE_TIMEOUTS;
    if (this.#timeouts < LONE_TIMEOUTS) return 'again';
    this.#timeouts = 0;
    return 'alone';
  }

  /** The session was lost with the rows; the next one asks {@link isLoneLoss}. */
  lostSession(): void {
    if (this.#limit > 1) this.#shrink();
    else this.#losses += 1;
  }

  /** Whether the only row that is taken has cost a session so often that it is at fault. */
  get isLoneLoss(): boolean {
    return this.#losses >= LONE_LOSSES;
  }

  #shrink(): 'smaller' {
    this.#limit = Math.max(1, Math.floor(this.#limit / AFTER_FAULT));
    return 'smaller';
  }
}

/** Requests of one event are many, of fifty few. */
const EVENTS_AIMED_AT = 2_000;
const MOST_REQUESTS = 1_000;
const FIRST_REQUESTS = 200;

/** The requests of a shard's next transaction. */
export class Pace {
  readonly #limit = new Limit(MOST_REQUESTS, FIRST_REQUESTS);

  get limit(): number {
    return this.#limit.limit;
  }

  /** A transaction took so much: the next takes about {@link EVENTS_AIMED_AT} events, or twice as many requests at most. */
  succeeded(requests: number, events: number): void {
    const fitting = Math.round((EVENTS_AIMED_AT * requests) / Math.max(1, events));
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
