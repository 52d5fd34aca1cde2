/** Events as columns: a statement takes one array per column and unnests them together. */
import { eventIdHash } from '../../domain/events/rememberedIds.ts';
import type { PersonEvent } from '../../domain/events/countingEvents.ts';
import type { ValidEvent } from '../../domain/events/validateEvents.ts';
import { arrayParameter } from '../arrays.ts';

type Column = ReturnType<typeof arrayParameter>;

export function column<Event>(events: readonly Event[], valueOf: (event: Event) => string | number): Column {
  return arrayParameter(events.map(valueOf));
}

/** Returns a column that is null when all its values are empty, so that it costs nothing to send. */
export function sparseColumn<Event>(
  events: readonly Event[],
  valueOf: (event: Event) => string | number | null,
): Column | null {
  const values = events.map(valueOf);
  return values.every((value) => value === null) ? null : arrayParameter(values);
}

export const idsOf = (events: readonly ValidEvent[]): Column => column(events, ({ id }) => id);
export const hashesOf = (events: readonly ValidEvent[]): Column => column(events, ({ id }) => eventIdHash(id));

/** Returns the times of events. Events without a time of their own share one Date, whose text is made once. */
export function timesOf(events: readonly ValidEvent[]): Column {
  let last: Date | undefined;
  let text = '';
  return column(events, ({ occurredAt }) => {
    if (occurredAt !== last) {
      last = occurredAt;
      text = occurredAt.toISOString();
    }
    return text;
  });
}

/** Returns the columns of persons, items and types. */
export function seriesColumns(events: readonly PersonEvent[]): [Column, Column, Column] {
  return [
    column(events, ({ identityId }) => identityId),
    column(events, ({ item }) => item),
    column(events, ({ type }) => type.code),
  ];
}

/**
 * Returns the events sorted by id. Statements write their rows in the order of their arrays, so that requests with the
 * same events do not deadlock.
 */
export function inOrderOfIds(events: readonly PersonEvent[]): PersonEvent[] {
  return events.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
}
