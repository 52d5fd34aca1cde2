/** What a person's events say of the person's taste: a weight for each item that was met. */
import type { EventType } from '../eventTypes.ts';

/** After so long an event counts half: tastes stay for months, and what was wanted once is forgotten within a year. */
const HALF_AGE_MS = 60 * 86_400_000;

/** The event of an item and type that counts. */
export interface Met {
  itemId: string;
  type: string;
  /** Null for a fact without one. */
  value: number | null;
  /** Milliseconds since 1970. */
  occurredAt: number;
}

/** What counts of a type. */
export type SignalType = Pick<EventType, 'code' | 'weight' | 'value_map'>;

export interface ItemSignal {
  item: string;
  /** Below 0: the person does not want it. */
  weight: number;
}

/**
 * The items of a person's events, the one that was met last first. Each weighs what its events do together: the weight of
 * the type × the multiplier of the value × the decay by age.
 * @param types by code; events of others do not count
 */
export function itemSignals(met: readonly Met[], types: ReadonlyMap<string, SignalType>, now: number): ItemSignal[] {
  const weights = new Map<string, number>();
  for (const { itemId, type, value, occurredAt } of met.toSorted((a, b) => b.occurredAt - a.occurredAt)) {
    const known = types.get(type);
    if (!known) continue;
    const weight = known.weight * engagement(known.value_map, value) * decay(now - occurredAt);
    weights.set(itemId, (weights.get(itemId) ?? 0) + weight);
  }
  return [...weights].filter(([, weight]) => weight !== 0).map(([item, weight]) => ({ item, weight }));
}

/**
 * How many times an event of a value counts: what the highest threshold says that the value has reached. Once without a
 * value, without thresholds and below all of them.
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

/** What is left of an event's weight at an age. */
export function decay(ageMs: number): number {
  return 0.5 ** (Math.max(0, ageMs) / HALF_AGE_MS);
}
