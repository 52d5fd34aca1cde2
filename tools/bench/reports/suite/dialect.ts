/** The differences between the SQL of ClickHouse and of PostgreSQL. */
import { TIMEZONE, UTC_OFFSET_HOURS } from '../world/sitesAndPeriod.ts';

export interface Dialect {
  name: 'clickhouse' | 'postgres';
  /** Returns the day, or the first of the month, of a UTC TIMESTAMP in the site's calendar. */
  day(time: string): string;
  month(time: string): string;
  /** Formats a day as 2026-11-20, a month as 2026-11. */
  dayText(day: string): string;
  monthText(month: string): string;
  matches(text: string, pattern: string): string;
  contains(text: string, part: string): string;
  /** Sums over the rows that match the condition. */
  sumIf(amount: string, condition: string): string;
  distinct(column: string): string;
  distinctIf(column: string, condition: string): string;
  /** Returns part n of a text split at /. */
  part(text: string, n: number): string;
  /** Returns the seconds from one TIMESTAMP to the other. */
  seconds(from: string, to: string): string;
  timestamp(text: string): string;
  number(amount: string): string;
}

export const CLICKHOUSE: Dialect = {
  name: 'clickhouse',
  day: (time) => `toDate(${time}, '${TIMEZONE}')`,
  month: (time) => `toStartOfMonth(toDate(${time}, '${TIMEZONE}'))`,
  dayText: (day) => `toString(${day})`,
  monthText: (month) => `formatDateTime(${month}, '%Y-%m')`,
  matches: (text, pattern) => `match(${text}, '${pattern}')`,
  contains: (text, part) => `positionCaseInsensitive(${text}, '${part}') > 0`,
  sumIf: (amount, condition) => `sumIf(${amount}, ${condition})`,
  distinct: (column) => `uniqExact(${column})`,
  distinctIf: (column, condition) => `uniqExactIf(${column}, ${condition})`,
  part: (text, n) => `splitByChar('/', assumeNotNull(${text}))[${n}]`,
  seconds: (from, to) => `dateDiff('millisecond', ${from}, ${to}) / 1000`,
  timestamp: (text) => `toDateTime64('${text}', 3, 'UTC')`,
  number: (amount) => `toFloat64(${amount})`,
};

export const POSTGRES: Dialect = {
  name: 'postgres',
  day: (time) => `(${time} + interval '${UTC_OFFSET_HOURS} hours')::date`,
  month: (time) => `date_trunc('month', ${time} + interval '${UTC_OFFSET_HOURS} hours')`,
  dayText: (day) => `to_char(${day}, 'YYYY-MM-DD')`,
  monthText: (month) => `to_char(${month}, 'YYYY-MM')`,
  matches: (text, pattern) => `${text} ~ '${pattern}'`,
  contains: (text, part) => `${text} ilike '%${part}%'`,
  sumIf: (amount, condition) => `coalesce(sum(${amount}) filter (where ${condition}), 0)`,
  distinct: (column) => `count(distinct ${column})`,
  distinctIf: (column, condition) => `count(distinct ${column}) filter (where ${condition})`,
  part: (text, n) => `split_part(${text}, '/', ${n})`,
  seconds: (from, to) => `extract(epoch from ${to} - ${from})`,
  timestamp: (text) => `timestamp '${text}'`,
  number: (amount) => `${amount}::double precision`,
};
