/** Finds pictures by their look: those near to a query in the space of a model that reads both pictures and text. */
import { pictureThreshold } from '../../../domain/output/similarity/pictureThreshold.ts';
import { TopSlots } from '../../selection/vectors/topSlots.ts';
import type { PictureColumns } from '../../selection/vectors/pictureColumns.ts';
import type { ItemVector } from '../../../domain/output/vectors.ts';
import { MAX_HITS } from './meaningHits.ts';

const MIN_LIKENESS = 0.5;

/**
 * Number of sampled pictures, most of which do not match: their cosines set the threshold. Comparing them takes 1 ms.
 */
const SAMPLED = 1_000;

export interface PictureMatch {
  /** 1 for the picture that looks most like the query. */
  likeness: number;
  /** The number of that picture among the item's. */
  ordinal: number;
}

/**
 * Returns how much slots look like the query. Cosines of pictures and words are small and close together, so they are
 * meaningful only relative to each other. Slots that exceed the threshold by less than half as much as the best one are
 * left out. The threshold is the configured one, or follows from the distribution of the query's cosines.
 */
export function matchPictures(
  pictures: PictureColumns,
  { placed, threshold: fixed, isMeasured = true }: { placed: ItemVector; threshold: number; isMeasured?: boolean },
  isAllowed: (slot: number) => boolean,
): Map<number, PictureMatch> {
  const threshold = isMeasured
    ? fixed
    : pictureThreshold(placed.model, pictures.sample(placed, SAMPLED), pictures.count);
  const near = pictures.near(placed, threshold);
  const top = new TopSlots(MAX_HITS);
  for (const [slot, { cosine }] of near) if (top.hasRoom(slot, cosine) && isAllowed(slot)) top.offer(slot, cosine);
  const { slots, scores } = top.take();
  const span = (scores[0] ?? 0) - threshold;
  const likenesses = Array.from(slots, (slot, at): [number, PictureMatch] => [
    slot,
    { likeness: span > 0 ? ((scores[at] ?? 0) - threshold) / span : 1, ordinal: near.get(slot)?.ordinal ?? 0 },
  ]);
  return new Map(likenesses.filter(([, { likeness }]) => likeness >= MIN_LIKENESS));
}
