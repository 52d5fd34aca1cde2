/** A validated report request, and the site data that the report needs. */

export const ATTRIBUTIONS = ['last_significant', 'first', 'last'] as const;
export type Attribution = (typeof ATTRIBUTIONS)[number];

export const ROBOTS = ['exclude', 'include', 'only'] as const;
export type Robots = (typeof ROBOTS)[number];

export const FILTER_OPS = ['eq', 'neq', 'contains', 'regex', 'in'] as const;
export type FilterOp = (typeof FILTER_OPS)[number];

export const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** One value, except for `in`, which has up to 100. Values are codes, not labels. */
export interface Filter {
  /** Identifier with its parameter: `visit_param:plan`. */
  dimension: string;
  op: FilterOp;
  values: readonly string[];
}

/** A condition on a metric of one visit. */
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
  /** `visitor`: all visits in the period of visitors with a visit that meets the condition. */
  scope: 'visit' | 'visitor';
  condition: Condition;
}

export interface Sort {
  /** An element of `dimensions` or `metrics`. */
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
  /** The requested order; empty for the default (first metric descending, or the first time dimension ascending). */
  sort: readonly Sort[];
  limit: number;
  offset: number;
}

/** The site data that a report needs. */
export interface ReportSite {
  siteId: string;
  /** The user who owns the site, for fair turns; a site without an owner has its own turns. */
  owner?: string;
  timezone: string;
  currency: string;
  /** Currency → its rate: the value of one unit in the site's currency. */
  rates: Readonly<Record<string, number>>;
  /** Code and title of each goal. */
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
  /** Absent if there are none. */
  notes?: Note[];
  /** Number of rows without limit and offset. */
  rows: number;
}
