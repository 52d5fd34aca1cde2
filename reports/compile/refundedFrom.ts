/** How far back the refunds of a period reach: each is of the visit of its purchase, however long ago that was. */
import type { DuckDBValue } from '@duckdb/node-api';
import { findMetric } from '../registry/index.ts';
import type { ReportRequest, ReportSite } from '../request.ts';
import { periodOf, timestamp } from './period.ts';

/** Whether orders or their lines are counted by their own time. */
export function asksRefunds({ metrics }: ReportRequest): boolean {
  return metrics.some((id) => {
    const level = findMetric(id)?.metric.level;
    return level === 'order' || level === 'product';
  });
}

/**
 * The question when the oldest visit began that a refund of the period is of: one row `{at TIMESTAMP}`.
 * @param snapshot the lake's version that is read
 * @returns null when the request counts no refunds
 */
export function refundedFrom(
  request: ReportRequest,
  { siteId, timezone }: ReportSite,
  snapshot: number,
): { sql: string; params: DuckDBValue[] } | null {
  if (!asksRefunds(request)) return null;
  const { from, to } = periodOf(request, timezone, 0);
  return {
    sql: `select min(visit_started_at) as at from lake.orders at (version => ${snapshot})
            where site_id = $1 and "at" >= ${timestamp(from)} and "at" < ${timestamp(to)} and status = 'refunded'`,
    params: [siteId],
  };
}
