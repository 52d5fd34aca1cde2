/** How many requests a shard's next transaction takes. */

/** Requests of one event are many, of fifty few. */
const EVENTS_AIMED_AT = 2_000;
const MOST_REQUESTS = 1_000;
const AFTER_FAULT = 10;

export class Pace {
  #limit = 200;

  get limit(): number {
    return this.#limit;
  }

  /** A transaction took so much: the next takes about {@link EVENTS_AIMED_AT} events, or twice as many requests at most. */
  succeeded(requests: number, events: number): void {
    const fitting = Math.round((EVENTS_AIMED_AT * requests) / Math.max(1, events));
    const most = requests < this.#limit ? this.#limit : this.#limit * 2;
    this.#limit = Math.max(1, Math.min(fitting, most, MOST_REQUESTS));
  }

  /** The next takes a tenth, and so the one at fault is soon alone. False when it was alone already. */
  failed(): boolean {
    if (this.#limit === 1) return false;
    this.#limit = Math.max(1, Math.floor(this.#limit / AFTER_FAULT));
    return true;
  }
}
