/**
 * The events of one request that count, by the mode of their type (domain/events/eventTypes.ts EVENT_MODES): the winner
 * of a `max` or `state`, and the facts outside each other's windows. db/events/states.ts compares a winner with the
 * stored value by the same rules.
 */
import { compareCodePoints } from '../codePoints.ts';
import type { ValidEvent } from './validateEvents.ts';

/** An event whose user is resolved. */
export interface PersonEvent extends ValidEvent {
  identityId: string;
}

/**
 * Returns a key of identity, item and type: events with the same key share one row of `max` or `state`, and one window.
 */
function seriesKey({ identityId, item, type }: Pick<PersonEvent, 'identityId' | 'item' | 'type'>): string {
  return `${identityId}\0${item}\0${type.code}`;
}

/**
 * Returns the one event of each series that counts in a request, sorted by key in the database's order: for `max` the
 * largest value (the first of equal ones), for `state` the latest (the last of equal ones).
 */
export function winningStates(events: readonly PersonEvent[]): PersonEvent[] {
  const kept = new Map<string, PersonEvent>();
  for (const event of events) {
    const key = seriesKey(event);
    const known = kept.get(key);
    if (known === undefined || replaces(event, known)) kept.set(key, event);
  }
  return [...kept].sort(([a], [b]) => compareCodePoints(a, b)).map(([, event]) => event);
}

function replaces(event: PersonEvent, known: PersonEvent): boolean {
  if (event.type.mode === 'max') return stateValue(event) > stateValue(known);
  return event.occurredAt >= known.occurredAt;
}

/**
 * Returns the value of a `max` or `state`, which always has one; for a type without values it is 1, which means that
 * the event happened.
 */
export function stateValue({ value }: Pick<ValidEvent, 'value'>): number {
  return value ?? 1;
}

/**
 * Drops facts that lie within their type's window of an earlier one in the list, before or after it in time. A distance
 * of exactly the window's length is outside.
 */
export function outsideWindows(events: readonly PersonEvent[]): PersonEvent[] {
  const times = new Map<string, number[]>();
  return events.filter((event) => {
    const windowMs = event.type.dedup_window_sec * 1000;
    if (windowMs === 0) return true;
    const key = seriesKey(event);
    const known = times.get(key) ?? [];
    const at = event.occurredAt.getTime();
    if (known.some((time) => Math.abs(time - at) < windowMs)) return false;
    times.set(key, [...known, at]);
    return true;
  });
}

/** Number of lock slots by which requests with facts of the same window wait for each other. */
const WINDOW_SLOTS = 64;

/** Returns the slots of the series that have a window, ascending: locked in this order, they never deadlock. */
export function windowSlots(events: readonly PersonEvent[]): number[] {
  const slots = new Set<number>();
  for (const event of events) slots.add(hash(seriesKey(event)) % WINDOW_SLOTS);
  return [...slots].sort((a, b) => a - b);
}

/** FNV-1a, 32 bits, over UTF-16 units: cheap, and uniform enough for 64 slots. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}
