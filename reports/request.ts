/** A report as it is asked for: what validation has let through, and all that runs it needs to know of the request. */

export const ATTRIBUTIONS = ['last_significant', 'first', 'last'] as const;
export type Attribution = (typeof ATTRIBUTIONS)[number];

export const ROBOTS = ['exclude', 'include', 'only'] as const;
export type Robots = (typeof ROBOTS)[number];

export const FILTER_OPS = ['eq', 'neq', 'contains', 'regex', 'in'] as const;
export type FilterOp = (typeof FILTER_OPS)[number];

export const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const REPORT_LIMITS = {
  dimensions: 5,
  metrics: 10,
  filters: 20,
  filterValues: 100,
  sorts: 3,
  rows: 10_000,
  defaultRows: 100,
  months: 25,
  segmentDepth: 4,
  segmentLeaves: 50,
  exportRows: 100_000,
} as const;

/** One value, but up to 100 of `in`. Values are codes, not labels. */
export interface Filter {
  /** Identifier with its parameter: `visit_param:plan`. */
  dimension: string;
  op: FilterOp;
  values: readonly string[];
}

/** Of one visit. */
export interface MetricCondition {
  metric: string;
  op: Comparison;
  value: number;
}

export type Condition =
  | Filter
  | MetricCondition
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition };

export interface Segment {
  /** `visitor`: all visits in the period of those of whom one visit meets the condition. */
  scope: 'visit' | 'visitor';
  condition: Condition;
}

export interface Sort {
  /** Of `dimensions` or `metrics`. */
  field: string;
  dir: 'asc' | 'desc';
}

export interface ReportRequest {
  dimensions: readonly string[];
  metrics: readonly string[];
  /** YYYY-MM-DD, days of the site's time zone, both included. */
  date_from: string;
  date_to: string;
  filters: readonly Filter[];
  segment: Segment | null;
  attribution: Attribution;
  robots: Robots;
  /** As given; empty: the default (first metric descending, or the first time dimension ascending). */
  sort: readonly Sort[];
  limit: number;
  offset: number;
}

export type Language = 'en' | 'ru';

/** What a report has to know of its site. */
export interface ReportSite {
  siteId: string;
  /** The client whose site it is, for fair turns; a site without one stands for itself. */
  owner?: string;
  timezone: string;
  currency: string;
  /** Currency → how much of the site's own one unit is. */
  rates: Readonly<Record<string, number>>;
  /** Code and title. */
  goals: readonly { code: string; title: string }[];
}

export type Label = string | { id: string; name: string } | null;

export const NOTE_CODES = ['missing_rate', 'no_city_database'] as const;
export type NoteCode = (typeof NOTE_CODES)[number];

export interface Note {
  code: NoteCode;
  message: string;
}

export interface Report {
  data: { dimensions: Label[]; metrics: number[] }[];
  totals: number[];
  sampled: boolean;
  timezone: string;
  /** Only when there are any. */
  notes?: Note[];
  /** Rows that there are without limit and offset. */
  rows: number;
}
