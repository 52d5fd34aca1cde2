/** Days in Moscow time, by which quotas of sites are counted. */
import { DAY_MS } from '../timeUnits.ts';

/** UTC+3 since 26 October 2014, without daylight saving (Federal Law 248-FZ of 21 July 2014). */
const OFFSET_MS = 3 * 3_600_000;

/** Returns days since 1970-01-01. @param at epoch milliseconds */
export function moscowDay(at: number): number {
  return Math.floor((at + OFFSET_MS) / DAY_MS);
}

/** Returns the seconds until the day of `at` ends: more than 0, at most a whole day. @param at epoch milliseconds */
export function secondsToMoscowMidnight(at: number): number {
  return ((moscowDay(at) + 1) * DAY_MS - OFFSET_MS - at) / 1_000;
}
