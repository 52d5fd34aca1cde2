/** Finds pictures by their look: those near to a query in the space of a model that reads both pictures and text. */
import type { PlacedItem } from '../../../domain/output/vectors.ts';
import { TopSlots } from '../../selection/topSlots.ts';
import type { PictureColumns } from '../../selection/pictureColumns.ts';

/** As in search by meaning: people do not look further. */
const MOST_HITS = 100;
const LEAST_LIKENESS = 0.5;

/**
 * Returns how much slots look like the query, with 1 for the best. Cosines of pictures and words are small and close
 * together, so they are meaningful only relative to each other. Slots that exceed the model's threshold by less than
 * half as much as the best one are left out.
 */
export function likeInSight(
  pictures: PictureColumns,
  { placed, threshold }: { placed: PlacedItem; threshold: number },
  isAllowed: (slot: number) => boolean,
): Map<number, number> {
  const top = new TopSlots(MOST_HITS);
  for (const [slot, cosine] of pictures.near(placed, threshold))
    if (top.hasRoom(slot, cosine) && isAllowed(slot)) top.offer(slot, cosine);
  const { slots, scores } = top.take();
  const span = (scores[0] ?? 0) - threshold;
  const likenesses = Array.from(slots, (slot, at): [number, number] => [
    slot,
    span > 0 ? ((scores[at] ?? 0) - threshold) / span : 1,
  ]);
  return new Map(likenesses.filter(([, likeness]) => likeness >= LEAST_LIKENESS));
}
