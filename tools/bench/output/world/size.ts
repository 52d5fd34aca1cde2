/** The size of the benchmark's project. Everything in it is derived from its size and the seed of the generator. */

export interface WorldSize {
  items: number;
  people: number;
  /** Stored events: facts, and states with one row for each combination of person, item and type. */
  events: number;
}

/** Days of events, up to the end of the world's time. */
export const EVENT_DAYS = 90;
/** Days of publications. */
export const PUBLISHED_DAYS = 730;
export const DAY_MS = 86_400_000;

/** Computes the size: ten events per item and twenty per person, at most a million events. */
export function sizeOf(items: number): WorldSize {
  const events = Math.min(1_000_000, 10 * items);
  return { items, events, people: Math.max(100, Math.round(events / 20)) };
}

export const itemId = (n: number): string => `item-${n}`;
export const userId = (n: number): string => `user-${n}`;
