/** Accepted and rejected events as rows of one table. */
import { personOf, type PersonName, type ProjectEvent, type RejectedEvent } from '../../../data/project/people.ts';

export interface EventRow {
  key: string;
  type: string | null;
  item: string | null;
  person: PersonName | null;
  received: string;
  /** Null if it was accepted. */
  rejection: RejectedEvent['code'] | null;
  /** The event if it was accepted. */
  event: ProjectEvent | null;
}

export function acceptedRow(event: ProjectEvent): EventRow {
  const { type, item, user, received_at: received } = event;
  const person = personOf(user);
  const key = event.id ?? [type, item, person?.user, received].join(' ');
  return { key, type, item, person, received, rejection: null, event };
}

/** @param index distinguishes events that were sent twice */
export function rejectedRow(
  { code, id, type, item, user, received_at: received }: RejectedEvent,
  index: number,
): EventRow {
  const key = [code, id, received, index].join(' ');
  return { key, type, item, person: personOf(user), received, rejection: code, event: null };
}

/** Sorts the most recently received first. */
export function byReceipt(rows: readonly EventRow[]): EventRow[] {
  return rows.toSorted((a, b) => Date.parse(b.received) - Date.parse(a.received));
}
