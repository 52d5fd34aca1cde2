/** Scores of items that are the same for everybody, by slot: popularity, trend and recency. */
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { trendShare, type Period } from '../../../domain/output/popularity.ts';
import { recencyAt } from '../../../domain/output/recency.ts';
import type { ItemColumns } from './itemColumns.ts';
import type { PopularityColumns } from './popularityColumns.ts';

/** The columns that the scores are computed from, those of the catalogue. */
interface Source {
  readonly size: number;
  readonly popularity: PopularityColumns;
  readonly columns: ItemColumns;
}

/** The size in bytes, as typed arrays have it. */
interface Sized {
  readonly byteLength: number;
}

/** Age from which scores are computed anew in any case; recency fades over weeks. */
const FRESH_MS = 60_000;
/**
 * Milliseconds per slot for which scores are kept although counts change, which happens every second while events
 * arrive. So computing them takes at most a hundredth of the time: all scores of 100,000 slots, which take some 80 ms,
 * are computed again every 10 s.
 */
const STALE_MS_PER_SLOT = 0.1;
/** With fewer slots, scores follow each change at once. */
const ALWAYS_FRESH_SLOTS = 2_000;
/**
 * Number of items that scores may lack because they are new: each ranking adds the score of their newness
 * (rank/beginTotals.ts).
 */
const MAX_LACKING = 1_000;
/**
 * Maximum age of scores that stand in while new ones are computed. Scores get older only if nobody has asked for a
 * while.
 */
const MAX_STAND_IN_MS = 2 * FRESH_MS;
/** Maximum number of cached scores. Periods make a dozen, and each experiment's model one or two. */
const MAX_KEPT = 24;

interface Kept {
  value: Sized;
  /** False for a value that was renewed and has not been used since. */
  isUsed: boolean;
  make(priors: Priors): Sized;
}

/**
 * The scores of one moment, each computed on first use, because each slot takes a logarithm. A large catalogue may have
 * slots that are newer than its scores.
 */
export class Priors {
  readonly #source: Source;
  readonly #kept = new LRUCache<string, Kept>({ max: MAX_KEPT });
  readonly #slots: number;
  readonly #changes: number;
  readonly #madeAt = performance.now();

  constructor(source: Source) {
    this.#source = source;
    this.#slots = source.size;
    this.#changes = source.popularity.changes;
  }

  get bytes(): number {
    return [...this.#kept.values()].reduce((sum, { value }) => sum + value.byteLength, 0);
  }

  get isCurrent(): boolean {
    const { size, popularity } = this.#source;
    const age = performance.now() - this.#madeAt;
    if (this.#lacksMany || age >= FRESH_MS) return false;
    return (this.#slots === size && this.#changes === popularity.changes) || age < this.#standMs;
  }

  /** True when answers may still use these scores while current ones are computed. */
  get isUsableWhileStale(): boolean {
    const age = performance.now() - this.#madeAt;
    return !this.#lacksMany && this.#slots >= ALWAYS_FRESH_SLOTS && age < MAX_STAND_IN_MS;
  }

  get #lacksMany(): boolean {
    return this.#source.size - this.#slots > MAX_LACKING;
  }

  get #standMs(): number {
    return this.#slots < ALWAYS_FRESH_SLOTS ? 0 : this.#slots * STALE_MS_PER_SLOT;
  }

  /** 0 to 1 for the most popular item of a period. */
  popularity(period: Period): Float32Array<ArrayBuffer> {
    return this.keep(`popularity ${period}`, (priors) => priors.#source.popularity.shares(period, priors.#slots));
  }

  /** 0 to 1 for the item that rises most within a period; 0 for one that does not rise. */
  trend(period: Period): Float32Array<ArrayBuffer> {
    return this.keep(`trend ${period}`, (priors) => {
      const { popularity } = priors.#source;
      const trends = priors.#ofSlots((slot) => popularity.trend(slot, period));
      const max = trends.reduce((largest, trend) => Math.max(largest, trend), 0);
      return trends.map((trend) => trendShare(trend, max));
    });
  }

  /** Returns the recency of any slot, including one that is newer than the scores. */
  recencyOf(slot: number): number {
    return this.recency[slot] ?? recencyAt(this.#source.columns.publishedAt(slot), Date.now());
  }

  /** 0 to 1 for an item published at this moment. */
  get recency(): Float32Array<ArrayBuffer> {
    return this.keep('recency', (priors) => {
      const { columns } = priors.#source;
      const now = Date.now();
      return priors.#ofSlots((slot) => recencyAt(columns.publishedAt(slot), now));
    });
  }

  /**
   * Caches values that a ranker derives from these scores, as long as the scores are valid.
   * @param name must be unique to one kind of value
   * @param make computes the value from the scores that it is given, which may be later ones
   */
  keep<T extends Sized>(name: string, make: (priors: Priors) => T): T {
    const known = this.#kept.get(name);
    if (known) {
      known.isUsed = true;
      return known.value as T;
    }
    const value = make(this);
    this.#kept.set(name, { value, make, isUsed: true });
    return value;
  }

  /**
   * Returns the scores of this moment, in which the values that were used are already computed. Other work of the
   * process runs between any two of these values.
   */
  async renewed(): Promise<Priors> {
    const next = new Priors(this.#source);
    const used = [...this.#kept.entries()].filter(([, { isUsed }]) => isUsed);
    // The least recently used ones come first, so that the cache drops these first again.
    for (const [name, { make }] of used.toReversed()) {
      await setImmediate();
      next.keep(name, make);
    }
    for (const kept of next.#kept.values()) kept.isUsed = false;
    return next;
  }

  #ofSlots(valueOf: (slot: number) => number): Float32Array<ArrayBuffer> {
    const values = new Float32Array(this.#slots);
    for (let slot = 0; slot < values.length; slot += 1) values[slot] = valueOf(slot);
    return values;
  }
}

/**
 * Keeps the scores of a catalogue up to date. Those of a large catalogue are computed anew between the answers, which
 * use the old ones meanwhile: computing all of them for one answer would hold up all others.
 */
export class SharedScores {
  readonly #source: Source;
  #priors: Priors | null = null;
  #isRenewing = false;

  constructor(source: Source) {
    this.#source = source;
  }

  get bytes(): number {
    return this.#priors?.bytes ?? 0;
  }

  get priors(): Priors {
    const known = this.#priors;
    if (known?.isCurrent) return known;
    if (!known?.isUsableWhileStale) return (this.#priors = new Priors(this.#source));
    if (!this.#isRenewing) void this.#renew(known);
    return known;
  }

  async #renew(known: Priors): Promise<void> {
    this.#isRenewing = true;
    try {
      const next = await known.renewed();
      if (this.#priors === known) this.#priors = next;
    } catch {
      // The next answer computes them itself, and meets the fault.
      if (this.#priors === known) this.#priors = null;
    } finally {
      this.#isRenewing = false;
    }
  }
}
