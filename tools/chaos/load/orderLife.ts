/** Lives of orders: created, repeated, changed, cancelled; alone or in a batch. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ExpectedOrder } from './expected.ts';
import type { Scenario, ScenarioDeps } from './scenarios.ts';
import type { Random } from '../../load/random.ts';

interface Line {
  item: string;
  quantity: number;
  price: number;
  title?: string;
}

interface SentOrder {
  order_id: string;
  user: { user_id: string };
  occurred_at?: string;
  status?: 'cancelled';
  items?: Line[];
}

interface OrderAnswer {
  accepted: number | null;
  rejected: { index: number; code: string }[] | null;
}

const USERS = 100;
const BATCH = 5;
const BATCH_PERCENT = 15;
const REPEATED_PERCENT = 20;
const CHANGED_PERCENT = 35;
const CANCELLED_PERCENT = 15;
const PRODUCT_PERCENT = 10;
const UNKNOWN_PERCENT = 10;
/** Maximum pause between the writes of one order: a change may arrive before or after the expansion. */
const PAUSE_MS = 1_500;
const UNKNOWN_ITEM = 'not-in-the-catalogue';

export function createOrderScenario(deps: ScenarioDeps): Scenario {
  const { expected, sender, targets, signal } = deps;

  async function send(order: SentOrder): Promise<void> {
    const { body } = await sender.write<OrderAnswer>(targets.main, { method: 'POST', path: '/orders', body: order });
    judge(deps, order, body);
  }

  async function sendBatch(orders: SentOrder[]): Promise<void> {
    const { body } = await sender.write<{ results: (OrderAnswer & { ok: boolean })[] }>(targets.main, {
      method: 'POST',
      path: '/orders/batch',
      body: { orders },
    });
    for (const [index, order] of orders.entries()) {
      const result = body.results[index];
      if (result?.ok) judge(deps, order, result);
      else expected.complaints.push(`order ${order.order_id} of a batch was not taken`);
      recordOrder(deps, order);
    }
  }

  return async (n, random) => {
    const make = (id: string): SentOrder => ({
      order_id: id,
      user: { user_id: `u-${random.below(USERS)}` },
      occurred_at: deps.occurrence(),
      items: linesOf(deps, id, random),
    });
    if (random.percent(BATCH_PERCENT))
      return sendBatch(Array.from({ length: BATCH }, (_, index) => make(`order-${n}-${index}`)));
    const order = make(`order-${n}`);
    await send(order);
    recordOrder(deps, order);
    if (random.percent(REPEATED_PERCENT)) await send(order);
    const { occurred_at: _sentBefore, ...same } = order;
    if (random.percent(CHANGED_PERCENT)) {
      await delay(random.below(PAUSE_MS), undefined, { signal });
      const changed = { ...same, items: linesOf(deps, `${order.order_id}-changed`, random) };
      await send(changed);
      recordOrder(deps, changed);
    }
    if (!random.percent(CANCELLED_PERCENT)) return;
    await delay(random.below(PAUSE_MS), undefined, { signal });
    const cancelled: SentOrder = { order_id: order.order_id, user: order.user, status: 'cancelled' };
    await send(cancelled);
    recordOrder(deps, cancelled);
  };
}

/** Records an accepted order in its new state. */
function recordOrder({ expected }: ScenarioDeps, order: SentOrder): void {
  const known = expected.orders.get(order.order_id);
  const status = order.status ?? 'created';
  const lines =
    status === 'cancelled' ? new Map<string, { quantity: number; price: number }>() : sumOf(order.items ?? []);
  const next: ExpectedOrder = {
    id: order.order_id,
    owner: `user:${order.user.user_id}`,
    status,
    revision: (known?.revision ?? 0) + 1,
    lines,
  };
  expected.orders.set(order.order_id, next);
  for (const { item, title } of order.items ?? []) if (title !== undefined) expected.products.add(item);
}

function judge({ expected }: ScenarioDeps, order: SentOrder, { accepted, rejected }: OrderAnswer): void {
  const sent = order.items ?? [];
  const unknown = sent.filter(({ item }) => item === UNKNOWN_ITEM).length;
  if (accepted !== sent.length - unknown || rejected?.length !== unknown) {
    expected.complaints.push(
      `order ${order.order_id}: ${accepted} lines taken of ${sent.length}, ${rejected?.length} rejected`,
    );
  }
}

/** Returns two to five lines; the first item appears twice. Each composition differs from every other in its prices. */
function linesOf({ baseItems }: ScenarioDeps, product: string, random: Random): Line[] {
  const line = (item: string): Line => ({ item, quantity: 1 + random.below(3), price: 100 + random.below(1_000_000) });
  const first = line(random.pick(baseItems));
  const lines = [first, { ...first, quantity: 1 + random.below(3) }, line(random.pick(baseItems))];
  if (random.percent(PRODUCT_PERCENT)) lines.push({ ...line(`product/${product}`), title: `Product of ${product}` });
  if (random.percent(UNKNOWN_PERCENT)) lines.push(line(UNKNOWN_ITEM));
  return lines;
}

/**
 * Sums by item: quantities are added, and the price is the average weighted by them (decisions, 6). The values are
 * whole numbers until the division, so the result is exact.
 */
function sumOf(lines: readonly Line[]): Map<string, { quantity: number; price: number }> {
  const known = lines.filter(({ item }) => item !== UNKNOWN_ITEM);
  const sums = [...Map.groupBy(known, ({ item }) => item)].map(([item, same]) => {
    const quantity = same.reduce((sum, line) => sum + line.quantity, 0);
    return [
      item,
      { quantity, price: same.reduce((sum, line) => sum + line.quantity * line.price, 0) / quantity },
    ] as const;
  });
  return new Map(sums);
}
