/** What is near to a query by its vector. */
import type { PlacedItem } from '../../../domain/output/vectors.ts';
import { TopSlots } from '../../selection/topSlots.ts';
import type { VectorColumns } from '../../selection/vectorColumns.ts';

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
  const top = new TopSlots(MOST_HITS);
  const all = vectors.compareAll(query, slots);
  for (let slot = 0; slot < all.length; slot += 1) {
    const cosine = all[slot] as number;
    // Rules cost more than a comparison: they are asked of what would find room.
    if (cosine >= threshold && !top.isTooLow(cosine) && isAllowed(slot)) top.offer(slot, cosine);
  }
  const { slots: near, scores: cosines } = top.take();
  const least = threshold + SHARE_OF_BEST * ((cosines[0] ?? 0) - threshold);
  const found = cosines.filter((cosine) => cosine >= least).length;
  return { slots: near.subarray(0, found), cosines: cosines.subarray(0, found) };
}
