/** A least-recently-used cache of pieces with a fixed number of slots. */

export interface Placement {
  /** The slot of each id, in the order of the ids. */
  slots: Int32Array;
  /** Distinct pieces whose rows are still to be written. */
  missing: { id: number; slot: number }[];
}

/** Returns a function that assigns slots to a text's pieces, of which at most `count` may be distinct. */
export function createPieceSlots(count: number): (ids: readonly number[]) => Placement {
  /** Sorted by last use: a map keeps the order in which keys were set. */
  const slotOf = new Map<number, number>();

  function freeSlot(): number {
    const [oldest] = slotOf;
    if (slotOf.size < count || oldest === undefined) return slotOf.size;
    slotOf.delete(oldest[0]);
    return oldest[1];
  }

  return (ids) => {
    const missing: Placement['missing'] = [];
    const slots = Int32Array.from(ids, (id) => {
      const known = slotOf.get(id);
      const slot = known ?? freeSlot();
      if (known === undefined) missing.push({ id, slot });
      else slotOf.delete(id);
      slotOf.set(id, slot);
      return slot;
    });
    return { slots, missing };
  };
}
