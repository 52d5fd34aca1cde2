/**
 * Parts of statements: the events of people for the item `w` within its days, `w.first_day` to `w.last_day`. Rows are
 * found item by item: without `offset` a plan reads all rows of the project and joins them.
 */

const COLUMNS = 'identity_id, type, value, occurred_at';

export const EVENTS_OF_ITEM = `
  select ${COLUMNS}, price, quantity from events e
   where e.project_id = $1 and e.item_id = w.item_id
     and e.occurred_at >= to_timestamp(w.first_day::bigint * 86400) and e.occurred_at < to_timestamp((w.last_day::bigint + 1) * 86400)
   offset 0`;

/** The index of states has no time, so the last day cannot be used: the caller requests all days. */
export const STATES_OF_ITEM = `
  select ${COLUMNS} from event_states e
   where e.project_id = $1 and e.item_id = w.item_id and e.occurred_at >= to_timestamp(w.first_day::bigint * 86400)
   offset 0`;
