/** What a case of the suite is, and what all of them share. */
import type { ReportRequest } from '../../../reports/request.ts';
import { PERIOD } from '../world/plan.ts';
import type { Dialect } from './dialect.ts';
import type { Rival } from './statement.ts';

export interface Case {
  name: string;
  request: ReportRequest;
  /** The same question to ClickHouse and PostgreSQL. */
  rival(dialect: Dialect, siteId: string): Rival;
}

/** A request over all thirteen months with what it does not name as the API sets it. */
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

/** Visits of the period that are no robots', of a table or an alias. */
export function visitsOf(dialect: Dialect, siteId: string, alias = 'visits'): string {
  return `${during(dialect, siteId, `${alias}.site_id`, `${alias}.started_at`)} and not ${alias}.is_robot`;
}

/** Hits of those visits: robots' visits are few, so they are looked up and not joined. */
export function hitsOf(dialect: Dialect, siteId: string, alias = 'hits'): string {
  return `${during(dialect, siteId, `${alias}.site_id`, `${alias}.visit_started_at`)} and ${alias}.visit_id not in (select visit_id from visits where ${during(dialect, siteId, 'site_id', 'started_at')} and is_robot)`;
}

/** Facts of the period; their visits began up to 90 days before. */
export function factsOf(dialect: Dialect, siteId: string, table: string): string {
  return `${during(dialect, siteId, `${table}.site_id`, `${table}.at`)} and ${table}.visit_id not in (select visit_id from visits where site_id = '${siteId}' and is_robot)`;
}

export const SUM = { visits: 'sum(weight)', pageviews: 'sum(weighted_pageviews)' } as const;
export const VISITORS = { visitors: { of: 'visitor_id' } } as const;
/** Of a Boolean, 0 or 1. */
export const isTrue = (condition: string): string => `case when ${condition} then 1 else 0 end`;
