/** Decides which sources are significant, and when one begins a visit. attribution.ts has the models of attribution. */
import type { SourceType, TrafficSource } from '../sites/trafficSource.ts';

const INSIGNIFICANT: ReadonlySet<SourceType> = new Set<SourceType>(['direct', 'internal', 'saved', 'unknown']);

export function isSignificant(source: TrafficSource): boolean {
  return !INSIGNIFICANT.has(source.source_type);
}

const DIFFERENCES = [
  'source_type',
  'source_name',
  'referrer_domain',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'click_id',
] as const;

/** Returns true when a page view from `source` begins a visit although no pause has ended the one of `own`. */
export function beginsVisit(own: TrafficSource, source: TrafficSource): boolean {
  return (
    isSignificant(source) && DIFFERENCES.some((field) => own[field] !== source[field] && !isCarriedAlong(field, source))
  );
}

/**
 * Campaign marks may stay in the addresses of the site's own pages, so a missing referrer does not mean a different
 * source.
 */
function isCarriedAlong(field: (typeof DIFFERENCES)[number], source: TrafficSource): boolean {
  return field === 'referrer_domain' && source.referrer_domain === null;
}

/**
 * Returns the source of a visit after a hit with the source `earlier` has become its beginning: the source that it
 * would have had if the hits had arrived in order. If the earlier hit would have been a separate visit, the visit keeps
 * its own source.
 */
export function sourceOfEarlierStart(own: TrafficSource, earlier: TrafficSource): TrafficSource {
  return beginsVisit(earlier, own) ? own : earlier;
}
