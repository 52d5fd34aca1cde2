/** The events that orders expand into. */
import type pg from 'pg';
import { LINE_EVENT_ID } from '../../domain/orders.ts';

/** SQL of a row of events: it is the line of an order. The first half is the index's, the second leaves out ids that only begin alike. */
export const IS_LINE_EVENT = `id like 'o:%' and id ~ '${LINE_EVENT_ID.source}'`;

/**
 * Locks all events of orders' lines, in the order of their ids: what changes some of them and removes
 * others afterwards waits for nobody who goes through events in that order too (db/people/chunk.ts).
 * Found by the order first: asked for in order, they might be looked for among all lines of the project.
 * The caller holds the locks of the orders.
 */
export async function lockLineEvents(
  client: pg.PoolClient,
  projectId: string,
  orderIds: readonly string[],
): Promise<void> {
  await client.query(
    `with line as materialized (
       select ctid as place from events where project_id = $1 and order_id = any($2::text[]) and ${IS_LINE_EVENT})
     select from events where ctid = any(array(select place from line)) order by id for update`,
    [projectId, orderIds],
  );
}
