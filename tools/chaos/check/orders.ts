/** Checks orders: the last accepted composition, and its lines as events, each once by its id. */
import { createHash } from 'node:crypto';
import type { ExpectedOrder } from '../load/expected.ts';
import type { CheckContext } from './context.ts';

interface OrderRow {
  id: string;
  owner: string;
  status: string;
  revision: number;
  expanded: number;
}

interface LineRow {
  id: string;
  item: string;
  type: string;
  owner: string;
  order: string;
  quantity: number;
  price: number;
  value: number;
}

export async function checkOrders(context: CheckContext): Promise<void> {
  const { pool, expected, findings, projects } = context;
  const { rows } = await pool.query<OrderRow>(
    `select o.order_id as id, i.kind || ':' || i.external_id as owner, o.status, o.revision::int, o.expanded_revision::int as expanded
       from orders o join identities i on i.project_id = o.project_id and i.id = o.identity_id where o.project_id = $1`,
    [projects.main.id],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const lines = await readLines(context);
  findings.countCompared('orders', expected.orders.size);
  for (const order of expected.orders.values()) {
    const row = stored.get(order.id);
    stored.delete(order.id);
    if (row) compare(context, order, row);
    else findings.add('lost', `order ${order.id} is not there`);
    compareLines(context, order, lines);
  }
  for (const id of stored.keys()) findings.add('doubled', `order ${id} was never accepted`);
  for (const { id, order } of lines.values())
    findings.add('doubled', `line ${id} of order ${order} is there and should not be`);
}

async function readLines({ pool, projects }: CheckContext): Promise<Map<string, LineRow>> {
  const { rows } = await pool.query<LineRow>(
    `select e.id, e.item_id as item, e.type, i.kind || ':' || i.external_id as owner, e.order_id as order, e.quantity, e.price, e.value
       from events e join identities i on i.project_id = e.project_id and i.id = e.identity_id
      where e.project_id = $1 and e.id like 'o:%'`,
    [projects.main.id],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function compare({ findings }: CheckContext, order: ExpectedOrder, row: OrderRow): void {
  if (row.owner !== order.owner || row.status !== order.status || row.revision < order.revision)
    findings.add(
      'lost',
      `order ${order.id} is ${JSON.stringify(row)}, not ${order.status} ${order.revision} as accepted`,
    );
  if (row.revision > order.revision)
    findings.add('doubled', `order ${order.id} was changed ${row.revision - order.revision} times too often`);
  if (row.expanded !== row.revision)
    findings.add('unfinished', `order ${order.id} shows ${row.expanded} of ${row.revision}`);
}

/** Compares the lines of an order and removes the right ones from the map. */
function compareLines({ findings }: CheckContext, order: ExpectedOrder, lines: Map<string, LineRow>): void {
  for (const [item, { quantity, price }] of order.lines) {
    const id = lineId(order.id, item);
    const row = lines.get(id);
    lines.delete(id);
    findings.countCompared('order lines', 1);
    const isRight =
      row &&
      row.item === item &&
      row.type === 'purchase' &&
      row.owner === order.owner &&
      row.order === order.id &&
      row.quantity === quantity &&
      row.price === price &&
      row.value === quantity * price;
    if (!isRight)
      findings.add('lost', `line ${item} of order ${order.id} is ${row ? JSON.stringify(row) : 'not there'}`);
  }
}

/**
 * Computes the id as the API's document defines it: `o:` and 32 hexadecimal characters of a SHA-256 over order and
 * item, joined by a line feed.
 */
function lineId(order: string, item: string): string {
  return `o:${createHash('sha256').update(order).update('\n').update(item).digest('hex').slice(0, 32)}`;
}
