/** Chooses the next report. As many run at a time as there are engines, with fair turns by owner and then by site. */
import { ReportsBusyError } from './errors.ts';

/** How long a report waits for an engine. */
export const WAIT_MS = 30_000;

/** Limits of the queue. A waiting report costs little; more than this is a caller's fault. */
export const MAX_WAITING = { all: 200, ofOwner: 40, ofSite: 20 } as const;

/** The site that requests a report, and its owner. */
export interface Asker {
  siteId: string;
  owner: string;
}

interface Waiting {
  groups: Groups;
  admit(): void;
}

/** The reports of an owner or of a site. */
interface Group {
  key: string;
  running: number;
  waiting: number;
  /** When a report of the group was last chosen. */
  served: number;
}

type Groups = readonly [owner: Group, site: Group];

export class ReportTurns {
  readonly #slots: number;
  /** Ensures that a small report of another owner need not wait for heavy ones of this owner. */
  readonly #maxPerOwner: number;
  readonly #waiting: Waiting[] = [];
  readonly #groups = new Map<string, Group>();
  #running = 0;
  #turn = 0;

  constructor(slots: number) {
    this.#slots = slots;
    this.#maxPerOwner = Math.max(1, slots - 1);
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves when it is this report's turn; the caller then calls `leave` once.
   * @param signal gives up the place in the queue
   * @throws {ReportsBusyError} if too many wait, or after `waitMs`; the signal's reason if it aborts
   */
  async enter(asker: Asker, waitMs: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const groups = this.#groupsOf(asker);
    const [owner, site] = groups;
    if (
      this.#waiting.length >= MAX_WAITING.all ||
      owner.waiting >= MAX_WAITING.ofOwner ||
      site.waiting >= MAX_WAITING.ofSite
    ) {
      this.#deleteIdle(groups);
      throw new ReportsBusyError('too many reports are waiting');
    }
    await this.#wait(groups, waitMs, signal);
  }

  leave(asker: Asker): void {
    const groups = this.#groupsOf(asker);
    for (const group of groups) group.running -= 1;
    this.#running -= 1;
    this.#admit();
    this.#deleteIdle(groups);
  }

  async #wait(groups: Groups, waitMs: number, signal?: AbortSignal): Promise<void> {
    for (const group of groups) group.waiting += 1;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(new ReportsBusyError('no engine was free in time')), waitMs);
    const onAbort = (): void => stop.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        const waiting: Waiting = { groups, admit: resolve };
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
    for (const group of waiting.groups) group.waiting -= 1;
    this.#deleteIdle(waiting.groups);
    reject();
  }

  #admit(): void {
    while (this.#running < this.#slots) {
      const next = this.#next();
      if (next === null) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#turn += 1;
      for (const group of next.groups) {
        group.waiting -= 1;
        group.running += 1;
        group.served = this.#turn;
      }
      this.#running += 1;
      next.admit();
    }
  }

  /**
   * Chooses the owner with the fewest running reports, and among equals the one chosen least recently; the same applies
   * to an owner's sites.
   */
  #next(): Waiting | null {
    return this.#waiting
      .filter(({ groups: [owner] }) => owner.running < this.#maxPerOwner)
      .reduce<Waiting | null>((best, waiting) => (best === null || isBefore(waiting, best) ? waiting : best), null);
  }

  #groupsOf({ siteId, owner }: Asker): Groups {
    return [this.#groupOf(`owner ${owner}`), this.#groupOf(`site ${siteId}`)];
  }

  #groupOf(key: string): Group {
    const known = this.#groups.get(key);
    if (known) return known;
    const group: Group = { key, running: 0, waiting: 0, served: 0 };
    this.#groups.set(key, group);
    return group;
  }

  #deleteIdle(groups: Groups): void {
    for (const { key, running, waiting } of groups) if (running === 0 && waiting === 0) this.#groups.delete(key);
  }
}

function isBefore({ groups: [owner, site] }: Waiting, { groups: [otherOwner, otherSite] }: Waiting): boolean {
  return (compare(owner, otherOwner) || compare(site, otherSite)) < 0;
}

function compare(a: Group, b: Group): number {
  return a.running - b.running || a.served - b.served;
}
