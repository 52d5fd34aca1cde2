/**
 * Impressions: shown items are counted by day, surface and position, and not stored one by one. How being shown lowers
 * an item for a person is decided in output/serve/candidates/rotation.ts.
 */
import type { ValidEvent } from '../events/validateEvents.ts';
import { readRecommendationId } from './recommendationId.ts';

/**
 * Positions are counted in buckets, each named by its first position. Attention falls off quickly at the top of a list
 * and slowly further down, so single positions matter only at the top.
 */
export const POSITION_BUCKETS = [0, 1, 2, 3, 4, 5, 10, 20, 50, 100] as const;
/** Values of an impression that does not say where it was shown. */
const UNKNOWN_POSITION = -1;
const UNKNOWN_SURFACE = '';

/** Returns the first position of the bucket of a position. */
export function positionBucket(position: number | null): number {
  if (position === null) return UNKNOWN_POSITION;
  return POSITION_BUCKETS.findLast((first) => position >= first) ?? UNKNOWN_POSITION;
}

/** How often an item was shown on one surface on one day. */
export interface ImpressionCount {
  /** UTC, YYYY-MM-DD. */
  day: string;
  item: string;
  surface: string;
  bucket: number;
  count: number;
}

/** Sums impressions. The sums are sorted by their keys, so that all requests update the counters in the same order. */
export function countImpressions(impressions: readonly ValidEvent[]): ImpressionCount[] {
  const counts = new Map<string, ImpressionCount>();
  let last: Date | undefined;
  let day = '';
  for (const { item, surface, position, occurredAt } of impressions) {
    // Impressions without a time of their own share one Date.
    if (occurredAt !== last) day = occurredAt.toISOString().slice(0, 10);
    last = occurredAt;
    const bucket = positionBucket(position);
    const name = surface ?? UNKNOWN_SURFACE;
    // No text that the API accepts contains NUL.
    const key = `${day}\0${item}\0${name}\0${bucket}`;
    const known = counts.get(key);
    if (known) known.count += 1;
    else counts.set(key, { day, item, surface: name, bucket, count: 1 });
  }
  return [...counts].sort(byKey).map(([, count]) => count);
}

/** How often items of the product's answers were shown on one surface on one day. */
export interface AnsweredCount {
  /** UTC, YYYY-MM-DD. */
  day: string;
  surface: string;
  /** The variant of the answer, as in snapshots; '' outside an experiment. */
  variant: string;
  bucket: number;
  count: number;
}

/** Sums the impressions that name an answer of the product; the sums are sorted by their keys. */
export function countAnswered(impressions: readonly ValidEvent[]): AnsweredCount[] {
  const counts = new Map<string, AnsweredCount>();
  for (const { recommendationId, surface, position, occurredAt } of impressions) {
    const facts = recommendationId === null ? null : readRecommendationId(recommendationId);
    if (facts === null) continue;
    const day = occurredAt.toISOString().slice(0, 10);
    const name = surface ?? UNKNOWN_SURFACE;
    const variant = facts.variant === null ? '' : `${facts.variant.experiment}.${facts.variant.index}`;
    const bucket = positionBucket(position);
    const key = `${day}\0${name}\0${variant}\0${bucket}`;
    const known = counts.get(key);
    if (known) known.count += 1;
    else counts.set(key, { day, surface: name, variant, bucket, count: 1 });
  }
  return [...counts].sort(byKey).map(([, count]) => count);
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}
