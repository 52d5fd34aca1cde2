/** Weights between items by their slots in a catalogue, in the form that rankers need. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ItemWeights } from '../../models/itemModel.ts';

/** Targets of an item with their weights, as views that are valid until the catalogue gets another model. */
export interface WeightRow {
  slots: Uint32Array;
  weights: Float32Array;
}

const NO_ROW: WeightRow = { slots: new Uint32Array(0), weights: new Float32Array(0) };
/** Marks an item that the catalogue does not have. */
export const NO_SLOT = 0xffff_ffff;
/** Rows mapped between two questions, which takes 3 ms. */
const ROWS_IN_A_TURN = 5_000;

export class SlotWeights {
  /** The row of each slot; {@link NO_SLOT} for an item that the model does not know. */
  readonly #rowOf: Uint32Array;
  readonly #offsets: Uint32Array;
  readonly #slots: Uint32Array;
  readonly #weights: Float32Array;

  /** Called by {@link mapWeightsToSlots}. */
  constructor(rowOf: Uint32Array, { offsets, columns, weights }: ItemWeights) {
    this.#rowOf = rowOf;
    this.#offsets = offsets;
    this.#slots = columns;
    this.#weights = weights;
  }

  get bytes(): number {
    return this.#rowOf.byteLength + this.#offsets.byteLength + this.#slots.byteLength + this.#weights.byteLength;
  }

  /** Returns the row of a slot; empty for an item that the model does not know. */
  row(slot: number): WeightRow {
    const row = this.#rowOf[slot] ?? NO_SLOT;
    if (row === NO_SLOT) return NO_ROW;
    const from = this.#offsets[row] as number;
    const to = this.#offsets[row + 1] as number;
    return { slots: this.#slots.subarray(from, to), weights: this.#weights.subarray(from, to) };
  }
}

/**
 * Maps weights to slots; questions are answered meanwhile.
 * @param slotOf the slot of each of the model's items; {@link NO_SLOT} for items that the catalogue does not have,
 * which are left out
 */
export async function mapWeightsToSlots(given: ItemWeights, slotOf: Uint32Array): Promise<SlotWeights> {
  const rows = given.offsets.length - 1;
  const rowOf = new Uint32Array(slotsIn(slotOf)).fill(NO_SLOT);
  const mapped: ItemWeights = {
    offsets: new Uint32Array(given.offsets.length),
    columns: new Uint32Array(given.columns.length),
    weights: new Float32Array(given.columns.length),
  };
  for (let row = 0; row < rows; row += 1) {
    if (row % ROWS_IN_A_TURN === 0) await nextTurn();
    const own = slotOf[row] ?? NO_SLOT;
    if (own !== NO_SLOT) rowOf[own] = row;
    mapped.offsets[row + 1] = own === NO_SLOT ? (mapped.offsets[row] as number) : mapRow(given, row, slotOf, mapped);
  }
  return new SlotWeights(rowOf, mapped);
}

/** @returns the end of the row */
function mapRow({ offsets, columns, weights }: ItemWeights, row: number, slotOf: Uint32Array, to: ItemWeights): number {
  let end = to.offsets[row] as number;
  for (let at = offsets[row] as number; at < (offsets[row + 1] as number); at += 1) {
    const slot = slotOf[columns[at] as number] ?? NO_SLOT;
    if (slot === NO_SLOT) continue;
    to.columns[end] = slot;
    to.weights[end] = weights[at] as number;
    end += 1;
  }
  return end;
}

/** Returns the number of slots needed: the largest slot plus one. */
export function slotsIn(slotOf: Uint32Array): number {
  let slots = 0;
  for (const slot of slotOf) if (slot !== NO_SLOT && slot >= slots) slots = slot + 1;
  return slots;
}
