/** A report's request as one statement of DuckDB. */
import type { DuckDBValue } from '@duckdb/node-api';
import type { ReportRequest } from '../request.ts';
import { createBuild, type CompileContext } from './build.ts';
import { EVER, periodOf, visitsOfFacts, visitsOfHits, type Span } from './period.ts';
import { planOf } from './plan.ts';
import { asksRefunds } from './refundedFrom.ts';
import { statement } from './statement.ts';

export type { CompileContext } from './build.ts';
export type { Span } from './period.ts';
export { dimensionsAsked } from './dimensionsAsked.ts';
export { peopleNeeds, sampleOf } from './peopleNeeds.ts';
export { refundedFrom } from './refundedFrom.ts';

export interface Compiled {
  sql: string;
  params: DuckDBValue[];
}

/**
 * Compiles a request that validation has let through. The statement reads `lake.*` and, where the context says so,
 * `fresh_visits` and `left_out_visits`; `linked_visitors` and `told_values` where people are needed (peopleNeeds), for a
 * sample of persons (sampleOf) `visitors_of_sample` as well.
 *
 * Its rows are `{is_total BOOLEAN, d VARCHAR[], m DOUBLE[], row_count BIGINT, missing_rate BOOLEAN}`: first the total,
 * without texts, then the page of rows in order. `d` are texts of codes (null: unknown) and `m` metrics, as requested.
 */
export function compileReport(request: ReportRequest, context: CompileContext): Compiled {
  const build = createBuild(request, context);
  const sql = statement(build, planOf(request));
  return { sql, params: [...build.params] };
}

/** Where visits begin that a compiled request may read: those of its period, and those that facts and hits may be of. */
export function visitsRead(request: ReportRequest, timezone: string, lateEventHours: number): Span {
  const period = periodOf(request, timezone, lateEventHours);
  // How far back a refund reaches is known of the lake; what the lake does not have as it is, is little.
  return { from: asksRefunds(request) ? EVER.from : visitsOfFacts(period, null).from, to: visitsOfHits(period).to };
}
