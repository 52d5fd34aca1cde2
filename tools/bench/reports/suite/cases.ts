/** The form of a case of the suite, and the helpers that all cases share. */
import type { ReportRequest } from '../../../../reports/reportRequest.ts';
import { PERIOD } from '../world/sitesAndPeriod.ts';
import type { Dialect } from './dialect.ts';
import type { Rival } from './statement.ts';

export interface Case {
  name: string;
  request: ReportRequest;
  /** Returns the same question for ClickHouse or PostgreSQL. */
  rival(dialect: Dialect, siteId: string): Rival;
}

/** Returns a request over all thirteen months; fields that it omits are set as the API sets them. */
export function ask(request: Pick<ReportRequest, 'dimensions' | 'metrics'> & Partial<ReportRequest>): ReportRequest {
  return {
    ...PERIOD,
    filters: [],
    segment: null,
    attribution: 'last_significant',
    robots: 'exclude',
    sort: [],
    limit: 100,
    offset: 0,
    ...request,
  };
}

const FROM = '2025-10-21 21:00:00';
const TO = '2026-11-20 21:00:00';

const during = (dialect: Dialect, siteId: string, site: string, time: string): string =>
  `${site} = '${siteId}' and ${time} >= ${dialect.timestamp(FROM)} and ${time} < ${dialect.timestamp(TO)}`;

/** Returns the visits of the period that are not robots', in a table or alias. */
export function visitsOf(dialect: Dialect, siteId: string, alias = 'visits'): string {
  return `${during(dialect, siteId, `${alias}.site_id`, `${alias}.started_at`)} and not ${alias}.is_robot`;
}

/** Returns the hits of those visits. Robots' visits are few, so they are looked up instead of joined. */
export function hitsOf(dialect: Dialect, siteId: string, alias = 'hits'): string {
  return `${during(dialect, siteId, `${alias}.site_id`, `${alias}.visit_started_at`)} and ${alias}.visit_id not in (select visit_id from visits where ${during(dialect, siteId, 'site_id', 'started_at')} and is_robot)`;
}

/** Returns the facts of the period; their visits began up to 90 days earlier. */
export function factsOf(dialect: Dialect, siteId: string, table: string): string {
  return `${during(dialect, siteId, `${table}.site_id`, `${table}.at`)} and ${table}.visit_id not in (select visit_id from visits where site_id = '${siteId}' and is_robot)`;
}

export const SUM = { visits: 'sum(weight)', pageviews: 'sum(weighted_pageviews)' } as const;
export const VISITORS = { visitors: { of: 'visitor_id' } } as const;
/** Returns a Boolean as 0 or 1. */
export const isTrue = (condition: string): string => `case when ${condition} then 1 else 0 end`;
