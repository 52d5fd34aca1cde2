/** Decides which sources are significant, and when one begins a visit. attribution.ts has the models of attribution. */
import type { SourceType, TrafficSource } from '../sites/trafficSource.ts';

const IS_SIGNIFICANT: Readonly<Record<SourceType, boolean>> = {
  direct: false,
  internal: false,
  saved: false,
  unknown: false,
  organic: true,
  ad: true,
  referral: true,
  social: true,
  messenger: true,
  email: true,
  ai_assistant: true,
  recommendation: true,
};

export function isSignificant(source: TrafficSource): boolean {
  return IS_SIGNIFICANT[source.source_type];
}

/**
 * - `mark`: a mark of a campaign, which a link carries itself.
 * - `name`: says, like a mark, which source it is.
 * - `detail`: sources that differ only in details are the same.
 */
const FIELD_KINDS: Readonly<Record<keyof TrafficSource, 'mark' | 'name' | 'detail'>> = {
  source_type: 'name',
  source_name: 'name',
  referrer_domain: 'name',
  utm_source: 'mark',
  utm_medium: 'mark',
  utm_campaign: 'mark',
  utm_content: 'mark',
  utm_term: 'mark',
  click_id: 'mark',
  search_engine: 'detail',
  search_phrase: 'detail',
  social_network: 'detail',
  messenger: 'detail',
  ai_assistant: 'detail',
  ad_system: 'detail',
  referrer_url: 'detail',
};
const FIELDS = Object.keys(FIELD_KINDS) as (keyof TrafficSource)[];
const MARKS = FIELDS.filter((field) => FIELD_KINDS[field] === 'mark');
const DIFFERENCES = FIELDS.filter((field) => FIELD_KINDS[field] !== 'detail');

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
