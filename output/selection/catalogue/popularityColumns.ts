/** The popularity of a catalogue's items, by slot. */
import {
  shareOf,
  SUMS,
  totalAt,
  trendOf,
  USUAL_PERIOD,
  type DecayedSums,
  type Period,
} from '../../../domain/output/popularity.ts';
import { withRoom } from '../../growableColumns.ts';
import { DAY_MS } from '../../../domain/timeUnits.ts';

/** The largest total of any item, and the fading sums of all items. */
interface OfAll extends DecayedSums {
  max: number;
}

export class PopularityColumns {
  /** {@link SUMS} numbers per slot. */
  #sums = new Float32Array(0);
  /** For each slot, the first day on which somebody met it, since 1970, plus 1; 0 when none is known. */
  #firstDays = new Uint32Array(0);
  /** By period, for the periods used since the last change. */
  readonly #ofAll = new Map<Period, OfAll>();

  /** Increases with every change. */
  changes = 0;

  get bytes(): number {
    return this.#sums.byteLength + this.#firstDays.byteLength;
  }

  /**
   * @param sums in the order of domain/output/popularity.ts; empty when nobody did anything
   * @param firstDay the first counted day, as its number since 1970
   */
  set(slot: number, sums: readonly number[], firstDay?: number): void {
    this.#sums = withRoom(this.#sums, (slot + 1) * SUMS);
    for (let at = 0; at < SUMS; at += 1) this.#sums[slot * SUMS + at] = sums[at] ?? 0;
    this.#firstDays = withRoom(this.#firstDays, slot + 1);
    this.#firstDays[slot] = firstDay === undefined ? 0 : firstDay + 1;
    this.#ofAll.clear();
    this.changes += 1;
  }

  /** Returns the start of the first counted day in milliseconds since 1970; infinity for an item without counts. */
  firstMetAt(slot: number): number {
    const day = this.#firstDays[slot] ?? 0;
    return day === 0 ? Infinity : (day - 1) * DAY_MS;
  }

  /** Returns the weighted number of people within a period; 0 for an item without counts. */
  total(slot: number, period: Period = USUAL_PERIOD): number {
    return this.#sums[slot * SUMS + totalAt(period)] ?? 0;
  }

  /** Returns the trend in standard deviations; negative for an item that falls behind the others. */
  trend(slot: number, period: Period = USUAL_PERIOD): number {
    const at = slot * SUMS + totalAt(period);
    return trendOf(this.#sums[at + 1] ?? 0, this.#sums[at + 2] ?? 0, this.#allOf(period));
  }

  /**
   * Returns the prior of a ranking for the first slots: 0 to 1 for the most popular item (domain/output/popularity.ts).
   */
  shares(period: Period, slots: number): Float32Array<ArrayBuffer> {
    const { max } = this.#allOf(period);
    const shares = new Float32Array(slots);
    const end = Math.min(slots * SUMS, this.#sums.length);
    for (let at = totalAt(period), slot = 0; at < end; at += SUMS, slot += 1)
      shares[slot] = shareOf(this.#sums[at] as number, max);
    return shares;
  }

  #allOf(period: Period): OfAll {
    const known = this.#ofAll.get(period);
    if (known) return known;
    const all = { max: 0, fast: 0, slow: 0 };
    for (let at = totalAt(period); at < this.#sums.length; at += SUMS) {
      all.max = Math.max(all.max, this.#sums[at] ?? 0);
      all.fast += this.#sums[at + 1] ?? 0;
      all.slow += this.#sums[at + 2] ?? 0;
    }
    this.#ofAll.set(period, all);
    return all;
  }
}
