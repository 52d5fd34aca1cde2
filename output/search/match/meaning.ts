/** What is near to a query by its vector. */
import type { PlacedItem } from '../../../domain/output/vectors.ts';
import { mostAlike } from '../../selection/mostAlike.ts';
import type { VectorColumns } from '../../selection/vectorColumns.ts';

/** Slots whose vectors are compared, those with the most signs in common. */
const COMPARED = 2_000;
/** Hits by meaning alone: a person does not look further, and totals and facets are not made of what is hardly like it. */
const MOST_HITS = 100;
/** Such a hit has this share of the best one's distance from the threshold at least. */
const SHARE_OF_BEST = 0.5;

export interface MeaningHits {
  /** The nearest first. */
  slots: readonly number[];
  cosines: readonly number[];
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
  const cosineOf = vectors.scorerTo(query);
  const near = mostAlike(vectors, query, { slots, most: COMPARED, isAllowed })
    .map((slot) => ({ slot, cosine: cosineOf(slot) }))
    .filter(({ cosine }) => cosine >= threshold)
    .toSorted((a, b) => b.cosine - a.cosine || a.slot - b.slot);
  const least = threshold + SHARE_OF_BEST * ((near[0]?.cosine ?? 0) - threshold);
  const hits = near.filter(({ cosine }) => cosine >= least).slice(0, MOST_HITS);
  return { slots: hits.map(({ slot }) => slot), cosines: hits.map(({ cosine }) => cosine) };
}
