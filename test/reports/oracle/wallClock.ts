/** The wall clock of a time zone, from Intl for each moment. */
export interface WallClock {
  /** YYYY-MM-DD. */
  date: string;
  /** 00–23. */
  hour: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timezone, made);
  return made;
}

const clocks = new Map<string, WallClock>();

export function wallClock(at: number, timezone: string): WallClock {
  const key = `${timezone} ${at}`;
  const known = clocks.get(key);
  if (known !== undefined) return known;
  const parts = Object.fromEntries(
    formatOf(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const clock = { date: `${parts['year']}-${parts['month']}-${parts['day']}`, hour: parts['hour'] ?? '' };
  clocks.set(key, clock);
  return clock;
}

/** Monday is 1. */
export function dayOfWeek(date: string): number {
  return ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
}

/** Returns the ISO week; a week belongs to the year of its Thursday. */
export function isoWeek(date: string): string {
  const thursday = shiftDate(date, 4 - dayOfWeek(date));
  const year = thursday.slice(0, 4);
  const number = Math.floor(daysBetween(`${year}-01-01`, thursday) / 7) + 1;
  return `${year}-W${String(number).padStart(2, '0')}`;
}

export function shiftDate(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000;
}
