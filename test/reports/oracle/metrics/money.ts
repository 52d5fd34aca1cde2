/** Amounts in whole millionths, so that sums are exact. */
import type { Money } from '../../../../domain/orders/refunds.ts';

const MILLION = 1_000_000n;

export function micro(amount: number): bigint {
  return BigInt(Math.round(amount * 1e6));
}

export function fromMicro(amount: bigint): number {
  return Number(amount) / 1e6;
}

/** Converts to the site's currency, to six places; returns undefined without a rate. */
export function converted(amount: bigint, currency: string, site: Money): bigint | undefined {
  if (currency === site.currency) return amount;
  const rate = Object.hasOwn(site.rates, currency) ? site.rates[currency] : undefined;
  return rate === undefined ? undefined : roundedDivision(amount * micro(rate), MILLION);
}

/** Returns price × quantity, converted and rounded once from millionths of millionths. */
export function lineAmount(price: number, quantity: number, currency: string, site: Money): bigint | undefined {
  const product = micro(price) * micro(quantity);
  if (currency === site.currency) return roundedDivision(product, MILLION);
  const rate = Object.hasOwn(site.rates, currency) ? site.rates[currency] : undefined;
  return rate === undefined ? undefined : roundedDivision(product * micro(rate), MILLION * MILLION);
}

/** Rounds halves away from zero; all values here are non-negative. */
function roundedDivision(value: bigint, by: bigint): bigint {
  return (value + by / 2n) / by;
}
