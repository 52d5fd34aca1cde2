/** Products of an order, as a server sends them. orderLines.ts unites lines with the same item. */
import { hasAtMost } from '../codePoints.ts';
import type { CollectedProduct } from '../collect/collected.ts';
import { MAX_AMOUNT, MAX_QUANTITY } from '../sites/amountLimits.ts';

export const MAX_PRODUCTS = 200;

/** Texts of a product and their maximum lengths in Unicode characters, as in the tag's intake. */
export const PRODUCT_TEXTS = { id: 255, name: 1000, category: 1000, brand: 255, variant: 255 } as const;

/**
 * Reads a list of products. Absent fields are null, and fields that orders do not have (`sku`) are left out, because
 * shops send their products as they store them.
 * @returns null when any part of it is invalid: it is not a list or has over 200 entries; an entry is not an object,
 *   lacks both id and name, or has a value of a wrong type, a text that is too long, a price below 0, a quantity of 0
 *   or less, or a number that is out of range
 */
export function readProducts(value: unknown): CollectedProduct[] | null {
  if (!Array.isArray(value) || value.length > MAX_PRODUCTS) return null;
  const products: CollectedProduct[] = [];
  for (const element of value) {
    const product = readProduct(element);
    if (product === null) return null;
    products.push(product);
  }
  return products;
}

function readProduct(value: unknown): CollectedProduct | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const given = value as Record<string, unknown>;
  const areTexts = Object.entries(PRODUCT_TEXTS).every(([key, max]) => isAbsent(given[key]) || isText(given[key], max));
  const { price, qty } = given;
  const hasPrice = isAbsent(price) || (typeof price === 'number' && price >= 0 && price <= MAX_AMOUNT);
  const hasQuantity = isAbsent(qty) || (typeof qty === 'number' && qty > 0 && qty <= MAX_QUANTITY);
  if (!areTexts || !hasPrice || !hasQuantity || (!given['id'] && !given['name'])) return null;
  const text = (key: keyof typeof PRODUCT_TEXTS): string | null => (given[key] as string | null | undefined) || null;
  return {
    id: text('id'),
    name: text('name'),
    category: text('category'),
    brand: text('brand'),
    variant: text('variant'),
    price: price ?? null,
    qty: qty ?? null,
  };
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

function isText(value: unknown, max: number): boolean {
  return typeof value === 'string' && hasAtMost(value, max);
}
