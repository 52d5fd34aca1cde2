/**
 * Orders: their lines, which of them are accepted, and the events they become. The limits of a batch of orders are in
 * api/content/orders/orders.ts.
 */
import { createHash } from 'node:crypto';
import { sameJson } from '../sameJson.ts';

export const ORDER_STATUSES = ['created', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** A line as a client sends it, defaults applied. */
export interface SentLine {
  item: string;
  quantity: number;
  /** Price of one piece; null when unknown. */
  price: number | null;
  /** For a product that the catalogue may not have. */
  title: string | null;
  properties: Record<string, unknown> | null;
}

/** A line as it is stored: one for each item of the order. */
export type OrderLine = Omit<SentLine, 'title'>;

/** The fields of an order that a repeat of it may change. */
export interface OrderState {
  identityId: string;
  occurredAt: Date;
  status: OrderStatus;
  lines: readonly OrderLine[];
}

export const ORDER_LINE_REJECTIONS = ['unknown_item', 'invalid_value'] as const;

export interface LineRejection {
  /** Index in the order's items, from 0. */
  index: number;
  item: string;
  code: (typeof ORDER_LINE_REJECTIONS)[number];
}

/** A product outside the catalogue, which becomes an unavailable item. */
export interface OrderedProduct {
  id: string;
  title: string;
  properties: Record<string, unknown> | null;
}

export interface ValidatedLines {
  taken: SentLine[];
  rejected: LineRejection[];
  products: OrderedProduct[];
}

/** Ids of the events that orders expand into. */
export const LINE_EVENT_ID = /^o:[0-9a-f]{32}$/;

/**
 * Returns the event id of an order's line: `o:` and the first 32 hex digits of SHA-256 over order and item. It depends
 * only on these two, so that repeated expansions of an order write the same rows.
 */
export function lineEventId(orderId: string, item: string): string {
  return `o:${createHash('sha256').update(`${orderId}\n${item}`).digest('hex').slice(0, 32)}`;
}

/**
 * Separates accepted lines from rejected ones. A title anywhere in the order makes its product known to all of the
 * order's lines.
 * @param isKnown returns true when the catalogue has the item, even a deleted one
 */
export function validateLines(lines: readonly SentLine[], isKnown: (item: string) => boolean): ValidatedLines {
  const products = new Map<string, OrderedProduct>();
  for (const { item, title, properties, ...numbers } of lines) {
    const isNew = !isKnown(item) && !products.has(item) && hasValidNumbers(numbers);
    if (isNew && title !== null && title.trim() !== '') products.set(item, { id: item, title, properties });
  }
  const validated: ValidatedLines = { taken: [], rejected: [], products: [...products.values()] };
  for (const [index, line] of lines.entries()) {
    const { item } = line;
    if (!hasValidNumbers(line)) validated.rejected.push({ index, item, code: 'invalid_value' });
    else if (!isKnown(item) && !products.has(item)) validated.rejected.push({ index, item, code: 'unknown_item' });
    else validated.taken.push(line);
  }
  return validated;
}

/** A double cannot count beyond 2^53 - 1. Up to it, no product or sum of a request overflows. */
function hasValidNumbers({ quantity, price }: Pick<SentLine, 'quantity' | 'price'>): boolean {
  return [quantity, price ?? 0].every((value) => value >= 0 && value <= Number.MAX_SAFE_INTEGER);
}

/**
 * Returns one line for each item, in the order of their first occurrence: quantities are added, the price is the
 * quantity-weighted average of the lines that have one, and the last properties count.
 */
export function sumLines(lines: readonly SentLine[]): OrderLine[] {
  const byItem = Map.groupBy(lines, ({ item }) => item);
  return [...byItem].map(([item, same]) => ({
    item,
    quantity: same.reduce((sum, { quantity }) => sum + quantity, 0),
    price: averagePrice(same),
    properties: same.findLast(({ properties }) => properties !== null)?.properties ?? null,
  }));
}

function averagePrice(lines: readonly SentLine[]): number | null {
  const priced = lines.flatMap(({ price, quantity }) => (price === null ? [] : [{ price, quantity }]));
  const [first, ...others] = priced;
  if (!first) return null;
  // This also keeps the price exact: multiplied and divided by a quantity, it may differ in the last digit.
  if (others.every(({ price }) => price === first.price)) return first.price;
  const pieces = priced.reduce((sum, { quantity }) => sum + quantity, 0);
  if (pieces === 0) return priced.reduce((sum, { price }) => sum + price, 0) / priced.length;
  const average = priced.reduce((sum, { price, quantity }) => sum + price * quantity, 0) / pieces;
  const prices = priced.map(({ price }) => price);
  // Rounding may take the average out of the range of the prices, and far out of it if the quantities are the smallest
  // numbers above 0.
  return Math.min(Math.max(average, Math.min(...prices)), Math.max(...prices));
}

/** Returns the value of an order's line as an event of the purchase type: quantity × price, when the price is known. */
export function lineValue({ quantity, price }: Pick<OrderLine, 'quantity' | 'price'>): number | null {
  return price === null ? null : quantity * price;
}

/** Returns true when a repeat contains nothing new; the order of lines does not matter. */
export function sameOrder(a: OrderState, b: OrderState): boolean {
  return (
    a.identityId === b.identityId &&
    a.occurredAt.getTime() === b.occurredAt.getTime() &&
    a.status === b.status &&
    sameLines(a.lines, b.lines)
  );
}

export function sameLines(a: readonly OrderLine[], b: readonly OrderLine[]): boolean {
  const others = new Map(b.map((line) => [line.item, line]));
  return a.length === b.length && a.every((line) => sameJson(line, others.get(line.item)));
}
