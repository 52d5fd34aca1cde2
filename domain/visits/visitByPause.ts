/** Assigns a hit to a visit by time, whenever it arrives. significantSource.ts decides when a source begins a visit. */
import { VISIT_PAUSE_MS } from './visitPause.ts';
import type { Visit } from './visitState.ts';

export type VisitAssignment =
  | { to: 'visit'; visit: Visit }
  /** The visit begins with the hit, so its start moves. */
  | { to: 'start'; visit: Visit }
  | { to: 'new' };

/**
 * Returns the latest visit that is in progress at the time of the hit or ended at most {@link VISIT_PAUSE_MS} before
 * it; else the next one that begins at most as long after it. Visits are never joined, and never overlap.
 * @param visits by their start
 */
export function assignToVisit(visits: readonly Visit[], at: number): VisitAssignment {
  const index = visits.findLastIndex(({ row }) => row.started_at <= at);
  const before = visits[index];
  if (before !== undefined && at - before.row.ended_at <= VISIT_PAUSE_MS) return { to: 'visit', visit: before };
  const after = visits[index + 1];
  if (after !== undefined && after.row.started_at - at <= VISIT_PAUSE_MS) return { to: 'start', visit: after };
  return { to: 'new' };
}
