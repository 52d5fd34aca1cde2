/** The daily quota of a site: over it a tenth of the visitors stand for all. */
import type { CollectType } from '../collected.ts';
import { moscowDay } from '../moscow.ts';
import { QUOTA_SAMPLE } from './rules.ts';

/** Taken of all visitors, over the quota too. */
const LISTED: ReadonlySet<CollectType> = new Set<CollectType>(['form', 'goal', 'purchase', 'refund', 'user']);

/** Counts of one site's hits by Moscow day: as loaded, and then with the hits of this batch. */
export type DayCounts = Map<number, number>;

export interface Share {
  /** Whether the hit is kept. */
  isKept: boolean;
  /** Of the hit. */
  weight: number;
  /** Of a visit that it begins: 0 where nobody's ordinary hits are kept of this visitor. */
  visitWeight: number;
}

/**
 * Counts a hit and says what becomes of it.
 * @param quota hits of a Moscow day that are kept of all visitors; robots count, pings do not
 * @param bucket of the visitor (domain/visitorBucket.ts)
 */
export function shareOf(type: CollectType, at: number, bucket: number, days: DayCounts, quota: number): Share {
  const day = moscowDay(at);
  const hits = (days.get(day) ?? 0) + (type === 'ping' ? 0 : 1);
  days.set(day, hits);
  if (hits <= quota) return { isKept: true, weight: 1, visitWeight: 1 };
  const visitWeight = bucket % QUOTA_SAMPLE === 0 ? QUOTA_SAMPLE : 0;
  if (LISTED.has(type)) return { isKept: true, weight: 1, visitWeight };
  return { isKept: visitWeight > 0, weight: visitWeight, visitWeight };
}
