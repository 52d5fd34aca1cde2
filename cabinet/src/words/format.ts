/** Formats numbers and times in the language of the page. */
import { useMemo } from 'react';
import { usePreferences } from './preferences.tsx';

export interface Format {
  /** Formats a day and a time of day. */
  moment(iso: string): string;
  /** Formats a time of day. */
  time(iso: string): string;
  /**
   * Formats a day.
   * @param day `2026-11-20`
   */
  day(day: string): string;
  number(value: number): string;
  /**
   * Formats a share in percent.
   * @param share 0.25 is 25 %
   */
  percent(share: number): string;
  /** Formats a relative change in percent, with its sign. */
  change(share: number): string;
  /**
   * Formats an amount of money, rounded to whole currency units.
   * @param currency an ISO 4217 code
   */
  money(amount: number, currency: string): string;
  /**
   * Formats an amount of money, with its cents if there are any.
   * @param currency an ISO 4217 code
   */
  price(amount: number, currency: string): string;
  /**
   * Formats an amount for which fractions of a cent matter.
   * @param currency an ISO 4217 code
   */
  cost(amount: number, currency: string): string;
  /** Formats a duration in the largest suitable units: `2 hr`, `20 hr 36 min`, `84 ms`. */
  span(milliseconds: number): string;
  /** Formats a response time: `84 ms`, `1.5 sec`. */
  latency(milliseconds: number): string;
  /** Like {@link span}, rounded to whole seconds. */
  duration(seconds: number): string;
  /**
   * Formats a month.
   * @param month `2026-11`
   */
  month(month: string): string;
}

export function useFormat(): Format {
  const { language } = usePreferences();
  return useMemo(() => {
    const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
    const times = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
    const days = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
    const months = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
    const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
    const changes = new Intl.NumberFormat(language, {
      style: 'percent',
      maximumFractionDigits: 0,
      signDisplay: 'exceptZero',
    });
    return {
      moment: (iso) => moments.format(new Date(iso)),
      time: (iso) => times.format(new Date(iso)),
      day: (day) => days.format(new Date(day)),
      number: (value) => numbers.format(value),
      percent: (share) => percents.format(share),
      change: (share) => changes.format(share),
      cost: (amount, currency) =>
        new Intl.NumberFormat(language, {
          style: 'currency',
          currency,
          maximumFractionDigits: amount < 1 ? 4 : 2,
        }).format(amount),
      money: (amount, currency) =>
        new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 0 }).format(amount),
      price: (amount, currency) =>
        new Intl.NumberFormat(language, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(
          amount,
        ),
      span: (milliseconds) => spanIn(language, milliseconds),
      latency: (milliseconds) =>
        milliseconds < 1_000
          ? unitIn(language, 'millisecond', milliseconds)
          : unitIn(language, 'second', Math.round(milliseconds / 100) / 10),
      duration: (seconds) =>
        seconds < 0.5 ? unitIn(language, 'second', 0) : spanIn(language, Math.round(seconds) * 1000),
      month: (month) => months.format(new Date(`${month}-01`)),
    };
  }, [language]);
}

const unitIn = (language: string, unit: string, count: number): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(count);

const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const;

function spanIn(language: string, milliseconds: number): string {
  let rest = milliseconds;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    // Milliseconds do not matter beside larger units.
    const isShown = unit === 'millisecond' ? parts.length === 0 : count > 0;
    if (isShown) parts.push(unitIn(language, unit, count));
  }
  return parts.slice(0, 2).join(' ');
}

/**
 * Formats a position in a medium: `1:05`, `1:02:03`.
 * @param seconds from its beginning
 */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
