/** Compiles a report request to one statement. */
import type { ReportRequest, ReportSite } from '../reportRequest.ts';
import type { Dialect } from '../sql/index.ts';
import { compilationOf, type CompileContext } from './context/compileContext.ts';
import { compiled, type Compiled } from './compiled.ts';
import { EVER, periodOf, visitsOfFacts, visitsOfHits, type Span } from './context/period.ts';
import { resolvedOf } from './request/resolvedRequest.ts';
import { asksRefunds, refundedFrom } from './rows/refundedFrom.ts';
import { statement } from './metricsTotalsAndPage.ts';

export type { CompileContext } from './context/compileContext.ts';
export type { Compiled } from './compiled.ts';
export type { Span } from './context/period.ts';
export { requestOf } from './conditions/chosenVisits.ts';
export { dimensionsUsed } from './request/dimensionsUsed.ts';
export { compileClicks, compileScrolls } from './compilePageMaps.ts';
export { peopleNeeds, sampleOf } from './request/peopleNeeds.ts';
export { compileRecordedVisits, RECORDED } from './compileRecordedVisits.ts';

/**
 * Compiles a valid request. The statement reads `lake.*`; `fresh_visits` and `left_out_visits` if the context says that
 * they have rows; `linked_visitors` and `effective_values` if it needs people (peopleNeeds); and `visitors_of_sample` for a
 * sample of persons (sampleOf).
 *
 * Its rows are `{is_total BOOLEAN, d VARCHAR[], m DOUBLE[], row_count BIGINT, missing_rate BOOLEAN}`: first the total,
 * without texts, then the page of rows in order. `d` holds codes as text (null: unknown) and `m` the metrics, in the
 * order of the request.
 */
export function compileReport(request: ReportRequest, context: CompileContext): Compiled {
  return compiled(statement(compilationOf(request, context), resolvedOf(request)), context.dialect);
}

/**
 * Returns the span in which all visits begin that a compiled request may read: the visits of its period, and those of
 * its facts and hits.
 */
export function visitsRead(request: ReportRequest, timezone: string, lateEventHours: number): Span {
  const period = periodOf(request, timezone, lateEventHours);
  // Only the lake knows how far back a refund reaches. Visits that are not in the lake are few, so all of them are
  // read.
  return { from: asksRefunds(request) ? EVER.from : visitsOfFacts(period, null).from, to: visitsOfHits(period).to };
}

/**
 * Compiles the query for `refundedFrom` of the context: one row `{at TIMESTAMP}`, null if there is none.
 * @param snapshot the version of the lake to read
 * @returns null if the request counts no refunds
 */
export function compileRefundedFrom(
  request: ReportRequest,
  site: ReportSite,
  snapshot: number,
  dialect: Dialect,
): Compiled | null {
  const question = refundedFrom(request, site, snapshot);
  return question === null ? null : compiled(question, dialect);
}
