/** Moments as requests carry them: ISO-8601 with a time zone. */
// RFC 3339's profile of ISO-8601, seconds and a smaller fraction optional; the zone is not.
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?([Zz]|[+-](\d{2}):?(\d{2}))$/;

/** Whether a text is an existing moment in ISO-8601 with Z or an offset, of the years 0001 to 9999. */
export function isDateTime(text: string): boolean {
  return parseDateTime(text) !== null;
}

/** The moment, to the millisecond; null when the text is none. */
export function parseDateTime(text: string): Date | null {
  const match = DATE_TIME.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const zoneHour = Number(match[8] ?? 0);
  const zoneMinute = Number(match[9] ?? 0);
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return null;
  const zone = match[8] === undefined ? 'Z' : `${match[7]?.[0]}${match[8]}:${match[9]}`;
  const fraction = /[.,](\d{1,9})/.exec(text)?.[1]?.slice(0, 3) ?? '0';
  const moment = new Date(`${text.slice(0, 10)}T${text.slice(11, 16)}:${match[6] ?? '00'}.${fraction}${zone}`);
  const isInRange = moment.getUTCFullYear() >= 1 && moment.getUTCFullYear() <= 9999;
  return Number.isNaN(moment.getTime()) || !isInRange ? null : moment;
}

/** The Gregorian calendar repeats every 400 years; Date.UTC reads years below 100 as 19xx. */
function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}
