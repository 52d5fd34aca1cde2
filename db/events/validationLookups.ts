/** Looks up what the validation of events needs: which items are unknown, and which orders POST /orders manages. */
import { arrayParameter } from '../arrays.ts';
import type { Queryable } from '../pool.ts';

/**
 * Returns those of the items that the catalogue does not have, not even deleted. They are usually few, so little is
 * transferred.
 */
export async function findUnknownItems(
  pool: Queryable,
  projectId: string,
  items: readonly string[],
): Promise<Set<string>> {
  if (items.length === 0) return new Set();
  const { rows } = await pool.query<{ id: string }>({
    name: 'events-items',
    text: `select w.id from unnest($2::text[]) as w (id)
            where (select i.id from items i where i.project_id = $1 and i.id = w.id) is null`,
    values: [projectId, arrayParameter(items)],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Returns those of the orders that POST /orders manages. */
export async function findManagedOrders(
  pool: Queryable,
  projectId: string,
  orderIds: readonly string[],
): Promise<Set<string>> {
  if (orderIds.length === 0) return new Set();
  const { rows } = await pool.query<{ order_id: string }>({
    name: 'events-orders',
    text: 'select order_id from orders where project_id = $1 and order_id = any($2::text[])',
    values: [projectId, orderIds],
  });
  return new Set(rows.map((row) => row.order_id));
}
