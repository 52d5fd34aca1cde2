/** Times of visits: hours of the day and days of the week, in the site's time zone. */
import type { Chance } from './chance.ts';

const HOUR_MS = 3_600_000;

/** Hours of a day in the site's time zone, from midnight: quiet nights, a peak at noon, the highest in the evening. */
const HOURS: readonly (readonly [number, number])[] = [
  2, 1.2, 0.8, 0.6, 0.6, 1, 1.8, 3, 4.2, 5.2, 6, 6.4, 6.6, 6.3, 6, 5.8, 5.7, 5.8, 6.1, 6.6, 7, 6.6, 5.2, 3.5,
].map((weight, hour) => [weight, hour] as const);

/** Sunday first, as in Date. */
const WEEKDAYS = [0.86, 1.12, 1.1, 1.06, 1.03, 0.98, 0.85] as const;

export interface Day {
  /** First moment, and the one after the last. */
  from: number;
  to: number;
  /** Number of visitors relative to an average day. */
  strength: number;
}

/**
 * Returns the last `days` days of the time zone, ending with that of `until`; traffic grows by half from the first to
 * the last.
 */
export function daysUntil(until: number, days: number, timezone: string): Day[] {
  const [year, month, day] = localDate(until, timezone);
  return Array.from({ length: days }, (_, index) => {
    const back = days - 1 - index;
    const midnight = (of: number): number => localMidnight(Date.UTC(year, month - 1, day - of), timezone);
    const weekday = new Date(Date.UTC(year, month - 1, day - back)).getUTCDay();
    const growth = days === 1 ? 1 : 0.8 + 0.4 * (index / (days - 1));
    return { from: midnight(back), to: midnight(back - 1), strength: (WEEKDAYS[weekday] ?? 1) * growth };
  });
}

/** Returns a random moment of the day by its rhythm. */
export function momentOf(day: Day, chance: Chance): number {
  const hour = chance.weighted(HOURS);
  return Math.floor(day.from + Math.min(hour * HOUR_MS, day.to - day.from - HOUR_MS) + chance.next() * HOUR_MS);
}

function localDate(at: number, timezone: string): [year: number, month: number, day: number] {
  const shifted = new Date(at + offsetOf(at, timezone));
  return [shifted.getUTCFullYear(), shifted.getUTCMonth() + 1, shifted.getUTCDate()];
}

/** @param date midnight of that date in UTC */
function localMidnight(date: number, timezone: string): number {
  const near = date - offsetOf(date, timezone);
  return date - offsetOf(near, timezone);
}

/** Returns how far the zone's clocks are ahead of UTC at a moment, in milliseconds. */
function offsetOf(at: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return (
    Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) -
    Math.floor(at / 1000) * 1000
  );
}
