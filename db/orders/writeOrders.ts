/** Stores the orders of one request: one transaction with a handful of statements, however many orders there are. */
import type pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { identifierKey, type Identifier } from '../../domain/people/identity.ts';
import {
  validateLines,
  sameLines,
  sameOrder,
  sumLines,
  type ValidatedLines,
  type LineRejection,
  type OrderedProduct,
  type OrderStatus,
  type SentLine,
} from '../../domain/orders/orderLines.ts';
import { createOrderItems } from '../items/createOrderItems.ts';
import { findKnownItems } from '../items/lockItems.ts';
import { recordLogins, resolveIdentities } from '../identities/identities.ts';
import { openJob } from '../jobs/jobs.ts';
import { inTransaction } from '../pool.ts';
import {
  deleteLines,
  insertLines,
  insertOrders,
  lockOrders,
  updateOrders,
  type LockedOrder,
  type OrderRow,
} from './orderRows.ts';

export interface OrderWrite {
  orderId: string;
  user: Identifier;
  /** Fingerprint of the device on which the user is signed in; null if there is none or fingerprints do not count. */
  login: string | null;
  /** Null means the time of an earlier order of this id, else the time of receipt. */
  occurredAt: Date | null;
  status: OrderStatus;
  /** Ignored for a cancelled order. */
  lines: SentLine[];
}

export interface OrdersRequest {
  projectId: string;
  /** A priority of domain/jobs/queues.ts PRIORITY. */
  priority: number;
  requestId: string | null;
  receivedAt: Date;
}

export interface OrderOutcome {
  /** Number of lines as sent, not as merged. */
  accepted: number;
  rejected: LineRejection[];
}

/**
 * Stores orders, replacing the content of known ones, and requests their expansion. A repeat that changes nothing
 * requests nothing. When an id occurs twice, the last one counts.
 * @returns the outcome of each; null when the project has no active purchase type, and then nothing is stored
 */
export function writeOrders(
  pool: pg.Pool,
  request: OrdersRequest,
  orders: readonly OrderWrite[],
): Promise<OrderOutcome[] | null> {
  return inTransaction(pool, async (client) => {
    const purchaseType = await readPurchaseType(client, request.projectId);
    if (purchaseType === null) return null;
    const identities = await resolveIdentities(
      client,
      request.projectId,
      orders.map(({ user }) => user),
    );
    const identityOf = ({ user }: OrderWrite): string => requireId(identities, user);
    await recordLogins(
      client,
      request.projectId,
      orders.flatMap((order) =>
        order.login === null ? [] : [{ fingerprint: order.login, identityId: identityOf(order) }],
      ),
    );
    const validated = await validateAll(client, request, orders);
    const wanted = orders.map((order, index) => ({
      orderId: order.orderId,
      identityId: identityOf(order),
      sentAt: order.occurredAt,
      status: order.status,
      lines: sumLines(validated[index]?.taken ?? []),
    }));
    await requestExpansion(client, request, purchaseType, await storeOrders(client, request, lastOfEach(wanted)));
    return validated.map(({ taken, rejected }) => ({ accepted: taken.length, rejected }));
  });
}

async function readPurchaseType(client: pg.PoolClient, projectId: string): Promise<string | null> {
  const { rows } = await client.query<{ code: string }>({
    name: 'purchase-type',
    text: 'select code from event_types where project_id = $1 and is_purchase and is_active',
    values: [projectId],
  });
  return rows[0]?.code ?? null;
}

function requireId(identities: ReadonlyMap<string, string>, user: Identifier): string {
  const id = identities.get(identifierKey(user));
  if (id === undefined) throw new Error('an identity vanished while it was being resolved');
  return id;
}

/**
 * Validates the lines of the orders in turn; a product that has a title in one of them is known to the following ones.
 */
async function validateAll(
  client: pg.PoolClient,
  { projectId, requestId }: OrdersRequest,
  orders: readonly OrderWrite[],
): Promise<ValidatedLines[]> {
  const linesOf = ({ status, lines }: OrderWrite): SentLine[] => (status === 'cancelled' ? [] : lines);
  const named = new Set(orders.flatMap((order) => linesOf(order).map(({ item }) => item)));
  const known = await findKnownItems(client, projectId, [...named]);
  const products: OrderedProduct[] = [];
  const validated = orders.map((order) => {
    const verdict = validateLines(linesOf(order), (item) => known.has(item));
    for (const { id } of verdict.products) known.add(id);
    products.push(...verdict.products);
    return verdict;
  });
  await createOrderItems(client, projectId, requestId, products);
  return validated;
}

type WantedOrder = Omit<OrderRow, 'occurredAt'> & { sentAt: Date | null };

/** Keeps the last order of each id, with the time that was sent last, as if they had arrived one after another. */
function lastOfEach(orders: readonly WantedOrder[]): WantedOrder[] {
  const last = new Map<string, WantedOrder>();
  for (const order of orders)
    last.set(order.orderId, { ...order, sentAt: order.sentAt ?? last.get(order.orderId)?.sentAt ?? null });
  return [...last.values()];
}

/** Stores orders. @returns the ids of those that are new or changed */
async function storeOrders(
  client: pg.PoolClient,
  { projectId, receivedAt }: OrdersRequest,
  wanted: readonly WantedOrder[],
): Promise<string[]> {
  const { added, before } = await claimOrders(
    client,
    projectId,
    wanted.map((order) => rowOf(order, receivedAt)),
  );
  const repeats = wanted.flatMap((order) => {
    const known = before.get(order.orderId);
    return known ? [{ row: rowOf(order, receivedAt, known), known }] : [];
  });
  const changed = repeats.filter(({ row, known }) => !sameOrder(row, known));
  const recomposed = changed.filter(({ row, known }) => !sameLines(row.lines, known.lines)).map(({ row }) => row);
  await updateOrders(
    client,
    projectId,
    changed.map(({ row }) => row),
  );
  await deleteLines(
    client,
    projectId,
    recomposed.map(({ orderId }) => orderId),
  );
  await insertLines(client, projectId, [...added, ...recomposed]);
  return [...added, ...changed.map(({ row }) => row)].map(({ orderId }) => orderId);
}

/** The deletion of a user may remove an order between the two statements of a round, but hardly in every round. */
const MAX_ROUNDS = 5;

/** Adds the orders that are new and locks the others. */
async function claimOrders(
  client: pg.PoolClient,
  projectId: string,
  fresh: readonly OrderRow[],
): Promise<{ added: OrderRow[]; before: Map<string, LockedOrder> }> {
  const added: OrderRow[] = [];
  const before = new Map<string, LockedOrder>();
  let left = fresh;
  for (let round = 0; left.length > 0; round += 1) {
    if (round === MAX_ROUNDS) throw new Error('orders are being deleted as fast as they are written');
    const inserted = await insertOrders(client, projectId, left);
    added.push(...left.filter(({ orderId }) => inserted.has(orderId)));
    left = left.filter(({ orderId }) => !inserted.has(orderId));
    const locked = await lockOrders(
      client,
      projectId,
      left.map(({ orderId }) => orderId),
    );
    for (const [orderId, order] of locked) before.set(orderId, order);
    left = left.filter(({ orderId }) => !locked.has(orderId));
  }
  return { added, before };
}

function rowOf({ sentAt, ...order }: WantedOrder, receivedAt: Date, known?: LockedOrder): OrderRow {
  const previous = known && !known.isForgotten ? known.occurredAt : receivedAt;
  return { ...order, occurredAt: sentAt ?? previous };
}

async function requestExpansion(
  client: pg.PoolClient,
  { projectId, priority, requestId }: OrdersRequest,
  eventType: string,
  orderIds: readonly string[],
): Promise<void> {
  if (orderIds.length === 0) return;
  const id = uuidv7();
  await client.query('insert into order_requests (project_id, id, event_type, order_ids) values ($1, $2, $3, $4)', [
    projectId,
    id,
    eventType,
    orderIds,
  ]);
  await openJob(client, { kind: 'orders', projectId, entityId: id, priority, requestId });
}
