/** Changes of events, by day: the counts of these days are recomputed. */
import type { PersonEvent } from './countingEvents.ts';
import { DAY_MS } from '../timeUnits.ts';

/** Returns the day since 1970, in UTC. */
export function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS);
}

export interface ChangedItems {
  items: string[];
  firstDay: number;
  lastDay: number;
}

/** Returns the items of events of any type, because statistics count all of them; null when there are none. */
export function changedItems(events: readonly PersonEvent[]): ChangedItems | null {
  if (events.length === 0) return null;
  const days = events.map(({ occurredAt }) => dayOf(occurredAt));
  return {
    items: [...new Set(events.map(({ item }) => item))],
    firstDay: days.reduce((a, b) => Math.min(a, b)),
    lastDay: days.reduce((a, b) => Math.max(a, b)),
  };
}
