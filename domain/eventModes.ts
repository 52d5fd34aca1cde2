/** How the events of each mode become what is kept (domain/eventTypes.ts EVENT_MODES). */
import { compareCodePoints } from './codePoints.ts';
import type { TakenEvent } from './judgeEvents.ts';

/** An event whose user is resolved. */
export interface PersonEvent extends TakenEvent {
  identityId: string;
}

/** Identity, item and type: one row of `max` and `state`, one clock of a window. */
export function subjectKey({ identityId, item, type }: Pick<PersonEvent, 'identityId' | 'item' | 'type'>): string {
  return `${identityId}\0${item}\0${type.code}`;
}

/**
 * The event of each subject that counts among those of one request, in the order of their keys, as the database has it:
 * `max` the largest value (the first of equals), `state` the latest (the last of equals).
 */
export function countingStates(events: readonly PersonEvent[]): PersonEvent[] {
  const kept = new Map<string, PersonEvent>();
  for (const event of events) {
    const key = subjectKey(event);
    const known = kept.get(key);
    if (known === undefined || replaces(event, known)) kept.set(key, event);
  }
  return [...kept].sort(([a], [b]) => compareCodePoints(a, b)).map(([, event]) => event);
}

function replaces(event: PersonEvent, known: PersonEvent): boolean {
  if (event.type.mode === 'max') return stateValue(event) > stateValue(known);
  return event.occurredAt >= known.occurredAt;
}

/** A `max` or `state` always has a value; of a type without values it says that the event happened. */
export function stateValue({ value }: Pick<TakenEvent, 'value'>): number {
  return value ?? 1;
}

/**
 * Drops facts that come within their type's window of another one before them in the list, earlier
 * or later in time. Exactly the window's length apart is not within it.
 */
export function outsideWindows(events: readonly PersonEvent[]): PersonEvent[] {
  const times = new Map<string, number[]>();
  return events.filter((event) => {
    const windowMs = event.type.dedup_window_sec * 1000;
    if (windowMs === 0) return true;
    const key = subjectKey(event);
    const known = times.get(key) ?? [];
    const at = event.occurredAt.getTime();
    if (known.some((time) => Math.abs(time - at) < windowMs)) return false;
    times.set(key, [...known, at]);
    return true;
  });
}

/** Slots by which requests with facts of one window wait for each other. */
const WINDOW_SLOTS = 64;

/** The slots of the subjects that have a window, ascending: taken in this order, nobody waits in a circle. */
export function windowSlots(events: readonly PersonEvent[]): number[] {
  const slots = new Set<number>();
  for (const event of events) slots.add(hash(subjectKey(event)) % WINDOW_SLOTS);
  return [...slots].sort((a, b) => a - b);
}

/** FNV-1a, 32 bits, over UTF-16 units: cheap, and even enough over 64 slots. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}
