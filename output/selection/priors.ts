/** What speaks for an item whoever asks: that it is popular, and that it is new. */
import { recencyAt } from '../../domain/output/recency.ts';
import type { Catalogue } from './catalogue.ts';

export interface Priors {
  /** By slot, from 0 to 1 for the most popular item. */
  popularity: Float32Array;
  /** By slot, from 0 to 1 for what is published at this moment. */
  recency: Float32Array;
}

interface Kept extends Priors {
  slots: number;
  changes: number;
  madeAt: number;
}

/** Novelty fades over weeks. */
const FRESH_MS = 60_000;

const kept = new WeakMap<Catalogue, Kept>();

/** Of all slots; novelty is at most a minute old. */
export function priorsOf(catalogue: Catalogue): Priors {
  const slots = catalogue.size;
  const { changes } = catalogue.popularity;
  const known = kept.get(catalogue);
  const madeAt = performance.now();
  if (known?.slots === slots && known.changes === changes && madeAt - known.madeAt < FRESH_MS) return known;
  const made = { popularity: new Float32Array(slots), recency: new Float32Array(slots), slots, changes, madeAt };
  const now = Date.now();
  for (let slot = 0; slot < slots; slot += 1) {
    made.popularity[slot] = catalogue.popularity.share(slot);
    made.recency[slot] = recencyAt(catalogue.columns.publishedAt(slot), now);
  }
  kept.set(catalogue, made);
  return made;
}
