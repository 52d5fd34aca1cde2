/** How large the benchmark's project is. Everything in it follows from its size and the seed of the generator. */

export interface WorldSize {
  items: number;
  people: number;
  /** Stored events: facts, and states with one row for each person, item and type. */
  events: number;
}

/** Of the events, up to this moment. */
export const EVENT_DAYS = 90;
/** Of the publications. */
export const PUBLISHED_DAYS = 730;
export const DAY_MS = 86_400_000;

/** Ten events an item and twenty a person, a million events at most. */
export function sizeOf(items: number): WorldSize {
  const events = Math.min(1_000_000, 10 * items);
  return { items, events, people: Math.max(100, Math.round(events / 20)) };
}

export const itemId = (n: number): string => `item-${n}`;
export const userId = (n: number): string => `user-${n}`;
