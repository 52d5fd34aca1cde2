/** The events that orders expand into. */
import type pg from 'pg';
import { LINE_EVENT_ID } from '../../domain/orders/orderLines.ts';

/**
 * SQL condition on a row of events: it is the line of an order. The first half uses the index; the second excludes ids
 * that only begin alike.
 */
export const IS_LINE_EVENT = `id like 'o:%' and id ~ '${LINE_EVENT_ID.source}'`;

/**
 * Locks all events of the orders' lines in id order. Everybody else locks events in that order too
 * (db/people/chunkedChanges.ts), so later changes and removals in the same transaction cannot deadlock. The rows are
 * first found by their orders: if the query asked for id order directly, the planner might search all lines of the
 * project. The caller holds the locks of the orders.
 */
export async function lockLineEvents(
  client: pg.PoolClient,
  projectId: string,
  orderIds: readonly string[],
): Promise<void> {
  await client.query(
    `with line as materialized (
       select ctid as tid from events where project_id = $1 and order_id = any($2::text[]) and ${IS_LINE_EVENT})
     select from events where ctid = any(array(select tid from line)) order by id for update`,
    [projectId, orderIds],
  );
}
