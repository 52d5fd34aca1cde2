import { OutgoingError, toOutgoingError } from './errors.ts';

export interface TimeLimits {
  /** Total time limit, from the start to the last byte. */
  readonly totalMs: number;
  /** Maximum time without data; `touch()` restarts it. */
  readonly idleMs?: number;
}

/**
 * One abort signal for all phases of a request, fired by a time limit or by the caller's own signal. `end()` must
 * always be called, so that no timer or listener outlives the request.
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
   * Resolves with the work's result, or rejects with the abort reason as soon as the signal fires. It is for work that
   * reacts to the signal late or not at all: a resolver, or undici, which checks it only once connected.
   */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(this.signal.reason);
      this.signal.addEventListener('abort', abort);
      if (this.signal.aborted) abort();
      work.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', abort));
    });
  }

  /** Aborts the work now, as a limit would later. */
  cancel(reason: unknown): void {
    this.end();
    this.#controller.abort(reason);
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.#caller?.removeEventListener('abort', this.#giveUp);
  }

  /** Returns why the request failed: the caller's own reason, a time limit, or an error of the connection. */
  explain(error: unknown): unknown {
    return this.signal.aborted ? this.signal.reason : toOutgoingError(error, 'connection');
  }
}
