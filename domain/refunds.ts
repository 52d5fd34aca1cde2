/** Which refunds take a whole order back. */

export interface Amount {
  /** Null: unknown. */
  revenue: number | null;
  currency: string;
}

export interface Money {
  /** The site's. */
  currency: string;
  /** Currency → how much of the site's own one unit is. */
  rates: Readonly<Record<string, number>>;
}

/**
 * Whether a refund lowers the number of orders too: it has no amount, or one that is not less than the
 * purchase's. Of an unknown purchase (null) it lowers the revenue only. What cannot be compared, for an
 * amount or a rate is unknown, is taken for full: nothing says that it is a part.
 */
export function isFullRefund(refund: Amount, purchase: Amount | null, site: Money): boolean {
  if (purchase === null) return false;
  const [given, bought] = [inSiteCurrency(refund, site), inSiteCurrency(purchase, site)];
  if (refund.currency === purchase.currency)
    return refund.revenue === null || purchase.revenue === null || refund.revenue >= purchase.revenue;
  return given === null || bought === null || given >= bought;
}

/** To six decimal places, as the lake has money: a product of doubles has more. Null: the amount or the rate is unknown. */
export function inSiteCurrency({ revenue, currency }: Amount, site: Money): number | null {
  const rate = currency === site.currency ? 1 : site.rates[currency];
  return revenue === null || rate === undefined ? null : Number((revenue * rate).toFixed(6));
}
