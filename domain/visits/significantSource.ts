/** Decides which sources are significant, and when one begins a visit. attribution.ts has the models of attribution. */
import type { SourceType, TrafficSource } from '../sites/trafficSource.ts';

const INSIGNIFICANT: ReadonlySet<SourceType> = new Set<SourceType>(['direct', 'internal', 'saved', 'unknown']);

export function isSignificant(source: TrafficSource): boolean {
  return !INSIGNIFICANT.has(source.source_type);
}

/** The marks of a campaign, which a link carries itself. */
const MARKS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'click_id'] as const;
const DIFFERENCES = ['source_type', 'source_name', 'referrer_domain', ...MARKS] as const;

/** Returns true when a page view from `source` begins a visit although no pause has ended the one of `own`. */
export function beginsVisit(own: TrafficSource, source: TrafficSource): boolean {
  return (
    isSignificant(source) && !isCarriedAlong(own, source) && DIFFERENCES.some((field) => own[field] !== source[field])
  );
}

/**
 * Campaign marks may stay in the addresses of the site's own pages. Without the referrer that led to the site they may
 * look like another type or name, but they are not another source.
 */
function isCarriedAlong(own: TrafficSource, source: TrafficSource): boolean {
  return (
    source.referrer_domain === null &&
    MARKS.some((mark) => source[mark] !== null) &&
    MARKS.every((mark) => own[mark] === source[mark])
  );
}

/**
 * Returns the source of a visit after a hit with the source `earlier` has become its beginning: the source that it
 * would have had if the hits had arrived in order. If the earlier hit would have been a separate visit, the visit keeps
 * its own source.
 */
export function sourceOfEarlierStart(own: TrafficSource, earlier: TrafficSource): TrafficSource {
  return beginsVisit(earlier, own) ? own : earlier;
}
