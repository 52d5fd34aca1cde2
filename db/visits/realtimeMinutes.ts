/** From stretches of time to what each minute had. */

/** People whose visit went on from the minute `first` to before the minute `after`, both since the epoch. */
export interface Stretch {
  first: number;
  after: number;
  people: number;
}

const MINUTE_MS = 60_000;

/**
 * @param at epoch milliseconds; its minute is the last one
 * @param count of minutes
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
