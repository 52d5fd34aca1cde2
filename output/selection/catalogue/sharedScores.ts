/** Scores of items that are the same for everybody, by slot: popularity, trend and recency. */
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

/** How long recency scores are cached; recency fades over weeks. */
const FRESH_MS = 60_000;
/**
 * Milliseconds per slot for which scores are kept although counts change, which happens every second while events
 * arrive. So computing them takes at most a five-hundredth of the time: 100,000 slots, which take about 20 ms, are
 * scored again every 10 s.
 */
const STAND_MS_PER_SLOT = 0.1;
/** With fewer slots, scores follow each change. */
const ALWAYS_FRESH_SLOTS = 2_000;
/** Maximum number of cached scores. Periods make a dozen, and each experiment's model one or two. */
const MAX_KEPT = 24;

/**
 * Computed on first use and cached until something changes, because each slot takes a logarithm. Recency is at most
 * {@link FRESH_MS} old, and the popularity of a large catalogue a few seconds.
 */
export class Priors {
  readonly #source: Source;
  readonly #made = new LRUCache<string, Sized>({ max: MAX_KEPT });
  readonly #slots: number;
  readonly #changes: number;
  readonly #madeAt = performance.now();

  constructor(source: Source) {
    this.#source = source;
    this.#slots = source.size;
    this.#changes = source.popularity.changes;
  }

  get bytes(): number {
    return [...this.#made.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  get isCurrent(): boolean {
    const { size, popularity } = this.#source;
    const age = performance.now() - this.#madeAt;
    if (this.#slots !== size || age >= FRESH_MS) return false;
    return this.#changes === popularity.changes || age < this.#standMs;
  }

  get #standMs(): number {
    return this.#slots < ALWAYS_FRESH_SLOTS ? 0 : this.#slots * STAND_MS_PER_SLOT;
  }

  /** 0 to 1 for the most popular item of a period. */
  popularity(period: Period): Float32Array<ArrayBuffer> {
    const { popularity } = this.#source;
    return this.keep(`popularity ${period}`, () => this.#ofSlots((slot) => popularity.share(slot, period)));
  }

  /** 0 to 1 for the item that rises most within a period; 0 for one that does not rise. */
  trend(period: Period): Float32Array<ArrayBuffer> {
    const { popularity } = this.#source;
    return this.keep(`trend ${period}`, () => {
      const trends = this.#ofSlots((slot) => popularity.trend(slot, period));
      const most = trends.reduce((largest, trend) => Math.max(largest, trend), 0);
      return trends.map((trend) => trendShare(trend, most));
    });
  }

  /** 0 to 1 for an item published at this moment. */
  get recency(): Float32Array<ArrayBuffer> {
    const { columns } = this.#source;
    const now = Date.now();
    return this.keep('recency', () => this.#ofSlots((slot) => recencyAt(columns.publishedAt(slot), now)));
  }

  /**
   * Caches values that a ranker derives from these scores, as long as the scores are valid. @param name must be unique
   * to one kind of value
   */
  keep<T extends Sized>(name: string, make: () => T): T {
    const known = this.#made.get(name);
    if (known) return known as T;
    const made = make();
    this.#made.set(name, made);
    return made;
  }

  #ofSlots(valueOf: (slot: number) => number): Float32Array<ArrayBuffer> {
    const values = new Float32Array(this.#slots);
    for (let slot = 0; slot < values.length; slot += 1) values[slot] = valueOf(slot);
    return values;
  }
}
