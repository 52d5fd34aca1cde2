/** Goals of the type purchase, reached by purchases that a site's server reports as well as by those of the tag. */
import type { Money } from '../../domain/orders/refunds.ts';
import { purchaseConversionId, purchaseValue } from '../../domain/visits/goalConversions.ts';
import type { Queryable } from '../pool.ts';
import type { ConversionInsert, OrderInsert } from './insertFacts.ts';

export interface PurchaseGoal {
  code: string;
  /** The goal's own amount. */
  value: number | null;
  /** The site's currency and rates. */
  money: Money;
}

/** Returns a site's enabled purchase goals, as they are now. */
export async function findPurchaseGoals(pool: Queryable, siteId: string): Promise<PurchaseGoal[]> {
  const { rows } = await pool.query<PurchaseGoal>({
    name: 'site-purchase-goals',
    text: `select g.code, g.value::float8 as value, json_build_object('currency', s.currency, 'rates', s.rates) as money
             from site_goals g join sites s on s.id = g.site_id where g.site_id = $1 and g.type = 'purchase' and g.enabled order by g.code`,
    values: [siteId],
  });
  return rows;
}

/**
 * Returns the conversions of newly stored orders: a purchase reaches each goal, under the id that the conversion would
 * have if the tag reported it; a refund reaches none.
 */
export function purchaseConversions(
  orders: readonly OrderInsert[],
  goals: readonly PurchaseGoal[],
): ConversionInsert[] {
  return orders
    .filter(({ status }) => status === 'purchased')
    .flatMap((order) =>
      goals.map(({ code, value, money }): ConversionInsert => {
        const { siteId, visitorId, userId, occurredAt, receivedAt, weight, attribution } = order;
        return {
          siteId,
          visitorId,
          userId,
          occurredAt,
          receivedAt,
          weight,
          attribution,
          origin: 'tag',
          id: purchaseConversionId(order.transactionId, code),
          goal: code,
          goalSource: 'api',
          value: purchaseValue(order, value, money),
        };
      }),
    );
}
