/** Hourly figures of a webhook in the form of the charts. */
import type { WebhookStatistics } from '../../../data/webhooks/webhooks.ts';

type Hour = WebhookStatistics['hours'][number];

/** A point of the charts: an hour, or the hours of a day. */
export interface Step extends Omit<Hour, 'hour'> {
  /** Its start, or the day as YYYY-MM-DD. */
  at: string;
}

/** More hours than this are unreadable in a chart. */
const MAX_HOURS = 7 * 24;

/** Returns whether the hours are combined into days. */
export const isByDay = (hours: readonly Hour[]): boolean => hours.length > MAX_HOURS;

export const hourSteps = (hours: readonly Hour[]): Step[] => hours.map(({ hour, ...step }) => ({ at: hour, ...step }));

/**
 * Returns the sum of attempts of each day, and its worst hourly values.
 * @param dayOf returns the day of a time, YYYY-MM-DD
 */
export function daySteps(hours: readonly Hour[], dayOf: (iso: string) => string): Step[] {
  const days = new Map<string, Hour[]>();
  for (const hour of hours) {
    const day = dayOf(hour.hour);
    days.set(day, [...(days.get(day) ?? []), hour]);
  }
  return [...days].map(([at, of]) => ({
    at,
    attempts: sumOf(of, ({ attempts }) => attempts),
    failed: sumOf(of, ({ failed }) => failed),
    p95_ms: of.reduce((most: number | null, { p95_ms: p95 }) => (p95 === null ? most : Math.max(most ?? 0, p95)), null),
    backlog: Math.max(...of.map(({ backlog }) => backlog)),
  }));
}

export interface HourTotals {
  attempts: number;
  failed: number;
  /** There were no attempts and no waiting events, so there is nothing to draw. */
  isQuiet: boolean;
}

export function totalsOf({ hours, backlog }: WebhookStatistics): HourTotals {
  const attempts = sumOf(hours, (hour) => hour.attempts);
  return {
    attempts,
    failed: sumOf(hours, (hour) => hour.failed),
    isQuiet: attempts === 0 && backlog.events === 0 && hours.every((hour) => hour.backlog === 0),
  };
}

function sumOf(hours: readonly Hour[], of: (hour: Hour) => number): number {
  return hours.reduce((total, hour) => total + of(hour), 0);
}
