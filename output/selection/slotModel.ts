/** A published model by the slots of a catalogue. */
import type { Blend, ItemModel } from '../models/itemModel.ts';
import { NO_SLOT, placeWeights, type SlotWeights } from './slotWeights.ts';

export interface SlotModel {
  id: string;
  taste: SlotWeights;
  transition: SlotWeights;
  together: SlotWeights;
  blend: Blend;
  /** What it takes in memory. */
  bytes: number;
}

/**
 * Lays a model out while questions are answered.
 * @param slotOf of an item's id; items that the catalogue does not have are left out
 */
export async function placeModel(model: ItemModel, slotOf: (id: string) => number | undefined): Promise<SlotModel> {
  const slots = Uint32Array.from(model.ids, (id) => slotOf(id) ?? NO_SLOT);
  const taste = await placeWeights(model.taste, slots);
  const transition = await placeWeights(model.transition, slots);
  const together = await placeWeights(model.together, slots);
  const bytes = taste.bytes + transition.bytes + together.bytes;
  return { id: model.id, taste, transition, together, blend: model.blend, bytes };
}
