/** The period of a report, and local times in SQL. */
import type { ReportRequest } from '../request.ts';
import { offsetsWithin, startOfDay, type Offset } from './zones.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** How long after its visit began a conversion or order may be attributed to it. */
const ATTRIBUTION_DAYS = 90;

/** Epoch milliseconds, the end not included. */
export interface Span {
  from: number;
  to: number;
}

/** From the first moment that history might have been loaded for to beyond any that a report knows. */
export const EVER: Span = { from: Date.UTC(1990, 0, 1), to: Date.UTC(2040, 0, 1) };

export interface Period extends Span {
  zone: string;
  /** Days of the calendar, both ends included. */
  days: number;
  /** How far a start of a visit may have moved since a row that names it was written (docs/decisions/visits.md). */
  lateMs: number;
}

export function periodOf(
  request: Pick<ReportRequest, 'date_from' | 'date_to'>,
  zone: string,
  lateEventHours: number,
): Period {
  const last = Date.parse(`${request.date_to}T00:00:00Z`);
  const after = new Date(last + DAY).toISOString().slice(0, 10);
  return {
    zone,
    from: startOfDay(zone, request.date_from),
    to: startOfDay(zone, after),
    days: Math.round((last - Date.parse(`${request.date_from}T00:00:00Z`)) / DAY) + 1,
    lateMs: lateEventHours * HOUR + MINUTE,
  };
}

/**
 * Where the visits begin that facts of a span may be of.
 * @param refunded the start of the oldest visit that a refund of the span is of, as the refund has it: a refund is never too late
 */
export function visitsOfFacts(
  { from, to, lateMs }: Pick<Period, 'from' | 'to' | 'lateMs'>,
  refunded: number | null,
): Span {
  return { from: Math.min(from - ATTRIBUTION_DAYS * DAY, refunded ?? Infinity) - lateMs, to };
}

/** When the conversions come that visits of a span may have. */
export function conversionsOfVisits({ from, to }: Span, lateMs: number): Span {
  return { from, to: to + ATTRIBUTION_DAYS * DAY + lateMs };
}

/** The same of orders, refunds among them. */
export function ordersOfVisits({ from }: Span): Span {
  return { from, to: EVER.to };
}

/** By which `visit_started_at` the hits are found of visits of a span. */
export function hitsOfVisits({ from, to }: Span, lateMs: number): Span {
  return { from, to: to + lateMs };
}

/** Where the visits begin that those hits may be of. */
export function visitsOfHits({ from, to, lateMs }: Pick<Period, 'from' | 'to' | 'lateMs'>): Span {
  return { from: from - lateMs, to: to + lateMs };
}

/** A moment as a literal: made of a number of ours. */
export function timestamp(at: number): string {
  return `TIMESTAMP '${new Date(at).toISOString().replace('T', ' ').slice(0, 23)}'`;
}

/** A TIMESTAMP of UTC as the wall clock shows it. @param span in which the moments lie, if that is known: fewer changes are looked at */
export function localTime(utc: string, zone: string, span: Span = EVER): string {
  return `(${utc} + ${offsetCase(utc, offsetsWithin(zone, span.from, span.to))})`;
}

/** By halves, for decades of changes are a long list. */
function offsetCase(utc: string, offsets: readonly Offset[]): string {
  const middle = Math.floor(offsets.length / 2);
  const split = offsets[middle];
  if (split === undefined) throw new Error('a time zone without an offset');
  if (middle === 0) return `INTERVAL (${split.ms / 1000}) SECOND`;
  return `case when ${utc} < ${timestamp(split.from)} then ${offsetCase(utc, offsets.slice(0, middle))} else ${offsetCase(utc, offsets.slice(middle))} end`;
}
