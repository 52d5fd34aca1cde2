/** Finds items whose vectors are near to a query's. */
import type { ItemVector } from '../../../domain/output/vectors.ts';
import { TopSlots, type ScoredSlots } from '../../selection/vectors/topSlots.ts';
import type { NearSlots, VectorColumns } from '../../selection/vectors/vectorColumns.ts';

/**
 * Maximum number of hits by meaning alone, and of those by pictures: people do not look further, and totals and facets
 * should not include barely similar items.
 */
export const MAX_HITS = 100;
/** Such a hit exceeds the threshold by at least this share of the margin of the best hit. */
const SHARE_OF_BEST = 0.5;

export interface MeaningHits {
  /** Ordered by cosine, the nearest first. */
  slots: Uint32Array;
  cosines: Float32Array;
}

/**
 * Returns slots whose cosine is at least the model's threshold, and not much less than the nearest one's.
 * @param isAllowed test of a slot by the rest of the question
 */
export function nearestByMeaning(
  vectors: VectorColumns,
  query: ItemVector,
  { slots, threshold, isAllowed }: { slots: number; threshold: number; isAllowed: (slot: number) => boolean },
): MeaningHits {
  const found = vectors.near(query, { slots, minCosine: threshold, wanted: 0 });
  const best = bestOf(found, isAllowed);
  const isEnough = found.isAll || best.slots.length === MAX_HITS;
  // When the rules reject many of these, slots that are near enough and allowed may be missing.
  const near = isEnough ? best : bestOf(vectors.allNear(query, slots, minCosineFor(best, threshold)), isAllowed);
  const minCosine = minCosineFor(near, threshold);
  const count = near.scores.filter((cosine) => cosine >= minCosine).length;
  return { slots: near.slots.subarray(0, count), cosines: near.scores.subarray(0, count) };
}

/** Returns the cosine from which slots are hits, given the nearest ones. */
function minCosineFor({ scores }: ScoredSlots, threshold: number): number {
  return threshold + SHARE_OF_BEST * ((scores[0] ?? threshold) - threshold);
}

function bestOf({ slots, cosines }: NearSlots, isAllowed: (slot: number) => boolean): ScoredSlots {
  const top = new TopSlots(MAX_HITS);
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] as number;
    const cosine = cosines[at] as number;
    // Rules cost more than a comparison, so they are checked only for slots that would be kept.
    if (top.hasRoom(slot, cosine) && isAllowed(slot)) top.offer(slot, cosine);
  }
  return top.take();
}
