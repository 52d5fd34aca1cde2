/** How far back the refunds of a period reach: a refund belongs to the visit of its purchase, however old that is. */
import { findMetric } from '../../registry/index.ts';
import type { ReportRequest, ReportSite } from '../../reportRequest.ts';
import { column, sql, type Sql } from '../../sql/index.ts';
import { LAKE, lakeTable, within } from './lakeRows.ts';
import { periodOf } from '../context/period.ts';

/** Returns whether the report counts orders or their lines by their own time. */
export function asksRefunds({ metrics }: ReportRequest): boolean {
  return metrics.some((id) => {
    const level = findMetric(id)?.metric.level;
    return level === 'order' || level === 'product';
  });
}

/**
 * Returns a query for the start of the oldest visit that a refund of the period belongs to: one row `{at TIMESTAMP}`.
 * @param snapshot the version of the lake to read
 * @returns null if the request counts no refunds
 */
export function refundedFrom(request: ReportRequest, { siteId, timezone }: ReportSite, snapshot: number): Sql | null {
  if (!asksRefunds(request)) return null;
  const { at, status, visit_started_at: started } = LAKE.orders;
  const ofPeriod = sql`site_id = ${siteId} and ${within(at, periodOf(request, timezone, 0))}`;
  const refunds = sql`${lakeTable('orders', snapshot)} where ${ofPeriod} and ${status} = 'refunded'`;
  return sql`select min(${started}) as ${column(null, 'at')} from ${refunds}`;
}
