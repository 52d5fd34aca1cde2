/** The vectors of the catalogue's pictures: an item may have several, and in many catalogues most have none. */
import type { PlacedItem } from '../../domain/output/vectors.ts';
import { VectorColumns } from './vectorColumns.ts';

/** Estimated size of a row besides its vector. */
const ROW_BYTES = 32;

export class PictureColumns {
  /** Vectors by row, not by slot. */
  readonly #vectors = new VectorColumns();
  readonly #slotOf: number[] = [];
  readonly #rowsOf = new Map<number, number[]>();
  readonly #free: number[] = [];

  get bytes(): number {
    return this.#vectors.bytes + this.#slotOf.length * ROW_BYTES;
  }

  /** Replaces the pictures of a slot. */
  set(slot: number, pictures: readonly PlacedItem[]): void {
    const known = this.#rowsOf.get(slot) ?? [];
    for (const row of known) this.#vectors.set(row, null);
    this.#free.push(...known);
    this.#rowsOf.delete(slot);
    if (pictures.length === 0) return;
    const rows = pictures.map((picture) => {
      const row = this.#free.pop() ?? this.#slotOf.length;
      this.#slotOf[row] = slot;
      this.#vectors.set(row, picture);
      return row;
    });
    this.#rowsOf.set(slot, rows);
  }

  /**
   * Returns the slots with a picture whose cosine is at least `least`, each with the highest cosine of its pictures.
   */
  near(query: PlacedItem, least: number): Map<number, number> {
    const { slots: rows, cosines } = this.#vectors.allNear(query, this.#slotOf.length, least);
    const best = new Map<number, number>();
    for (const [at, row] of rows.entries()) {
      const slot = this.#slotOf[row] ?? -1;
      best.set(slot, Math.max(best.get(slot) ?? -1, cosines[at] ?? -1));
    }
    return best;
  }
}
