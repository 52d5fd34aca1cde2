/** The period of a report, the spans derived from it, and local times in SQL. */
import type { ReportRequest } from '../../reportRequest.ts';
import { call, literal, raw, sql, type Sql } from '../../sql/index.ts';
import { offsetsWithin, startOfDay, type Offset } from './timeZoneOffsets.ts';
import { ATTRIBUTION_DAYS } from '../../../domain/sites/attributionWindow.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/timeUnits.ts';

/** Epoch milliseconds; the end is not included. */
export interface Span {
  from: number;
  to: number;
}

/** The span from before any imported history to after any time that a report knows. */
export const EVER: Span = { from: Date.UTC(1990, 0, 1), to: Date.UTC(2040, 0, 1) };

export interface Period extends Span {
  zone: string;
  /** Number of days, including the first and the last. */
  days: number;
  /** How far the start of a visit may have moved after a row that names it was written (docs/decisions/visits.md). */
  lateMs: number;
}

export function periodOf(
  request: Pick<ReportRequest, 'date_from' | 'date_to'>,
  zone: string,
  lateEventHours: number,
): Period {
  const last = Date.parse(`${request.date_to}T00:00:00Z`);
  const after = new Date(last + DAY_MS).toISOString().slice(0, 10);
  return {
    zone,
    from: startOfDay(zone, request.date_from),
    to: startOfDay(zone, after),
    days: Math.round((last - Date.parse(`${request.date_from}T00:00:00Z`)) / DAY_MS) + 1,
    lateMs: lateEventHours * HOUR_MS + MINUTE_MS,
  };
}

/**
 * Returns the span in which the visits of a span's facts begin.
 * @param refunded the start of the oldest visit that a refund of the span names; a refund may arrive at any time
 */
export function visitsOfFacts(
  { from, to, lateMs }: Pick<Period, 'from' | 'to' | 'lateMs'>,
  refunded: number | null,
): Span {
  return { from: Math.min(from - ATTRIBUTION_DAYS * DAY_MS, refunded ?? Infinity) - lateMs, to };
}

/** Returns the span in which conversions of a span's visits may occur. */
export function conversionsOfVisits({ from, to }: Span, lateMs: number): Span {
  return { from, to: to + ATTRIBUTION_DAYS * DAY_MS + lateMs };
}

/** Returns the same for orders and refunds. */
export function ordersOfVisits({ from }: Span): Span {
  return { from, to: EVER.to };
}

/** Returns the span of `visit_started_at` of the hits of a span's visits. */
export function hitsOfVisits({ from, to }: Span, lateMs: number): Span {
  return { from, to: to + lateMs };
}

/** Returns the span in which the visits of those hits begin. */
export function visitsOfHits({ from, to, lateMs }: Pick<Period, 'from' | 'to' | 'lateMs'>): Span {
  return { from: from - lateMs, to: to + lateMs };
}

/** Returns a time as a literal. */
export function timestamp(at: number): Sql {
  return call('moment', literal(new Date(at).toISOString().replace('T', ' ').slice(0, 23)));
}

/**
 * Converts a time in UTC to the local time of a zone.
 * @param span the bounds of all times, if known: the SQL is shorter then
 */
export function localTime(utc: Sql, zone: string, span: Span = EVER): Sql {
  return sql`(${utc} + ${offsetCase(utc, offsetsWithin(zone, span.from, span.to))})`;
}

/** Builds a binary search over the offsets, because decades contain many clock changes. */
function offsetCase(utc: Sql, offsets: readonly Offset[]): Sql {
  const middle = Math.floor(offsets.length / 2);
  const split = offsets[middle];
  if (split === undefined) throw new Error('a time zone without an offset');
  if (middle === 0) return call('seconds', raw(String(split.ms / 1000)));
  const before = offsetCase(utc, offsets.slice(0, middle));
  const after = offsetCase(utc, offsets.slice(middle));
  return sql`case when ${utc} < ${timestamp(split.from)} then ${before} else ${after} end`;
}
