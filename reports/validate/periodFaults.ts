/** The period of a report: two days of the site's calendar. */
import type { FieldFault } from '../../domain/schemas/fieldFaults.ts';
import { REPORT_LIMITS } from './reportLimits.ts';

interface Day {
  year: number;
  month: number;
  day: number;
}

/** Nobody counted visits before the web. This bounds the computation of a zone's clock changes. */
const FIRST_YEAR = 1990;

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Returns `bad_date` for `date_from` and `date_to`: not a day of the calendar, after today at the site, the first after
 * the last, or more than 25 months apart. Values that are not text are left to the schema.
 */
export function periodFaults(body: Readonly<Record<string, unknown>>, timezone: string, now: Date): FieldFault[] {
  const today = todayIn(timezone, now);
  const [from, to] = [body['date_from'], body['date_to']];
  const wrong = new Set<'date_from' | 'date_to'>();
  if (typeof from === 'string' && !isPastDay(from, today)) wrong.add('date_from');
  if (typeof to === 'string' && !isPastDay(to, today)) wrong.add('date_to');
  if (wrong.size === 0 && typeof from === 'string' && typeof to === 'string' && !isPeriod(from, to))
    wrong.add('date_from');
  return [...wrong].map((field) => ({ field, code: 'bad_date' }));
}

/**
 * Cached by time zone: making one takes as long as formatting a hundred dates. There are at most as many as there are
 * names of zones.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns YYYY-MM-DD at a time in a time zone. */
export function todayIn(timezone: string, now: Date): string {
  const parts = formatOf(timezone).formatToParts(now);
  const part = (type: string): string => parts.find((found) => found.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(timeZone, made);
  return made;
}

function isPastDay(text: string, today: string): boolean {
  return parseDay(text) !== null && text <= today;
}

/** Texts of days have one length, so their order is chronological. */
function isPeriod(from: string, to: string): boolean {
  return from <= to && to < monthsAfter(from, REPORT_LIMITS.months);
}

function parseDay(text: string): Day | null {
  const match = DAY.exec(text);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return year >= FIRST_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
    ? { year, month, day }
    : null;
}

/** Returns the same day of a later month, or the last day of that month. */
function monthsAfter(text: string, months: number): string {
  const parsed = parseDay(text);
  if (!parsed) throw new Error('the day has not been validated');
  const index = parsed.year * 12 + parsed.month - 1 + months;
  const [year, month] = [Math.floor(index / 12), (index % 12) + 1];
  const pad = (number: number, length: number): string => String(number).padStart(length, '0');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(Math.min(parsed.day, daysIn(year, month)), 2)}`;
}

/** Returns the number of days by the Gregorian calendar. */
function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
