/** Which piece's row is kept where: a fixed number of slots, of which the piece that was wanted longest ago loses its own. */

export interface Placement {
  /** The slot of each id, in the order of the ids. */
  slots: Int32Array;
  /** Pieces whose rows are still to be written, once each. */
  missing: { id: number; slot: number }[];
}

/** @returns the slots of a text's pieces; of different ones it has at most `count` */
export function createPieceSlots(count: number): (ids: readonly number[]) => Placement {
  /** In the order of their last use: a map keeps the order in which keys were set. */
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
