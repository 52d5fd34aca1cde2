/** How popular the items of a catalogue are, by their slots. */
import { shareOf, SUMS, totalAt, trendOf, USUAL_PERIOD, type Period } from '../../domain/output/popularity.ts';
import { withRoom } from '../columns.ts';

export class PopularityColumns {
  /** {@link SUMS} numbers for each slot. */
  #sums = new Float32Array(0);
  /** The largest total of each period; null: to be looked for. */
  #most: (number | null)[] = Array.from({ length: SUMS }, () => null);

  /** Grows with every change. */
  changes = 0;

  get bytes(): number {
    return this.#sums.byteLength;
  }

  /** @param sums as domain/output/popularity.ts lists them; empty: nobody did anything */
  set(slot: number, sums: readonly number[]): void {
    this.#sums = withRoom(this.#sums, (slot + 1) * SUMS);
    for (let at = 0; at < SUMS; at += 1) this.#sums[slot * SUMS + at] = sums[at] ?? 0;
    this.#most.fill(null);
    this.changes += 1;
  }

  /** Weighted people within a period; 0 for an item of which nothing is known. */
  total(slot: number, period: Period = USUAL_PERIOD): number {
    return this.#sums[slot * SUMS + totalAt(period)] ?? 0;
  }

  /** In standard deviations; negative for what falls. */
  trend(slot: number, period: Period = USUAL_PERIOD): number {
    const at = slot * SUMS + totalAt(period);
    return trendOf(this.#sums[at + 1] ?? 0, this.#sums[at + 2] ?? 0);
  }

  /** The prior of a ranking: from 0 to 1 for the most popular item, by the logarithm of the totals. */
  share(slot: number, period: Period = USUAL_PERIOD): number {
    return shareOf(this.total(slot, period), this.#mostOf(period));
  }

  #mostOf(period: Period): number {
    const first = totalAt(period);
    const known = this.#most[first];
    if (typeof known === 'number') return known;
    let most = 0;
    for (let at = first; at < this.#sums.length; at += SUMS) most = Math.max(most, this.#sums[at] ?? 0);
    this.#most[first] = most;
    return most;
  }
}
