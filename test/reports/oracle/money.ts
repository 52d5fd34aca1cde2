/** Amounts in whole millionths, so that nothing is lost in adding them up. */
import type { Money } from '../../../domain/refunds.ts';

const MILLION = 1_000_000n;

export function micro(amount: number): bigint {
  return BigInt(Math.round(amount * 1e6));
}

export function fromMicro(amount: bigint): number {
  return Number(amount) / 1e6;
}

/** In the site's currency, to six places; undefined without a rate. */
export function converted(amount: bigint, currency: string, site: Money): bigint | undefined {
  if (currency === site.currency) return amount;
  const rate = Object.hasOwn(site.rates, currency) ? site.rates[currency] : undefined;
  return rate === undefined ? undefined : roundedDivision(amount * micro(rate), MILLION);
}

/** Price × quantity, in millionths of millionths, converted and rounded once. */
export function lineAmount(price: number, quantity: number, currency: string, site: Money): bigint | undefined {
  const product = micro(price) * micro(quantity);
  if (currency === site.currency) return roundedDivision(product, MILLION);
  const rate = Object.hasOwn(site.rates, currency) ? site.rates[currency] : undefined;
  return rate === undefined ? undefined : roundedDivision(product * micro(rate), MILLION * MILLION);
}

/** Halves away from zero; nothing here is negative. */
function roundedDivision(value: bigint, by: bigint): bigint {
  return (value + by / 2n) / by;
}
