/** The vectors of the catalogue's pictures: an item may have several, and in many catalogues most have none. */
import type { ItemVector, PictureVector } from '../../../domain/output/vectors.ts';
import { VectorColumns } from './vectorColumns.ts';

/** Estimated size of a row besides its vector. */
const ROW_BYTES = 32;

/** The picture of an item that is nearest to a query. */
export interface NearestPicture {
  cosine: number;
  /** Its number among the item's pictures. */
  ordinal: number;
}

export class PictureColumns {
  /** Vectors by row, not by slot. */
  readonly #vectors = new VectorColumns();
  readonly #slotOf: number[] = [];
  readonly #ordinalOf: number[] = [];
  readonly #rowsOf = new Map<number, number[]>();
  readonly #free: number[] = [];

  get bytes(): number {
    return this.#vectors.bytes + this.#slotOf.length * ROW_BYTES;
  }

  /** Replaces the pictures of a slot. */
  set(slot: number, pictures: readonly PictureVector[]): void {
    const known = this.#rowsOf.get(slot) ?? [];
    for (const row of known) this.#vectors.set(row, null);
    this.#free.push(...known);
    this.#rowsOf.delete(slot);
    if (pictures.length === 0) return;
    const rows = pictures.map((picture) => {
      const row = this.#free.pop() ?? this.#slotOf.length;
      this.#slotOf[row] = slot;
      this.#ordinalOf[row] = picture.ordinal;
      this.#vectors.set(row, picture);
      return row;
    });
    this.#rowsOf.set(slot, rows);
  }

  /** Number of all pictures. */
  get count(): number {
    return this.#slotOf.length - this.#free.length;
  }

  /** Returns the cosines of a query with at most `limit` pictures, taken at even intervals. */
  sample(query: ItemVector, limit: number): number[] {
    const every = Math.max(1, Math.ceil(this.#slotOf.length / limit));
    const rows = Uint32Array.from({ length: Math.ceil(this.#slotOf.length / every) }, (_, at) => at * every);
    return [...this.#vectors.compare(query, rows)].filter((cosine) => !Number.isNaN(cosine));
  }

  /**
   * Returns the slots with a picture whose cosine is at least `minCosine`, each with the nearest of its pictures.
   */
  near(query: ItemVector, minCosine: number): Map<number, NearestPicture> {
    const { slots: rows, cosines } = this.#vectors.allNear(query, this.#slotOf.length, minCosine);
    const best = new Map<number, NearestPicture>();
    for (const [at, row] of rows.entries()) {
      const slot = this.#slotOf[row] ?? -1;
      const cosine = cosines[at] ?? -1;
      if (cosine > (best.get(slot)?.cosine ?? -Infinity))
        best.set(slot, { cosine, ordinal: this.#ordinalOf[row] ?? 0 });
    }
    return best;
  }
}
