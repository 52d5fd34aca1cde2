/** Computes the neighbour lists of popular items before anybody asks for them. */
import { topPlaces } from '../topNumbers.ts';
import type { Catalogue } from './catalogue.ts';

/** Lists take a few milliseconds each; questions that arrive meanwhile are answered after this time. */
const TURN_MS = 3;
/** Share of the time that is spent while people ask questions, and while nobody does. */
const SHARE = { busy: 0.1, idle: 0.5 };

export interface AheadSettings {
  /** Number of items whose lists are computed. */
  most: number;
  /** Returns false when the catalogue has been dropped or the process stops. */
  isHeld(): boolean;
  /** Returns true while people ask questions about the catalogue. */
  isBusy(): boolean;
  pause(ms: number): Promise<void>;
}

/**
 * Computes missing and outdated lists, those of the most popular items first, and leaves most of the time to questions.
 * Lists that are cached and current cost next to nothing.
 */
export async function computeNeighboursAhead(
  catalogue: Catalogue,
  { most, isHeld, isBusy, pause }: AheadSettings,
): Promise<void> {
  let begun = performance.now();
  for (const slot of popularSlots(catalogue, most)) {
    catalogue.neighboursOf(slot);
    const spent = performance.now() - begun;
    if (spent < TURN_MS) continue;
    const share = isBusy() ? SHARE.busy : SHARE.idle;
    await pause(spent * (1 / share - 1));
    if (!isHeld()) return;
    begun = performance.now();
  }
}

/** Returns the slots with vectors that people have met lately, the most popular first. */
function popularSlots({ popularity, vectors, size }: Catalogue, most: number): Uint32Array {
  const totals = Float32Array.from({ length: size }, (_, slot) =>
    vectors.modelOf(slot) === null ? 0 : popularity.total(slot),
  );
  return topPlaces(totals, most).filter((slot) => (totals[slot] ?? 0) > 0);
}
