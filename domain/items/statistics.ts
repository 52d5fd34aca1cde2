/** Counts of what people did with an item, by day. */

/**
 * Number of days that are counted. The oldest day is only partly within the maximum age of an event
 * (domain/events/occurredAt.ts), so there is one day more than that age has.
 */
export const STATISTICS_DAYS = 731;

/** Maximum number of days of one request. */
export const MAX_STATISTICS_DAYS = 92;
export const USUAL_STATISTICS_DAYS = 28;

/** Maximum number of events of a period for which distinct people are counted; above it they are not. */
export const MAX_EVENTS_FOR_DISTINCT_PEOPLE = 20_000;

/** The counts of events of one type. */
export interface EventCounts {
  events: number;
  /** Number of events with a value. */
  valued: number;
  valueSum: number;
  /** Price × quantity. */
  revenue: number;
}

/** The counts of one day; each pair of day and type occurs once. */
export interface DayCounts extends EventCounts {
  /** Days since 1970, in UTC. */
  day: number;
  type: string;
  people: number;
}

/** Returns the counts of several days by type, in the order in which the types first occur. */
export function totalsByType(days: readonly DayCounts[]): Map<string, EventCounts> {
  const totals = new Map<string, EventCounts>();
  for (const { type, events, valued, valueSum, revenue } of days) {
    const sum = totals.get(type) ?? { events: 0, valued: 0, valueSum: 0, revenue: 0 };
    totals.set(type, {
      events: sum.events + events,
      valued: sum.valued + valued,
      valueSum: sum.valueSum + valueSum,
      revenue: sum.revenue + revenue,
    });
  }
  return totals;
}

/** Returns null when no event had a value. */
export function averageOf({ valued, valueSum }: Pick<EventCounts, 'valued' | 'valueSum'>): number | null {
  return valued === 0 ? null : Number((valueSum / valued).toFixed(2));
}
