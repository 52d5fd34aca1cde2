/** The period of a site's page and the period compared with it, as stored in the address. */
import { oneOf } from './searchValues.ts';

/** Number of days of a preset; it ends today, or yesterday for `yesterday`. */
export const PRESET_DAYS = { today: 1, yesterday: 1, '7d': 7, '30d': 30, '90d': 90, '12m': 365 } as const;
export type Preset = keyof typeof PRESET_DAYS;
export const PRESETS = Object.keys(PRESET_DAYS) as Preset[];
export const DEFAULT_PRESET: Preset = '30d';

/** `previous`: the same number of days directly before; `year`: the same days a year earlier. */
export const COMPARISONS = ['previous', 'year'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Either a preset or both days; days take precedence. */
export interface Period {
  period?: Preset | undefined;
  from?: string | undefined;
  to?: string | undefined;
  compare?: Comparison | undefined;
}

/** Days as YYYY-MM-DD in the site's time zone, both included. */
export interface Days {
  from: string;
  to: string;
}

/** Maximum period of a report. */
export const REPORT_MONTHS = 25;

const DAY_MS = 86_400_000;

/** Reads the period from the query of an address; malformed values are left out. */
export function periodOf({ period, from, to, compare }: Record<string, unknown>): Period {
  const isRange = isDay(from) && isDay(to) && from <= to;
  return {
    period: oneOf(PRESETS, period),
    from: isRange ? from : undefined,
    to: isRange ? to : undefined,
    compare: oneOf(COMPARISONS, compare),
  };
}

/**
 * Returns today's date at the site.
 * @param timezone an IANA name
 */
export function todayIn(timezone: string, now = new Date()): string {
  // The Swedish date format equals ISO dates.
  return new Intl.DateTimeFormat('sv', { timeZone: timezone }).format(now);
}

/**
 * Returns the start of a day in the time zone, as ISO 8601.
 * @param timezone an IANA name
 */
export function momentOfDay(day: string, timezone: string): string {
  const utc = Date.parse(day);
  // The offset at UTC midnight may differ from the one at local midnight on days with a clock change; the second step
  // corrects that, except where clocks skip midnight itself: it is then in the day before.
  const first = utc - offsetAt(utc, timezone);
  const second = utc - offsetAt(first, timezone);
  return new Date(second + offsetAt(second, timezone) < utc ? first : second).toISOString();
}

/** Returns the milliseconds by which local time is ahead of UTC at a time. */
function offsetAt(time: number, timezone: string): number {
  const clock = new Intl.DateTimeFormat('sv', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${clock.format(time).replace(' ', 'T')}Z`) - time;
}

/**
 * Returns the days of a period.
 * @param today YYYY-MM-DD
 */
export function daysOf({ period = DEFAULT_PRESET, from, to }: Period, today: string): Days {
  if (from !== undefined && to !== undefined) return { from, to };
  const last = period === 'yesterday' ? plusDays(today, -1) : today;
  return { from: plusDays(last, 1 - PRESET_DAYS[period]), to: last };
}

/** Returns the days that a period is compared with; null if there are none. */
export function comparedDays({ from, to }: Days, compare: Comparison | undefined): Days | null {
  if (compare === undefined) return null;
  if (compare === 'year') return { from: yearBefore(from), to: yearBefore(to) };
  return { from: plusDays(from, -lengthOf({ from, to })), to: plusDays(from, -1) };
}

/**
 * Returns why a report cannot cover these days; null if it can.
 * @param months maximum period of a report
 */
export function faultOfDays({ from, to }: Days, today: string, months: number): 'too_long' | 'future' | null {
  if (to > today) return 'future';
  return to < monthsAfter(from, months) ? null : 'too_long';
}

/** Returns the same day of a later month, or the last day of that month. */
function monthsAfter(day: string, months: number): string {
  const first = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return first.toISOString().slice(0, 8) + String(Math.min(Number(day.slice(8)), last)).padStart(2, '0');
}

/** Returns the number of days from the first to the last. */
export function lengthOf({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** Returns every day of a period, in order. */
export function listDays(days: Days): string[] {
  return Array.from({ length: lengthOf(days) }, (_, index) => plusDays(days.from, index));
}

export function plusDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the same day a year earlier; 29 February becomes the 28th. */
function yearBefore(day: string): string {
  const earlier = String(Number(day.slice(0, 4)) - 1) + day.slice(4);
  return earlier.endsWith('-02-29') ? earlier.replace(/29$/, '28') : earlier;
}

/** Returns whether a value is a day from the year 1000 on, as YYYY-MM-DD. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[12]\d{3}-\d\d-\d\d$/.test(value)) return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
