/** Reads the argument of svc('purchase') and svc('refund'). */
import type { Params } from './event.ts';
import { stringify } from './json.ts';
import { PROMO_CODE_MAX_LENGTH } from '../../../domain/collect/tagEventLimits.ts';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import { MAX_PRODUCTS, PRODUCT_TEXTS } from '../../../domain/orders/products.ts';
import { BATCH_BYTES } from '../sending/batch.ts';
import { isRecord } from '../../../domain/isRecord.ts';
import { byteLength, cut, identifier } from './storableText.ts';
import { MAX_AMOUNT, MAX_QUANTITY } from '../../../domain/sites/amountLimits.ts';

/** Leaves room in the batch for the event around the order. */
const ORDER_BYTES = BATCH_BYTES - 20_000;

/**
 * Returns the valid parts. Products beyond 200, and those that do not fit into a batch, are left out, because the order
 * itself matters more.
 * @returns undefined without a transaction_id
 */
export function readOrder(value: unknown): Params | undefined {
  if (!isRecord(value)) return undefined;
  const transactionId = identifier(value['transaction_id'], ID_MAX_LENGTH);
  if (transactionId === undefined) return undefined;
  const order: Params = { transaction_id: transactionId };
  const revenue = amountOf(value['revenue'], MAX_AMOUNT);
  if (revenue !== undefined) order['revenue'] = revenue;
  if (typeof value['currency'] === 'string' && /^[A-Za-z]{3}$/.test(value['currency']))
    order['currency'] = value['currency'].toUpperCase();
  const promoCode = identifier(value['promo_code'], PROMO_CODE_MAX_LENGTH);
  if (promoCode !== undefined) order['promo_code'] = promoCode;
  const products = productsOf(value['products']);
  if (products !== undefined) order['products'] = products;
  return order;
}

function productsOf(value: unknown): Params[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const products: Params[] = [];
  let bytes = 0;
  for (let index = 0; index < value.length && products.length < MAX_PRODUCTS; index += 1) {
    const product = productOf(value[index]);
    if (product === undefined) continue;
    bytes += byteLength(stringify(product)) + 1;
    if (bytes > ORDER_BYTES) break;
    products.push(product);
  }
  return products;
}

/** Returns undefined for a product for which the server would refuse the whole order. */
function productOf(value: unknown): Params | undefined {
  if (!isRecord(value)) return undefined;
  const product: Params = {};
  const id = typeof value['id'] === 'number' ? String(value['id']) : value['id'];
  // A cut id would be another product's, whereas cut names and brands still mean the same.
  if (typeof id === 'string' && id !== '' && cut(id, PRODUCT_TEXTS.id) === id) product['id'] = id;
  for (const name of ['name', 'category', 'brand', 'variant'] as const) {
    const text = typeof value[name] === 'number' ? String(value[name]) : value[name];
    const kept = typeof text === 'string' ? cut(text, PRODUCT_TEXTS[name]) : '';
    if (kept !== '') product[name] = kept;
  }
  const price = amountOf(value['price'], MAX_AMOUNT);
  if (price !== undefined) product['price'] = price;
  const quantity = amountOf(value['qty'], MAX_QUANTITY);
  if (quantity) product['qty'] = quantity;
  return product['id'] === undefined && product['name'] === undefined ? undefined : product;
}

/** Returns an amount from 0 to `max`. Shops write prices as strings as often as numbers. */
function amountOf(value: unknown, max: number): number | undefined {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof amount === 'number' && amount >= 0 && amount <= max ? amount : undefined;
}
