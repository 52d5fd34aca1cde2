/** Reads orders and the events that were made from them. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { expandRequest } from '../../../db/orders/expandOrders.ts';
import type { OrderWrite, OrdersRequest } from '../../../db/orders/writeOrders.ts';
import type { SentLine } from '../../../domain/orders/orderLines.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';

export function request(projectId: string, receivedAt = new Date()): OrdersRequest {
  return { projectId, priority: PRIORITY.bulk, requestId: 'request-1', receivedAt };
}

/** Returns a valid line of an order. */
export function line(item: string, change: Partial<SentLine> = {}): SentLine {
  return { item, quantity: 1, price: 10, title: `Товар ${item}`, properties: null, ...change };
}

/** Returns an order with one line for each item. */
export function order(orderId: string, items: readonly string[], change: Partial<OrderWrite> = {}): OrderWrite {
  return {
    orderId,
    user: { kind: 'user', externalId: 'u1' },
    login: null,
    occurredAt: null,
    status: 'created',
    lines: items.map((item) => line(item)),
    ...change,
  };
}

/** Computes the id that a line's event must have, independently of the product's code. */
export function expectedEventId(orderId: string, item: string): string {
  return (
    'o:' +
    createHash('sha256')
      .update(Buffer.from(orderId + String.fromCharCode(10) + item, 'utf8'))
      .digest()
      .subarray(0, 16)
      .toString('hex')
  );
}

export interface OrderEvent {
  id: string;
  order_id: string;
  item_id: string;
  type: string;
  quantity: number;
  price: number | null;
  value: number | null;
  occurred_at: Date;
  identity_id: string;
}

/** Reads the events of the project, by order and item. */
export async function readEvents(
  pool: pg.Pool,
  projectId: string,
  orderId: string | null = null,
): Promise<OrderEvent[]> {
  const { rows } = await pool.query<OrderEvent>(
    `select id, order_id, item_id, type, quantity, price, value, occurred_at, identity_id from events
      where project_id = $1 and ($2::text is null or order_id = $2) order by order_id, item_id`,
    [projectId, orderId],
  );
  return rows;
}

/** Finds lines without an event, events without a line, and pairs that disagree; empty when all is well. */
export async function findDifferences(pool: pg.Pool, projectId: string): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select l.order_id, l.item_id, e.id, e.order_id as event_order from
       (select l.*, o.identity_id, o.occurred_at, 'o:' || left(encode(sha256(convert_to(l.order_id || E'\\n' || l.item_id, 'UTF8')), 'hex'), 32) as event_id
          from order_lines l join orders o using (project_id, order_id) where l.project_id = $1) l
       full join (select * from events where project_id = $1 and id like 'o:%') e on e.id = l.event_id
      where (l.item_id, l.order_id, l.quantity, l.price, l.identity_id, l.occurred_at) is distinct from
            (e.item_id, e.order_id, e.quantity, e.price, e.identity_id, e.occurred_at)`,
    [projectId],
  );
  return rows;
}

export async function openRequests(pool: pg.Pool, projectId: string): Promise<string[]> {
  const { rows } = await pool.query<{ entity_id: string }>(
    `select entity_id from jobs where project_id = $1 and kind = 'orders' order by entity_id`,
    [projectId],
  );
  return rows.map((row) => row.entity_id);
}

/** Does the work of the workflows of all open requests, one after another. */
export async function expandAll(pool: pg.Pool, projectId: string, chunk = 100): Promise<number> {
  let orders = 0;
  for (const id of await openRequests(pool, projectId)) {
    for (let isDone = false; !isDone;) {
      const report = await expandRequest(pool, projectId, id, chunk);
      orders += report.orders;
      isDone = report.isDone;
    }
  }
  return orders;
}

/** Expands everything that is left, then reads the events of a project's orders, or of one order. */
export async function expandedEvents(pool: pg.Pool, projectId: string, orderId: string | null = null) {
  await expandAll(pool, projectId);
  return readEvents(pool, projectId, orderId);
}

/** Reads the row of an order. */
export async function readOrder(
  pool: pg.Pool,
  projectId: string,
  orderId: string,
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await pool.query<Record<string, unknown>>(
    'select * from orders where project_id = $1 and order_id = $2',
    [projectId, orderId],
  );
  return rows[0];
}
