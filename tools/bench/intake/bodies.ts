/** Request bodies of the benchmark, built before the clock starts. */
import { randomUUID } from 'node:crypto';
import { SHORT, textBody } from '../pipeline/texts.ts';

export const CATALOGUE = 20_000;
export const PEOPLE = 200_000;
export const EVENTS_PER_REQUEST = 1_000;
export const ITEMS_PER_REQUEST = 500;
export const ORDERS_PER_REQUEST = 500;
export const LINES_PER_ORDER = 3;

export const itemId = (n: number): string => `item-${n}`;
const randomBelow = (count: number): number => Math.floor(Math.random() * count);
/** Returns a random item by the square of a uniform distribution: few items get most of the attention. */
const popularItem = (): string => itemId(Math.floor(CATALOGUE * Math.random() ** 2));
const person = (): object => ({ user_id: `user-${randomBelow(PEOPLE)}` });

/** Facts only: every event becomes a row, as COPY would write it. */
function fact(): object {
  return {
    id: randomUUID(),
    type: 'open',
    item: popularItem(),
    user: person(),
    surface: 'feed',
    position: randomBelow(30),
    recommendation_id: randomUUID(),
  };
}

/** Returns a typical event of a site: mostly impressions and views, some opens, few likes. */
function mixed(): object {
  const event = { id: randomUUID(), item: popularItem(), user: person(), surface: 'feed', position: randomBelow(30) };
  const dice = Math.random();
  if (dice < 0.6) return { ...event, type: 'impression' };
  if (dice < 0.8) return { ...event, type: 'open' };
  if (dice < 0.95) return { ...event, type: 'view', value: randomBelow(101) };
  return { ...event, type: 'like' };
}

const bodyOf = (make: () => object): string =>
  JSON.stringify({ events: Array.from({ length: EVENTS_PER_REQUEST }, make) });
export const factsBody = (): string => bodyOf(fact);
export const mixedBody = (): string => bodyOf(mixed);

export function itemsBody(request: number): string {
  const operations = Array.from({ length: ITEMS_PER_REQUEST }, (_, index) => {
    const n = request * ITEMS_PER_REQUEST + index;
    return { op: 'put', id: itemId(n), data: textBody(n, SHORT) };
  });
  return JSON.stringify({ operations });
}

export function ordersBody(): string {
  const line = (): object => ({
    item: itemId(randomBelow(CATALOGUE)),
    quantity: 1 + randomBelow(3),
    price: 100 + randomBelow(900),
  });
  const orders = Array.from({ length: ORDERS_PER_REQUEST }, () => ({
    order_id: randomUUID(),
    user: person(),
    items: Array.from({ length: LINES_PER_ORDER }, line),
  }));
  return JSON.stringify({ orders });
}
