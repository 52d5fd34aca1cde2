/** The request and its context, which every part of the compiler reads. */
import { sampleOf } from '../request/peopleNeeds.ts';
import { periodOf, type Period } from './period.ts';
import type { Sample } from '../../people/index.ts';
import type { ReportRequest, ReportSite } from '../../reportRequest.ts';
import type { Dialect } from '../../sql/index.ts';

export interface CompileContext {
  /** The dialect of the engine that runs the statement. */
  dialect: Dialect;
  site: ReportSite;
  /** The version of the lake to read, which `fresh_visits` matches; null for the newest. */
  snapshot: number | null;
  /** Whether `fresh_visits` has rows: visits that are missing from the lake or have changed since. */
  hasFresh: boolean;
  /** Whether `left_out_visits` has rows: visits that are in neither table although the lake has their hits. */
  hasLeftOut: boolean;
  /**
   * Start of the oldest visit that a refund in the period belongs to (refundedFrom.ts), epoch milliseconds; null if
   * there is none or the report counts no refunds.
   */
  refundedFrom: number | null;
  /** Whether the report reads a tenth of the visitors or persons and multiplies counts and sums by ten. */
  sampled: boolean;
  /** The setting LATE_EVENT_HOURS. */
  lateEventHours: number;
  /** The setting AUDIENCE_MIN_PEOPLE: a report about an audience hides rows and totals about fewer people. */
  audienceMinPeople: number;
}

export interface Compilation {
  readonly request: ReportRequest;
  readonly context: CompileContext;
  readonly period: Period;
  /** The unit of the sample; null if everything is read. */
  readonly sample: Sample | null;
}

export function compilationOf(request: ReportRequest, context: CompileContext): Compilation {
  return {
    request,
    context,
    sample: sampleOf(request, context.sampled),
    period: periodOf(request, context.site.timezone, context.lateEventHours),
  };
}
