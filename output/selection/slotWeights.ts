/** Weights between items by their slots in a catalogue, as rankers look them up. */
import type { ItemWeights } from '../models/itemModel.ts';

/** Targets of an item with their weights: views that hold until the catalogue takes another model. */
export interface WeightRow {
  slots: Uint32Array;
  weights: Float32Array;
}

const NO_ROW: WeightRow = { slots: new Uint32Array(0), weights: new Float32Array(0) };
/** An item that the catalogue does not have. */
export const NO_SLOT = 0xffff_ffff;

export class SlotWeights {
  /** The row of each slot; {@link NO_SLOT} for one that the model does not know. */
  readonly #rowOf: Uint32Array;
  readonly #offsets: Uint32Array;
  readonly #slots: Uint32Array;
  readonly #weights: Float32Array;

  /**
   * @param slotOf the slot of each of the model's items; {@link NO_SLOT} for what the catalogue does not have, which is
   *   left out
   */
  constructor({ offsets, columns, weights }: ItemWeights, slotOf: Uint32Array) {
    const rows = offsets.length - 1;
    this.#offsets = new Uint32Array(offsets.length);
    this.#slots = new Uint32Array(columns.length);
    this.#weights = new Float32Array(columns.length);
    this.#rowOf = new Uint32Array(slotsIn(slotOf)).fill(NO_SLOT);
    let kept = 0;
    for (let row = 0; row < rows; row += 1) {
      const own = slotOf[row] ?? NO_SLOT;
      if (own !== NO_SLOT) this.#rowOf[own] = row;
      const end = own === NO_SLOT ? 0 : (offsets[row + 1] as number);
      for (let at = offsets[row] as number; at < end; at += 1) {
        const slot = slotOf[columns[at] as number] ?? NO_SLOT;
        if (slot === NO_SLOT) continue;
        this.#slots[kept] = slot;
        this.#weights[kept] = weights[at] as number;
        kept += 1;
      }
      this.#offsets[row + 1] = kept;
    }
  }

  get bytes(): number {
    return this.#rowOf.byteLength + this.#offsets.byteLength + this.#slots.byteLength + this.#weights.byteLength;
  }

  /** Empty for an item that the model does not know. */
  row(slot: number): WeightRow {
    const row = this.#rowOf[slot] ?? NO_SLOT;
    if (row === NO_SLOT) return NO_ROW;
    const from = this.#offsets[row] as number;
    const to = this.#offsets[row + 1] as number;
    return { slots: this.#slots.subarray(from, to), weights: this.#weights.subarray(from, to) };
  }
}

function slotsIn(slotOf: Uint32Array): number {
  let slots = 0;
  for (const slot of slotOf) if (slot !== NO_SLOT && slot >= slots) slots = slot + 1;
  return slots;
}
