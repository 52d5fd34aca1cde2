/** When a source begins a visit, and which source a visit has by each attribution model. */
import type { SourceType, TrafficSource } from '../trafficSource.ts';

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

/** Whether a page view that came from `source` begins a visit though no pause has ended the one of `own`. */
export function beginsVisit(own: TrafficSource, source: TrafficSource): boolean {
  return (
    isSignificant(source) && DIFFERENCES.some((field) => own[field] !== source[field] && !isCarriedAlong(field, source))
  );
}

/** Marks may stay in the addresses of the site's own pages: what is no referrer of a source tells of no other one. */
function isCarriedAlong(field: (typeof DIFFERENCES)[number], source: TrafficSource): boolean {
  return field === 'referrer_domain' && source.referrer_domain === null;
}

/**
 * The source of a visit whose beginning turned out to be earlier, with `earlier`: what would have been its own
 * had the hits come in order. Where the earlier would have been a visit apart, the visit keeps its own.
 */
export function sourceOfEarlierStart(own: TrafficSource, earlier: TrafficSource): TrafficSource {
  return beginsVisit(earlier, own) ? own : earlier;
}
