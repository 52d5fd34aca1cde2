/** Decides which refunds cancel a whole order. */

export interface Amount {
  /** Null means unknown. */
  revenue: number | null;
  currency: string;
}

export interface Money {
  /** The site's currency. */
  currency: string;
  /** Currency → how much of the site's own currency one unit is worth. */
  rates: Readonly<Record<string, number>>;
}

/**
 * Returns true when a refund lowers the number of orders too: it has no amount, or one that is not less than the
 * purchase's. For an unknown purchase (null) it lowers the revenue only. Amounts that cannot be compared, because an
 * amount or a rate is unknown, count as full: nothing says that it is partial.
 */
export function isFullRefund(refund: Amount, purchase: Amount | null, site: Money): boolean {
  if (purchase === null) return false;
  const [given, bought] = [inSiteCurrency(refund, site), inSiteCurrency(purchase, site)];
  if (refund.currency === purchase.currency)
    return refund.revenue === null || purchase.revenue === null || refund.revenue >= purchase.revenue;
  return given === null || bought === null || given >= bought;
}

/**
 * Returns the revenue to six decimal places, the lake's precision for money: a product of doubles has more. Null when
 * the amount or the rate is unknown.
 */
export function inSiteCurrency({ revenue, currency }: Amount, site: Money): number | null {
  const rate = currency === site.currency ? 1 : site.rates[currency];
  return revenue === null || rate === undefined ? null : Number((revenue * rate).toFixed(6));
}
