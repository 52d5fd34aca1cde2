/** A visitor and a visit as the rules see them, and their state that is stored between two batches. */
import type { VisitRow } from '../reports/lakeRows.ts';
import type { TrafficSource } from '../sites/trafficSource.ts';

/** The state of a visit that the rules need beyond its row. */
export interface VisitMemo {
  /** Times of the page views from which entry and exit are taken. */
  entry_at: number | null;
  exit_at: number | null;
  /** Time of the `user` event from which user_id is taken. */
  user_at: number | null;
  /** When each of the params was sent. */
  params_at: [key: string, at: number][];
  /** Number of page views while there have been only page views, and no data of a device; null afterwards. */
  plain_pages: number | null;
}

export interface Visit {
  /**
   * `goals` and the bounce that depends on it are set by visitRow (visit.ts). Conversions are counted where they are
   * stored.
   */
  row: VisitRow;
  memo: VisitMemo;
  /** True when it changed since it was loaded; a new visit counts as changed. */
  isChanged: boolean;
}

/** The state of a visitor that the rules need beyond its visits. */
export interface VisitorMemo {
  /** Times of the requests of the last 10 seconds, oldest first (robotFrequency.ts). */
  requests: number[];
  /** Events of the last hour by minute of their time, oldest first. */
  minutes: [minute: number, events: number][];
  /** The time since which the visitor is a robot by its frequency. */
  frequent_since: number | null;
}

export interface Visitor {
  readonly siteId: string;
  readonly visitorId: string;
  readonly bucket: number;
  /** Number of all visits ever, including those that are not loaded. */
  visits: number;
  firstVisitAt: number | null;
  /** Start of the newest visit. */
  lastVisitAt: number | null;
  memo: VisitorMemo;
}

/**
 * A visitor with those visits that its hits may concern, by their start: all whose last hit is at most 30 minutes
 * before the earliest of the hits, and the one before them.
 */
export interface History {
  readonly visitor: Visitor;
  readonly visits: Visit[];
}

export const NEW_VISIT_MEMO: Readonly<VisitMemo> = {
  entry_at: null,
  exit_at: null,
  user_at: null,
  params_at: [],
  plain_pages: 0,
};

/** Returns JSON without null or empty fields, which are most of a visitor's state, and a third of a visit's. */
export function packVisitor(memo: VisitorMemo): string {
  return JSON.stringify(withoutNothing(memo));
}

export function unpackVisitor(stored: Partial<VisitorMemo> | null): VisitorMemo {
  return {
    requests: stored?.requests ?? [],
    minutes: stored?.minutes ?? [],
    frequent_since: stored?.frequent_since ?? null,
  };
}

export interface StoredVisit {
  row: Partial<VisitRow>;
  memo: Partial<VisitMemo>;
}

/**
 * Returns JSON {row: VisitRow, memo}. Reports read the row of open visits from it, and its goals from site_visits;
 * absent fields are null.
 */
export function packVisit({ row, memo }: Visit): string {
  const sources = {
    source_last: withoutNothing(row.source_last),
    source_last_significant: withoutNothing(row.source_last_significant),
    source_first: withoutNothing(row.source_first),
  };
  return JSON.stringify({ row: { ...withoutNothing(row), ...sources }, memo: withoutNothing(memo) });
}

/** An absent plain_pages is null too, not 0: it means that a person was seen. */
export function unpackVisit({ row, memo }: StoredVisit): Visit {
  return {
    row: {
      ...EMPTY_ROW,
      ...row,
      source_last: source(row.source_last),
      source_last_significant: source(row.source_last_significant),
      source_first: source(row.source_first),
    },
    memo: { ...NEW_VISIT_MEMO, plain_pages: null, params_at: [], ...memo },
    isChanged: false,
  };
}

/** A replacer of JSON.stringify would be called for every value: four times the work. */
function withoutNothing<T extends object>(given: T): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(given)) {
    const value: unknown = given[key as keyof T];
    if (value !== null && !(Array.isArray(value) && value.length === 0)) kept[key] = value;
  }
  return kept;
}

const source = (stored: TrafficSource | undefined): TrafficSource => ({ ...NO_SOURCE, ...stored });

const NO_SOURCE: Readonly<TrafficSource> = {
  source_type: 'unknown',
  source_name: null,
  search_engine: null,
  search_phrase: null,
  social_network: null,
  messenger: null,
  ai_assistant: null,
  ad_system: null,
  referrer_domain: null,
  referrer_url: null,
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_content: null,
  utm_term: null,
  click_id: null,
};

/** Written field by field, so that the compiler requires new fields of VisitRow here. */
export const EMPTY_ROW: Readonly<VisitRow> = {
  site_id: '',
  visit_id: '',
  visitor_id: '',
  visitor_bucket: 0,
  user_id: null,
  started_at: 0,
  ended_at: 0,
  duration_s: 0,
  weight: 0,
  pageviews: 0,
  weighted_pageviews: 0,
  hits: 0,
  weighted_hits: 0,
  goals: 0,
  is_bounce: true,
  is_robot: false,
  robot_reason: null,
  visit_number: 1,
  first_visit_at: 0,
  previous_visit_at: null,
  entry_url: null,
  entry_domain: null,
  entry_path: null,
  exit_url: null,
  exit_path: null,
  params: null,
  browser_language: null,
  screen_resolution: null,
  window_size: null,
  visitor_timezone: null,
  device_type: 'other',
  device_brand: null,
  device_model: null,
  os: null,
  os_version: null,
  browser: null,
  browser_version: null,
  browser_engine: null,
  continent: null,
  country: null,
  region: null,
  city: null,
  source_last: NO_SOURCE,
  source_last_significant: NO_SOURCE,
  source_first: NO_SOURCE,
};
