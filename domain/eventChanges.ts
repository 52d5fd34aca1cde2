/** Changes of events, by the days on which they lie: what is counted of these is counted anew. */
import type { PersonEvent } from './eventModes.ts';

const DAY_MS = 86_400_000;

/** Days since 1970, in UTC. */
export function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS);
}

export interface ChangedItems {
  items: string[];
  firstDay: number;
  lastDay: number;
}

/** The items of the events that popularity counts; null when there are none. */
export function changedItems(events: readonly PersonEvent[]): ChangedItems | null {
  const counted = events.filter(({ type }) => type.weight > 0);
  if (counted.length === 0) return null;
  const days = counted.map(({ occurredAt }) => dayOf(occurredAt));
  return {
    items: [...new Set(counted.map(({ item }) => item))],
    firstDay: days.reduce((a, b) => Math.min(a, b)),
    lastDay: days.reduce((a, b) => Math.max(a, b)),
  };
}
