/**
 * Derives a person's taste from their events: a weight for each item that they met. output/selection/rank/rankFeed.ts
 * adds the interests and followed authors of their profile to the scores.
 */
import type { EventType } from '../events/eventTypes.ts';
import { DAY_MS } from '../timeUnits.ts';

/** Share of an event's weight that stays: tastes last. */
const LASTING = 0.5;
/** The age at which half of the rest is left: a single wish fades within months. */
const HALF_AGE_MS = 60 * DAY_MS;

/** The event that counts for an item and type. */
export interface Interaction {
  itemId: string;
  type: string;
  /** Null for a fact without one. */
  value: number | null;
  /** Milliseconds since 1970. */
  occurredAt: number;
}

/** The fields of a type that matter here. */
export type SignalType = Pick<EventType, 'code' | 'weight' | 'value_map'>;

export interface ItemSignal {
  item: string;
  /** Below 0: the person does not want it. */
  weight: number;
}

/**
 * Returns the items of a person's events, the most recently met first. The weight of an item is the sum over its
 * events: the weight of the type × the multiplier of the value × the decay by age.
 * @param types by code; events of other types do not count
 * @param now milliseconds since 1970
 */
export function itemSignals(
  interactions: readonly Interaction[],
  types: ReadonlyMap<string, SignalType>,
  now: number,
): ItemSignal[] {
  const weights = new Map<string, number>();
  for (const { itemId, type, value, occurredAt } of interactions.toSorted((a, b) => b.occurredAt - a.occurredAt)) {
    const known = types.get(type);
    if (!known) continue;
    const weight = known.weight * engagement(known.value_map, value) * decay(now - occurredAt);
    weights.set(itemId, (weights.get(itemId) ?? 0) + weight);
  }
  return [...weights].filter(([, weight]) => weight !== 0).map(([item, weight]) => ({ item, weight }));
}

/**
 * Returns the multiplier for an event with a value: that of the highest threshold that the value reaches. It is 1
 * without a value, without thresholds and below all of them.
 */
export function engagement(thresholds: Readonly<Record<string, number>> | null, value: number | null): number {
  if (thresholds === null || value === null) return 1;
  let reached = -Infinity;
  let multiplier = 1;
  for (const [text, times] of Object.entries(thresholds)) {
    const threshold = Number(text);
    if (threshold > value || threshold < reached) continue;
    reached = threshold;
    multiplier = times;
  }
  return multiplier;
}

/** Returns the share of an event's weight that is left at an age. */
export function decay(ageMs: number): number {
  return LASTING + (1 - LASTING) * 0.5 ** (Math.max(0, ageMs) / HALF_AGE_MS);
}
