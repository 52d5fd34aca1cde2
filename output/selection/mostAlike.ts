/** Of many vectors those that may be near to one, by their signs: what is worth a comparison. */
import type { PlacedItem } from '../../domain/output/vectors.ts';
import type { VectorColumns } from './vectorColumns.ts';

const MOST_DISTANCE = 513;

export interface AlikeWanted {
  /** Slots in use. */
  slots: number;
  /** As many, and those that are as near as the last of them. */
  most: number;
  isAllowed?: (slot: number) => boolean;
}

/** Slots with the most signs in common, ascending; what cannot be compared is left out. */
export function mostAlike(
  vectors: VectorColumns,
  subject: PlacedItem,
  { slots, most, isAllowed = () => true }: AlikeWanted,
): number[] {
  const distanceOf = vectors.sketches.distanceTo(subject.vector);
  const isComparable = vectors.comparable(subject);
  const distances = new Uint16Array(slots).fill(MOST_DISTANCE);
  const counts = new Uint32Array(MOST_DISTANCE + 1);
  for (let slot = 0; slot < slots; slot += 1) {
    if (!isComparable(slot) || !isAllowed(slot)) continue;
    const distance = distanceOf(slot);
    distances[slot] = distance;
    counts[distance] = (counts[distance] as number) + 1;
  }
  let room = most;
  let furthest = 0;
  while (furthest < MOST_DISTANCE && room > 0) {
    room -= counts[furthest] as number;
    furthest += 1;
  }
  const found: number[] = [];
  for (let slot = 0; slot < slots; slot += 1) if ((distances[slot] as number) < furthest) found.push(slot);
  return found;
}
