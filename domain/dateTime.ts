/** Times in requests and answers: ISO-8601 with a time zone. */
// RFC 3339's profile of ISO-8601; seconds, their fraction and the minutes of an offset are optional, the zone is
// required.
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)$/;

/** Returns true for an existing time in ISO-8601 with Z or an offset, of the years 0001 to 9999. */
export function isDateTime(text: string): boolean {
  return parseDateTime(text) !== null;
}

/**
 * Returns the time, to the millisecond; null when the text is not one. It runs for every event of every hit, so it is
 * written for speed.
 */
export function parseDateTime(text: string): Date | null {
  const match = DATE_TIME.exec(text);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6] ?? 0)];
  const [zoneHour, zoneMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return null;
  const milliseconds = match[7] === undefined ? 0 : Number(match[7].slice(0, 3).padEnd(3, '0'));
  const east = (match[8] === '-' ? -1 : 1) * (zoneHour * 60 + zoneMinute);
  const moment = new Date(utc(year, month, day) + ((hour * 60 + minute - east) * 60 + second) * 1000 + milliseconds);
  const isInRange = moment.getUTCFullYear() >= 1 && moment.getUTCFullYear() <= 9999;
  return isInRange ? moment : null;
}

/** Returns the time of a field; null when the field is absent or its text is not a time. */
export function parseOptionalDateTime(text: string | null | undefined): Date | null {
  return typeof text === 'string' ? parseDateTime(text) : null;
}

/** Writes a time as the analytics API does: whole seconds and Z. */
export function toWholeSeconds(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

const CALENDAR_YEARS = 400;
/** The length of 400 years of the Gregorian calendar, after which it repeats, in milliseconds. */
const CALENDAR_MS = 146_097 * 86_400_000;

/** Returns the start of a day. Date.UTC reads years below 100 as 19xx, hence the detour. */
function utc(year: number, month: number, day: number): number {
  return Date.UTC(year + CALENDAR_YEARS, month - 1, day) - CALENDAR_MS;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
