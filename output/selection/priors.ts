/** Scores of items that are the same for everyone, by slot: popularity, trend and recency. */
import { trendShare, type Period } from '../../domain/output/popularity.ts';
import { recencyAt } from '../../domain/output/recency.ts';
import type { Catalogue } from './catalogue.ts';

export interface Priors {
  /** From 0 to 1 for the most popular item of a period. */
  popularity(period: Period): Float32Array;
  /** From 0 to 1 for what rises most within a period; 0 for what does not. */
  trend(period: Period): Float32Array;
  /** From 0 to 1 for what is published at this moment. */
  recency: Float32Array;
}

interface Kept extends Priors {
  slots: number;
  changes: number;
  madeAt: number;
}

/** How long recency is kept: it fades over weeks. */
const FRESH_MS = 60_000;

const kept = new WeakMap<Catalogue, Kept>();

/**
 * Kept until something changes, because every slot takes a logarithm. Recency is at most {@link FRESH_MS} old.
 */
export function priorsOf(catalogue: Catalogue): Priors {
  const slots = catalogue.size;
  const { changes } = catalogue.popularity;
  const known = kept.get(catalogue);
  const madeAt = performance.now();
  if (known?.slots === slots && known.changes === changes && madeAt - known.madeAt < FRESH_MS) return known;
  const now = Date.now();
  const made: Kept = {
    popularity: byPeriod((period) => ofSlots(slots, (slot) => catalogue.popularity.share(slot, period))),
    trend: byPeriod((period) => trendsOf(catalogue, slots, period)),
    recency: ofSlots(slots, (slot) => recencyAt(catalogue.columns.publishedAt(slot), now)),
    slots,
    changes,
    madeAt,
  };
  kept.set(catalogue, made);
  return made;
}

function byPeriod(make: (period: Period) => Float32Array): (period: Period) => Float32Array {
  const made = new Map<Period, Float32Array>();
  return (period) => {
    const known = made.get(period) ?? make(period);
    made.set(period, known);
    return known;
  };
}

function ofSlots(slots: number, valueOf: (slot: number) => number): Float32Array {
  const values = new Float32Array(slots);
  for (let slot = 0; slot < slots; slot += 1) values[slot] = valueOf(slot);
  return values;
}

function trendsOf({ popularity }: Catalogue, slots: number, period: Period): Float32Array {
  const trends = ofSlots(slots, (slot) => popularity.trend(slot, period));
  const most = trends.reduce((largest, trend) => Math.max(largest, trend), 0);
  return trends.map((trend) => trendShare(trend, most));
}
