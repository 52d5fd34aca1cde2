/** What is near to a query by its vector. */
import type { PlacedItem } from '../../../domain/output/vectors.ts';
import { TopSlots, type ScoredSlots } from '../../selection/topSlots.ts';
import type { NearSlots, VectorColumns } from '../../selection/vectorColumns.ts';

/** Hits by meaning alone: a person does not look further, and totals and facets are not made of what is hardly like it. */
const MOST_HITS = 100;
/** Such a hit has this share of the best one's distance from the threshold at least. */
const SHARE_OF_BEST = 0.5;

export interface MeaningHits {
  /** The nearest first. */
  slots: Uint32Array;
  cosines: Float32Array;
}

/**
 * Slots whose cosine is at least the model's threshold, and that are not much further than the nearest.
 * @param isAllowed what the rest of the question allows
 */
export function nearestByMeaning(
  vectors: VectorColumns,
  query: PlacedItem,
  { slots, threshold, isAllowed }: { slots: number; threshold: number; isAllowed: (slot: number) => boolean },
): MeaningHits {
  const found = vectors.near(query, slots, threshold);
  const best = bestOf(found, isAllowed);
  // Rules that hardly anything passes may leave what is further away.
  const isEnough = found.isAll || best.slots.length === MOST_HITS;
  const { slots: near, scores: cosines } = isEnough
    ? best
    : bestOf(vectors.allNear(query, slots, threshold), isAllowed);
  const least = threshold + SHARE_OF_BEST * ((cosines[0] ?? 0) - threshold);
  const count = cosines.filter((cosine) => cosine >= least).length;
  return { slots: near.subarray(0, count), cosines: cosines.subarray(0, count) };
}

function bestOf({ slots, cosines }: NearSlots, isAllowed: (slot: number) => boolean): ScoredSlots {
  const top = new TopSlots(MOST_HITS);
  let { bar } = top;
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] as number;
    const cosine = cosines[at] as number;
    // Rules cost more than a comparison: they are asked of what would find room.
    if (cosine <= bar || !isAllowed(slot)) continue;
    top.offer(slot, cosine);
    ({ bar } = top);
  }
  return top.take();
}
