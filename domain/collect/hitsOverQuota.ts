/** The daily quota of a site: above it, a tenth of the visitors represents all. */
import type { CollectType } from './collected.ts';
import { moscowDay } from '../sites/moscowDays.ts';

/** Above the daily quota one in this many visitors is kept, and each of their hits stands for this many. */
const QUOTA_SAMPLE = 10;

/** Whether hits of the type are kept for all visitors, even above the quota. */
const IS_ALWAYS_KEPT: Readonly<Record<CollectType, boolean>> = {
  form: true,
  goal: true,
  purchase: true,
  refund: true,
  user: true,
  pageview: false,
  event: false,
  click: false,
  outbound: false,
  download: false,
  scroll: false,
  ping: false,
};

/** Counts of one site's hits by Moscow day: as loaded, then including the hits of this batch. */
export type DayCounts = Map<number, number>;

export interface HitSampling {
  /** True when the hit is kept. */
  isKept: boolean;
  /** Weight of the hit. */
  weight: number;
  /** Weight of a visit that it begins: 0 when no ordinary hits of this visitor are kept. */
  visitWeight: number;
}

/**
 * Counts a hit and returns its share.
 * @param quota number of hits per Moscow day that are kept for all visitors; robots count, pings do not
 * @param bucket of the visitor (domain/reports/visitorSample.ts)
 */
export function sampleHit(type: CollectType, at: number, bucket: number, days: DayCounts, quota: number): HitSampling {
  const day = moscowDay(at);
  const hits = (days.get(day) ?? 0) + (type === 'ping' ? 0 : 1);
  days.set(day, hits);
  if (hits <= quota) return { isKept: true, weight: 1, visitWeight: 1 };
  const visitWeight = bucket % QUOTA_SAMPLE === 0 ? QUOTA_SAMPLE : 0;
  if (IS_ALWAYS_KEPT[type]) return { isKept: true, weight: 1, visitWeight };
  return { isKept: visitWeight > 0, weight: visitWeight, visitWeight };
}
