/** Records changes of people's events (migrations/0069_popularity.sql), in the transaction that makes them. */
import type { ChangedItems } from '../../domain/events/changedDays.ts';
import { arrayParameter } from '../arrays.ts';
import type { Queryable } from '../pool.ts';

/** Returns SQL for the day of a time. */
export const DAY_OF = (moment: string): string => `((${moment} at time zone 'UTC')::date - date '1970-01-01')`;

/** The table of the changed rows. */
export type ChangedTable = 'events' | 'event_states';

const COLUMNS = 'project_id, of_states, item_ids, first_day, last_day';

/**
 * Returns a part of a statement. It records the given items if the part `stored` has a row, without a round trip of its
 * own.
 * @param first the number of the first of three parameters, {@link changeValues}
 */
export function recordIfStored(table: ChangedTable, first: number): string {
  const [items, firstDay, lastDay] = [first, first + 1, first + 2].map((at) => `$${at}`);
  return `insert into event_changes (${COLUMNS})
          select $1, ${table === 'event_states'}, ${items}::text[], ${firstDay}::integer, ${lastDay}::integer
           where ${items}::text[] is not null and exists (select from stored)`;
}

export function changeValues(changed: ChangedItems | null): unknown[] {
  return changed === null ? [null, null, null] : [arrayParameter(changed.items), changed.firstDay, changed.lastDay];
}

/** Returns a part of a statement that records the rows of another part, which have `item_id` and `occurred_at`. */
export function recordRows(table: ChangedTable, rows: string): string {
  return `insert into event_changes (${COLUMNS})
          select $1, ${table === 'event_states'}, array_agg(distinct item_id), min(${DAY_OF('occurred_at')}), max(${DAY_OF('occurred_at')})
            from ${rows} having count(*) > 0`;
}

/** Requests a new count of everything that people did, because their place of residence has changed. */
export async function recordPeople(
  client: Queryable,
  projectId: string,
  identityIds: readonly string[],
): Promise<void> {
  if (identityIds.length === 0) return;
  await client.query({
    name: 'event-changes-people',
    text: `insert into event_changes (project_id, identity_ids, first_day, last_day) values ($1, $2::bigint[], 0, 2147483647)`,
    values: [projectId, identityIds],
  });
}

/** Requests a new count of the whole project, because the weights of its events have changed. */
export async function recordAllItems(client: Queryable, projectId: string): Promise<void> {
  await client.query('insert into event_changes (project_id, first_day, last_day) values ($1, 0, 2147483647)', [
    projectId,
  ]);
}
