/** A model by the slots of a catalogue. */
import type { Blend } from '../../models/itemModel.ts';
import type { StoredItemModel } from '../../models/modelFile.ts';
import { NO_SLOT, mapWeightsToSlots, slotsIn, type SlotWeights } from './slotWeights.ts';

/** The part that counts orders, and says nothing about what a person likes. */
export interface SlotPairs {
  /** The training that it is from. */
  id: string;
  together: SlotWeights;
  /** Size in memory. */
  bytes: number;
}

export interface SlotModel extends SlotPairs {
  taste: SlotWeights;
  transition: SlotWeights;
  blend: Blend;
  /** Returns how many people had met an item when the model was made; 0 for an unknown item. */
  peopleOf(slot: number): number;
}

/**
 * Maps a model to slots, and yields to questions meanwhile.
 * @param slotOf returns the slot of an item id; items that the catalogue does not have are left out
 */
export async function mapModelToSlots(
  model: StoredItemModel,
  slotOf: (id: string) => number | undefined,
): Promise<SlotModel> {
  const slots = Uint32Array.from(model.ids, (id) => slotOf(id) ?? NO_SLOT);
  const taste = await mapWeightsToSlots(model.taste, slots);
  const transition = await mapWeightsToSlots(model.transition, slots);
  const together = await mapWeightsToSlots(model.together, slots);
  const people = new Uint32Array(slotsIn(slots));
  for (const [row, slot] of slots.entries()) if (slot !== NO_SLOT) people[slot] = model.people[row] ?? 0;
  return {
    id: model.id,
    taste,
    transition,
    together,
    blend: model.blend,
    peopleOf: (slot) => people[slot] ?? 0,
    bytes: taste.bytes + transition.bytes + together.bytes + people.byteLength,
  };
}
