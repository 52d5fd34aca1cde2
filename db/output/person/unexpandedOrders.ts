/** Orders that were accepted and are not events yet: they count from the next request on, as the events will. */

/**
 * Returns the condition that the events of an order `o` do not reflect it yet.
 * @param members an array of identities, as an expression; the project is $1
 */
export const isUnexpanded = (members: string): string =>
  `o.project_id = $1 and o.identity_id = any(${members}) and o.expanded_revision < o.revision`;

/** Returns a query of the items of such orders, each with the time of its order. */
export const unexpandedItems = (members: string): string => `
  select line.item_id, o.occurred_at from orders o
   cross join lateral (
     select item_id from order_lines l where l.project_id = $1 and l.order_id = o.order_id offset 0) line
   where ${isUnexpanded(members)} and o.status = 'created'`;
