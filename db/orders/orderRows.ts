/** The rows of orders and their lines; each function is one statement, however many rows it has. */
import type pg from 'pg';
import type { OrderLine, OrderState, OrderStatus } from '../../domain/orders/orderLines.ts';

export interface OrderRow extends OrderState {
  orderId: string;
}

export interface LockedOrder extends OrderRow {
  /** The user was deleted, and the content of the order was removed. */
  isForgotten: boolean;
}

/**
 * Adds the orders that do not exist yet, in id order and before any row is locked. So two requests with the same new
 * orders cannot wait for each other in both directions.
 * @returns the ids of those that are new
 */
export async function insertOrders(
  client: pg.PoolClient,
  projectId: string,
  orders: readonly OrderRow[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ order_id: string }>(
    `insert into orders (project_id, order_id, identity_id, occurred_at, status, revision)
     select $1, o.order_id, o.identity_id, o.occurred_at, o.status, 1
       from unnest($2::text[], $3::bigint[], $4::timestamptz[], $5::text[]) as o (order_id, identity_id, occurred_at, status)
      order by o.order_id collate "C"
     on conflict do nothing returning order_id`,
    [projectId, ...columns(orders)],
  );
  return new Set(rows.map((row) => row.order_id));
}

/** Locks orders in id order and reads them with their lines. */
export async function lockOrders(
  client: pg.PoolClient,
  projectId: string,
  orderIds: readonly string[],
): Promise<Map<string, LockedOrder>> {
  if (orderIds.length === 0) return new Map();
  const { rows } = await client.query<{
    order_id: string;
    identity_id: string;
    occurred_at: Date;
    status: OrderStatus;
    forgotten: boolean;
  }>(
    `select o.order_id, o.identity_id, o.occurred_at, o.status,
            exists (select from identities i where i.project_id = $1 and i.id = o.identity_id and i.dead_at is not null) as forgotten
       from orders o where o.project_id = $1 and o.order_id = any($2::text[]) order by o.order_id for update of o`,
    [projectId, orderIds],
  );
  const lines = await readLines(client, projectId, orderIds);
  return new Map(
    rows.map((row) => [
      row.order_id,
      {
        orderId: row.order_id,
        identityId: row.identity_id,
        occurredAt: row.occurred_at,
        status: row.status,
        lines: lines.get(row.order_id) ?? [],
        isForgotten: row.forgotten,
      },
    ]),
  );
}

/**
 * Reads the lines of orders. It is a statement of its own, so that it sees what was committed during the wait for the
 * lock.
 */
export async function readLines(
  client: pg.PoolClient,
  projectId: string,
  orderIds: readonly string[],
): Promise<Map<string, OrderLine[]>> {
  const { rows } = await client.query<OrderLine & { order_id: string }>(
    'select order_id, item_id as item, quantity, price, properties from order_lines where project_id = $1 and order_id = any($2::text[])',
    [projectId, orderIds],
  );
  const byOrder = new Map<string, OrderLine[]>();
  for (const { order_id: orderId, ...line } of rows) {
    const lines = byOrder.get(orderId);
    if (lines) lines.push(line);
    else byOrder.set(orderId, [line]);
  }
  return byOrder;
}

/** Replaces the fields of locked orders, which outdates their events. */
export async function updateOrders(
  client: pg.PoolClient,
  projectId: string,
  orders: readonly OrderRow[],
): Promise<void> {
  if (orders.length === 0) return;
  await client.query(
    `update orders o set identity_id = n.identity_id, occurred_at = n.occurred_at, status = n.status, revision = o.revision + 1, updated_at = now()
       from unnest($2::text[], $3::bigint[], $4::timestamptz[], $5::text[]) as n (order_id, identity_id, occurred_at, status)
      where o.project_id = $1 and o.order_id = n.order_id`,
    [projectId, ...columns(orders)],
  );
}

/** Removes all lines of the orders. */
export async function deleteLines(
  client: pg.PoolClient,
  projectId: string,
  orderIds: readonly string[],
): Promise<void> {
  if (orderIds.length === 0) return;
  await client.query('delete from order_lines where project_id = $1 and order_id = any($2::text[])', [
    projectId,
    orderIds,
  ]);
}

/** Adds the lines of orders that have none. */
export async function insertLines(
  client: pg.PoolClient,
  projectId: string,
  orders: readonly OrderRow[],
): Promise<void> {
  const lines = orders.flatMap(({ orderId, lines }) => lines.map((line) => ({ orderId, ...line })));
  if (lines.length === 0) return;
  await client.query(
    `insert into order_lines (project_id, order_id, item_id, quantity, price, properties)
     select $1, l.order_id, l.item_id, l.quantity, l.price, l.properties::jsonb
       from unnest($2::text[], $3::text[], $4::float8[], $5::float8[], $6::text[]) as l (order_id, item_id, quantity, price, properties)`,
    [
      projectId,
      lines.map(({ orderId }) => orderId),
      lines.map(({ item }) => item),
      lines.map(({ quantity }) => quantity),
      lines.map(({ price }) => price),
      lines.map(({ properties }) => (properties === null ? null : JSON.stringify(properties))),
    ],
  );
}

function columns(orders: readonly OrderRow[]): [string[], string[], Date[], OrderStatus[]] {
  return [
    orders.map(({ orderId }) => orderId),
    orders.map(({ identityId }) => identityId),
    orders.map(({ occurredAt }) => occurredAt),
    orders.map(({ status }) => status),
  ];
}
