/** Relative periods of saved reports. */
const DAY_MS = 86_400_000;

/** The last `count` days of a calendar, `today` (YYYY-MM-DD) among them, as the dates of a report. */
export function lastDays(today: string, count: number): { date_from: string; date_to: string } {
  // Days without a clock: none of them is longer or shorter in UTC.
  const first = new Date(Date.parse(`${today}T00:00:00Z`) - (count - 1) * DAY_MS);
  return { date_from: first.toISOString().slice(0, 10), date_to: today };
}
