import type { cabinet } from '../../../data/client.ts';
import { listDays, plusDays } from '../../../data/period.ts';

export type ImpressionCounter = cabinet.ImpressionCounter;

/** Maximum number of days that the API counts. */
const DAYS = 31;

/**
 * Returns the impressions of each of the last days, for all surfaces and positions together.
 * @param now its day is the last one, in UTC
 */
export function impressionsByDay(
  counts: readonly ImpressionCounter[],
  now: Date,
): { days: string[]; values: number[] } {
  const today = now.toISOString().slice(0, 10);
  const sums = new Map<string, number>();
  for (const { day, count } of counts) sums.set(day, (sums.get(day) ?? 0) + count);
  const days = listDays({ from: plusDays(today, 1 - DAYS), to: today });
  return { days, values: days.map((day) => sums.get(day) ?? 0) };
}
