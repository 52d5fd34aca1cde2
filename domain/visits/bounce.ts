/** Decides which visits are bounces: at most one page view, shorter than 15 seconds, and without a goal. */
import type { VisitRow } from '../reports/lakeRows.ts';

/** A visit of this length or more is no bounce. */
export const BOUNCE_MS = 15_000;

/** Returns true when the hits of a visit make it a bounce, unless it has a goal. */
export function isShortVisit(row: Pick<VisitRow, 'pageviews' | 'started_at' | 'ended_at'>): boolean {
  return row.pageviews <= 1 && row.ended_at - row.started_at < BOUNCE_MS;
}

/**
 * Returns whether a visit is a bounce.
 * @param row with `is_bounce` as {@link isShortVisit} says
 * @param goals number of conversions of the visit
 */
export function isBounce(row: Pick<VisitRow, 'is_bounce'>, goals: number): boolean {
  return row.is_bounce && goals === 0;
}
