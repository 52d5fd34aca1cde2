/** Events as columns: a statement takes an array for each and unnests them together. */
import { eventIdHash } from '../../domain/eventIds.ts';
import type { PersonEvent } from '../../domain/eventModes.ts';
import type { TakenEvent } from '../../domain/events.ts';

/** One column of the events; null when no event has a value, which costs nothing to send. */
export function column<Event, Value>(events: readonly Event[], valueOf: (event: Event) => Value | null): (Value | null)[] | null {
  let isEmpty = true;
  const values = events.map((event) => {
    const value = valueOf(event);
    if (value !== null) isEmpty = false;
    return value;
  });
  return isEmpty ? null : values;
}

export const idsOf = (events: readonly TakenEvent[]): string[] => events.map(({ id }) => id);
export const hashesOf = (events: readonly TakenEvent[]): string[] => events.map(({ id }) => eventIdHash(id));

/** Events without a time of their own share one Date, whose text is made once. */
export function timesOf(events: readonly TakenEvent[]): string[] {
  let last: Date | undefined;
  let text = '';
  return events.map(({ occurredAt }) => {
    if (occurredAt !== last) {
      last = occurredAt;
      text = occurredAt.toISOString();
    }
    return text;
  });
}

/** Who did what to which item. */
export function subjectColumns(events: readonly PersonEvent[]): [string[], string[], string[]] {
  return [events.map(({ identityId }) => identityId), events.map(({ item }) => item), events.map(({ type }) => type.code)];
}
