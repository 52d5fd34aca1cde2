/** Relative periods of saved reports. */
import { DAY_MS } from '../../../domain/timeUnits.ts';

/** Returns the last `count` days of a calendar up to `today` (YYYY-MM-DD) as the dates of a report. */
export function lastDays(today: string, count: number): { date_from: string; date_to: string } {
  // Dates without a time: in UTC all days have the same length.
  const first = new Date(Date.parse(`${today}T00:00:00Z`) - (count - 1) * DAY_MS);
  return { date_from: first.toISOString().slice(0, 10), date_to: today };
}
