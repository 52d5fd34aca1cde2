/** Whose report is next: as many at a time as there are engines, fair by site. */
import { ReportsBusyError } from './errors.ts';

/** Waiting takes little; more than that is a fault of whoever asks. */
export const MOST_WAITING = { all: 200, ofSite: 20 } as const;

interface Waiting {
  site: string;
  admit(): void;
}

interface Site {
  running: number;
  waiting: number;
  /** When it last was next. */
  served: number;
}

export class Turns {
  readonly #places: number;
  /** So that a small report of another site need not wait for heavy ones of this one. */
  readonly #mostOfSite: number;
  readonly #waiting: Waiting[] = [];
  readonly #sites = new Map<string, Site>();
  #running = 0;
  #turn = 0;

  constructor(places: number) {
    this.#places = places;
    this.#mostOfSite = Math.max(1, places - 1);
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves when it is this report's turn; whoever got it calls `leave` once.
   * @param signal gives the place in the queue up
   * @throws {ReportsBusyError} when too many wait, or after `waitMs`; the signal's reason
   */
  async enter(siteId: string, waitMs: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const site = this.#siteOf(siteId);
    if (this.#waiting.length >= MOST_WAITING.all || site.waiting >= MOST_WAITING.ofSite) {
      this.#forget(siteId, site);
      throw new ReportsBusyError('too many reports wait');
    }
    await this.#wait(siteId, site, waitMs, signal);
  }

  leave(siteId: string): void {
    const site = this.#siteOf(siteId);
    site.running -= 1;
    this.#running -= 1;
    this.#admit();
    this.#forget(siteId, site);
  }

  async #wait(siteId: string, site: Site, waitMs: number, signal?: AbortSignal): Promise<void> {
    site.waiting += 1;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(new ReportsBusyError('no engine was free in time')), waitMs);
    const onAbort = (): void => stop.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        const waiting: Waiting = { site: siteId, admit: resolve };
        this.#waiting.push(waiting);
        stop.signal.addEventListener('abort', () => this.#giveUp(waiting, () => reject(stop.signal.reason as Error)));
        this.#admit();
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #giveUp(waiting: Waiting, reject: () => void): void {
    const index = this.#waiting.indexOf(waiting);
    if (index === -1) return;
    this.#waiting.splice(index, 1);
    const site = this.#siteOf(waiting.site);
    site.waiting -= 1;
    this.#forget(waiting.site, site);
    reject();
  }

  #admit(): void {
    while (this.#running < this.#places) {
      const next = this.#next();
      if (next === null) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      const site = this.#siteOf(next.site);
      site.waiting -= 1;
      site.running += 1;
      site.served = this.#turn += 1;
      this.#running += 1;
      next.admit();
    }
  }

  /** Of the site that has the fewest running, then of the one that was next the longest ago, then the first that came. */
  #next(): Waiting | null {
    const rank = ({ site }: Waiting): Site => this.#siteOf(site);
    return this.#waiting
      .filter((waiting) => rank(waiting).running < this.#mostOfSite)
      .reduce<Waiting | null>((best, waiting) => {
        if (best === null) return waiting;
        const [a, b] = [rank(waiting), rank(best)];
        return a.running < b.running || (a.running === b.running && a.served < b.served) ? waiting : best;
      }, null);
  }

  #siteOf(siteId: string): Site {
    const known = this.#sites.get(siteId);
    if (known) return known;
    const site: Site = { running: 0, waiting: 0, served: 0 };
    this.#sites.set(siteId, site);
    return site;
  }

  #forget(siteId: string, site: Site): void {
    if (site.running === 0 && site.waiting === 0) this.#sites.delete(siteId);
  }
}
