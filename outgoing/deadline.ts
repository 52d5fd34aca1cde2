import { OutgoingError, toOutgoingError } from './errors.ts';

export interface TimeLimits {
  /** From the start to the last byte, everything included. */
  readonly totalMs: number;
  /** Longest silence; `touch()` begins it anew. */
  readonly idleMs?: number;
}

/**
 * One abort signal over all phases of a request, fired by a time limit or by the caller's own
 * signal. Ends with `end()`, always, so that no timer or listener outlives the request.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #total: NodeJS.Timeout;
  readonly #idle: NodeJS.Timeout | undefined;
  readonly #giveUp = (): void => this.#controller.abort(this.#caller?.reason);

  constructor(limits: TimeLimits, caller?: AbortSignal) {
    this.#caller = caller;
    const expire = (): void => this.#controller.abort(new OutgoingError('timeout'));
    this.#total = setTimeout(expire, limits.totalMs);
    this.#idle = limits.idleMs === undefined ? undefined : setTimeout(expire, limits.idleMs);
    if (caller?.aborted) this.#giveUp();
    caller?.addEventListener('abort', this.#giveUp);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  touch(): void {
    this.#idle?.refresh();
  }

  /**
   * The work's outcome, or the abort reason as soon as the signal fires. For work that minds the
   * signal late or not at all: a resolver; undici, which looks at it only once connected.
   */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(this.signal.reason);
      this.signal.addEventListener('abort', abort);
      if (this.signal.aborted) abort();
      work.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', abort));
    });
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.#caller?.removeEventListener('abort', this.#giveUp);
  }

  /** Why the request failed: the caller's own reason, a time limit, or a fault of the connection. */
  explain(error: unknown): unknown {
    return this.signal.aborted ? this.signal.reason : toOutgoingError(error, 'connection');
  }
}
