/** Converts stretches of time into the people of each minute. */
import { MINUTE_MS } from '../../domain/timeUnits.ts';

/** People whose visit lasted from the minute `first` to before the minute `after`, both counted since the epoch. */
export interface Stretch {
  first: number;
  after: number;
  people: number;
}

/**
 * Returns the people of each minute.
 * @param at epoch milliseconds; its minute is the last one
 * @param count number of minutes
 * @returns the oldest first
 */
export function minutesOf(stretches: readonly Stretch[], at: number, count: number): { at: Date; people: number }[] {
  const last = Math.floor(at / MINUTE_MS);
  return Array.from({ length: count }, (_, index) => {
    const minute = last - count + 1 + index;
    const people = stretches.reduce(
      (sum, { first, after, people: some }) => (first <= minute && minute < after ? sum + some : sum),
      0,
    );
    return { at: new Date(minute * MINUTE_MS), people };
  });
}
