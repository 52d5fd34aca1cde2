import { describe, expect, it } from '@jest/globals';
import { inSiteCurrency, isFullRefund, type Money } from '../../../domain/orders/refunds.ts';

const SITE: Money = { currency: 'RUB', rates: { USD: 81.37, XTS: 3, BIG: 1e300 } };

describe('an amount in the site’s money', () => {
  it('has six decimal places, as the lake has', () => {
    const inRub = (revenue: number | null, currency: string) => inSiteCurrency({ revenue, currency }, SITE);
    expect([
      inRub(0.1, 'XTS'),
      inRub(19.99, 'USD'),
      inRub(1.23456789, 'XTS'),
      inRub(250.5, 'RUB'),
      inRub(1e12, 'XTS'),
    ]).toEqual([0.3, 1626.5863, 3.703704, 250.5, 3e12]);
    expect([inRub(null, 'USD'), inRub(1, 'EUR')]).toEqual([null, null]);
  });
});

describe('a full refund', () => {
  it('is recognised despite rounding errors of doubles', () => {
    expect(isFullRefund({ revenue: 0.3, currency: 'RUB' }, { revenue: 0.1, currency: 'XTS' }, SITE)).toBe(true);
    expect(isFullRefund({ revenue: 0.29, currency: 'RUB' }, { revenue: 0.1, currency: 'XTS' }, SITE)).toBe(false);
  });
});
