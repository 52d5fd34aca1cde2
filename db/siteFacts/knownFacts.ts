/**
 * Looks up what a site already has: facts by their ids, goals by their codes. takeServerFacts.ts decides what that
 * means.
 */
import type { SiteOrderStatus } from '../../domain/sites/siteFacts.ts';
import type { Queryable } from '../pool.ts';

/** Returns those of the ids that the site's server has sent before. */
export async function findKnownConversions(
  pool: Queryable,
  siteId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'site-conversions-known',
    text: `select id from site_conversions where site_id = $1 and origin = 'api' and id = any($2::text[])`,
    values: [siteId, ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns the purchases and refunds of the transactions, as `<status> <transaction>`, with their origin: `api` once the
 * server has reported them.
 */
export async function findKnownOrders(
  pool: Queryable,
  siteId: string,
  transactionIds: readonly string[],
): Promise<Map<string, 'api' | 'tag'>> {
  const { rows } = await pool.query<{ origin: 'api' | 'tag'; transactionId: string; status: SiteOrderStatus }>({
    name: 'site-orders-known',
    text: `select origin, transaction_id as "transactionId", status from site_orders where site_id = $1 and transaction_id = any($2::text[])`,
    values: [siteId, transactionIds],
  });
  return new Map(rows.map(({ origin, transactionId, status }) => [`${status} ${transactionId}`, origin]));
}

/** Returns those of the codes that name enabled goals of the type js, with their amounts. */
export async function findJsGoals(
  pool: Queryable,
  siteId: string,
  codes: readonly string[],
): Promise<Map<string, number | null>> {
  const { rows } = await pool.query<{ code: string; value: number | null }>({
    name: 'site-js-goals',
    text: `select code, value::float8 as value from site_goals where site_id = $1 and code = any($2::text[]) and type = 'js' and enabled`,
    values: [siteId, codes],
  });
  return new Map(rows.map(({ code, value }) => [code, value]));
}
