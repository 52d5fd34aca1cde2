import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keptMoment } from '../../../domain/events/occurredAt.ts';
import {
  validateLines,
  lineEventId,
  lineValue,
  sameLines,
  sumLines,
  type OrderLine,
  type SentLine,
} from '../../../domain/orders/orderLines.ts';

const line = (change: Partial<SentLine>): SentLine => ({
  item: 'a',
  quantity: 1,
  price: null,
  title: null,
  properties: null,
  ...change,
});
const sumOf = (...lines: Partial<SentLine>[]) => sumLines(lines.map(line));

describe('lineEventId', () => {
  // proves: intake/rule-5, decisions-orders/line-id
  it('is the documented digest', () => {
    // printf 'A-1\nitem-1' | sha256sum
    expect(lineEventId('A-1', 'item-1')).toBe('o:def7df0e4114789e8f2d022e92dc2d59');
    // printf 'A-1\nтовар' | sha256sum
    expect(lineEventId('A-1', 'товар')).toBe('o:f5d3a6eb60e94d2dca82e9f8f6e23db6');
  });
});

describe('validateLines', () => {
  const knows =
    (...items: string[]) =>
    (item: string) =>
      items.includes(item);

  it('accepts known items and titled products, wherever in the order the title is', () => {
    const lines = [
      line({ item: 'known' }),
      line({ item: 'new' }),
      line({ item: 'new', title: 'N', properties: { a: 1 } }),
      line({ item: 'new', title: 'Other' }),
      line({ item: 'other' }),
    ];
    expect(validateLines(lines, knows('known'))).toEqual({
      taken: lines.slice(0, 4),
      rejected: [{ index: 4, item: 'other', code: 'unknown_item' }],
      products: [{ id: 'new', title: 'N', properties: { a: 1 } }],
    });
  });

  // proves: orders/OrderLineIn
  it.each([[{ quantity: -1 }], [{ price: -1 }], [{ quantity: 2 ** 53 }], [{ price: 1e300 }]])(
    'rejects %j, and creates no product for it',
    (change) => {
      expect(validateLines([line({ title: 'T', ...change })], knows())).toEqual({
        taken: [],
        rejected: [{ index: 0, item: 'a', code: 'invalid_value' }],
        products: [],
      });
    },
  );

  // proves: orders/OrderLineIn
  it.each([[{ quantity: 0 }], [{ quantity: 0.25 }], [{ price: 0 }], [{ quantity: 2 ** 53 - 1, price: 2 ** 53 - 1 }]])(
    'accepts %j',
    (change) => {
      expect(validateLines([line(change)], knows('a')).rejected).toEqual([]);
    },
  );

  it('accounts for every line once, in order', () => {
    const anyLine = fc.record({
      item: fc.constantFrom('a', 'b', 'c'),
      quantity: fc.double(),
      price: fc.option(fc.double()),
      title: fc.option(fc.constantFrom('', ' ', 'T')),
      properties: fc.constant(null),
    });
    fc.assert(
      fc.property(fc.array(anyLine), (lines) => {
        const { taken, rejected, products } = validateLines(lines, knows('a'));
        const refused = new Set(rejected.map(({ index }) => index));
        expect(taken).toEqual(lines.filter((_, index) => !refused.has(index)));
        expect(taken.every(({ item }) => item === 'a' || products.some(({ id }) => id === item))).toBe(true);
        for (const { quantity, price } of sumLines(taken))
          expect(
            Number.isFinite(quantity) &&
              Number.isFinite(price ?? 0) &&
              Number.isFinite(lineValue({ quantity, price }) ?? 0),
          ).toBe(true);
      }),
    );
  });
});

describe('sumLines', () => {
  // proves: decisions-orders/weighted-price
  it('adds quantities and weights the price by them', () => {
    expect(sumOf({ quantity: 1, price: 100 }, { item: 'b' }, { quantity: 3, price: 200 })).toEqual([
      { item: 'a', quantity: 4, price: 175, properties: null },
      { item: 'b', quantity: 1, price: null, properties: null },
    ]);
  });

  it('computes the price from only the lines that have one', () => {
    expect(sumOf({ quantity: 5 }, { quantity: 1, price: 10 }, { quantity: 1, price: 20 })).toMatchObject([
      { quantity: 7, price: 15 },
    ]);
  });

  it('has a price even if nothing was bought', () => {
    expect(sumOf({ quantity: 0, price: 10 }, { quantity: 0, price: 20 })).toMatchObject([{ quantity: 0, price: 15 }]);
  });

  it('keeps a single price exactly', () => {
    expect(sumOf(...Array.from({ length: 3 }, () => ({ quantity: 0.1, price: 0.3 })))[0]?.price).toBe(0.3);
  });

  it('keeps the last properties', () => {
    expect(sumOf({ properties: { a: 1 } }, { properties: { b: 1 } }, {})).toMatchObject([{ properties: { b: 1 } }]);
  });

  it('never leaves the range of the prices, however small the quantities are', () => {
    // The smallest double is 5e-324: products of such quantities are rounded to multiples of it.
    expect(sumOf({ quantity: 0, price: 1 }, { quantity: 1.5e-323, price: 12.5 })[0]?.price).toBe(12.5);
  });

  it('never leaves the range of the prices', () => {
    const amounts = fc.array(
      fc.record({
        quantity: fc.double({ min: 0, max: 1e6, noNaN: true }),
        price: fc.double({ min: 1, max: 1e6, noNaN: true }),
      }),
      { minLength: 1, maxLength: 200 },
    );
    fc.assert(
      fc.property(amounts, (lines) => {
        const price = sumOf(...lines)[0]?.price ?? Number.NaN;
        const prices = lines.map((each) => each.price);
        expect(price).toBeGreaterThanOrEqual(Math.min(...prices) * (1 - 1e-9));
        expect(price).toBeLessThanOrEqual(Math.max(...prices) * (1 + 1e-9));
      }),
    );
  });
});

describe('sameLines', () => {
  const base: OrderLine = { item: 'a', quantity: 1, price: 2, properties: { x: 1, y: 2 } };
  const other: OrderLine = { item: 'b', quantity: 1, price: null, properties: null };

  it('ignores the order of lines and keys', () => {
    expect(sameLines([base, other], [other, { ...base, properties: { y: 2, x: 1 } }])).toBe(true);
  });

  it.each([[{ item: 'c' }], [{ quantity: 2 }], [{ price: null }], [{ properties: null }], [{ properties: { x: 1 } }]])(
    'notices %j',
    (change) => {
      expect(sameLines([base, other], [{ ...base, ...change }, other])).toBe(false);
    },
  );

  it('notices an additional or missing line', () => {
    expect([sameLines([base], [base, other]), sameLines([base, other], [base])]).toEqual([false, false]);
  });
});

describe('keptMoment', () => {
  const receivedAt = new Date('2026-11-21T12:00:00.000Z');
  const kept = (text: string) => keptMoment(new Date(text), receivedAt);

  // proves: limits/age
  it('keeps times up to 730 days back and 5 minutes ahead', () => {
    expect([kept('2024-11-21T12:00:00.000Z'), kept('2026-11-21T12:05:00.000Z')]).toEqual([
      new Date('2024-11-21T12:00:00.000Z'),
      new Date('2026-11-21T12:05:00.000Z'),
    ]);
  });

  it('replaces later times by the receipt, and refuses earlier ones', () => {
    expect([kept('2026-11-21T12:05:00.001Z'), kept('2024-11-21T11:59:59.999Z')]).toEqual([receivedAt, 'too_old']);
  });
});
