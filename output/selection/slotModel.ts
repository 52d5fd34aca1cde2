/** A published model by the slots of a catalogue. */
import type { Blend, ItemModel } from '../models/itemModel.ts';
import { NO_SLOT, SlotWeights } from './slotWeights.ts';

export interface SlotModel {
  id: string;
  taste: SlotWeights;
  transition: SlotWeights;
  together: SlotWeights;
  blend: Blend;
  /** What it takes in memory. */
  bytes: number;
}

/** @param slotOf of an item's id; items that the catalogue does not have are left out */
export function slotModelOf(model: ItemModel, slotOf: (id: string) => number | undefined): SlotModel {
  const slots = Uint32Array.from(model.ids, (id) => slotOf(id) ?? NO_SLOT);
  const taste = new SlotWeights(model.taste, slots);
  const transition = new SlotWeights(model.transition, slots);
  const together = new SlotWeights(model.together, slots);
  const bytes = taste.bytes + transition.bytes + together.bytes;
  return { id: model.id, taste, transition, together, blend: model.blend, bytes };
}
