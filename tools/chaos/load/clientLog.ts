/** The client's own log of requests, attempts and responses; counts in memory, lines on disk. */
import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import type { LoadCounts } from '../fault.ts';

/**
 * `accepted`: 2xx. `unsure`: no response, so it may have taken effect. `again`: 429 or 5xx, which the API's document
 * says to retry. `refused`: any other status, which a retry would not fix.
 */
export type Outcome = 'accepted' | 'unsure' | 'again' | 'refused';

export interface LogLine {
  /** Number of the request, shared by its attempts. */
  n: number;
  /** Number of the attempt, from 1. */
  try: number;
  request: string;
  outcome: Outcome;
  /** Null without a response. */
  status: number | null;
  ms: number;
  /** Header Retry-After of the response. */
  retryAfter?: string;
  /** The request body (first attempt), and the response body unless 2xx. */
  body?: unknown;
  answer?: string;
}

export class ClientLog {
  readonly counts: LoadCounts = { accepted: 0, retried: 0, unsure: 0, refused: 0 };
  /**
   * Responses that led to a retry but are not documented: anything but a 503 with a Retry-After of a second or more.
   */
  readonly odd: string[] = [];
  /** Wall-clock milliseconds of each accepted response, ascending. */
  readonly acceptedAt: number[] = [];
  readonly path: string;
  readonly #file: WriteStream;
  readonly #waiters = new Set<() => void>();

  constructor(path: string) {
    this.path = path;
    this.#file = createWriteStream(path, { flags: 'a' });
  }

  record(line: LogLine): void {
    const { counts } = this;
    if (line.try > 1) counts.retried += 1;
    if (line.outcome === 'unsure') counts.unsure += 1;
    if (line.outcome === 'refused') counts.refused += 1;
    if (line.outcome === 'again' && !(line.status === 503 && Number(line.retryAfter) >= 1))
      this.odd.push(`${line.request} answered ${line.status}, Retry-After ${line.retryAfter}`);
    if (line.outcome === 'accepted') {
      counts.accepted += 1;
      this.acceptedAt.push(Date.now());
      for (const look of this.#waiters) look();
    }
    this.#file.write(`${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`);
  }

  /** Resolves when this many more requests have been accepted. */
  accepted(more: number): Promise<void> {
    const wanted = this.counts.accepted + more;
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.counts.accepted < wanted) return;
        this.#waiters.delete(look);
        resolve();
      };
      this.#waiters.add(look);
      look();
    });
  }

  /**
   * Returns the longest time without an accepted response between two moments (wall-clock milliseconds), in seconds.
   */
  longestSilence(from: number, to: number): number {
    const moments = [from, ...this.acceptedAt.filter((at) => at > from && at < to), to];
    const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? at));
    return Math.max(0, ...gaps) / 1000;
  }

  async close(): Promise<void> {
    this.#file.end();
    await once(this.#file, 'close');
  }
}
