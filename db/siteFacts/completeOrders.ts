/** A purchase or refund that the tag and the site's server both report: one row, which each completes. */
import type { Queryable } from '../pool.ts';

/** The server's value counts, whoever was first; the tag's counts where the server gave none. */
const told = (column: string): string =>
  `case when excluded.origin = 'api' then coalesce(excluded.${column}, o.${column}) else coalesce(o.${column}, excluded.${column}) end`;

/** The columns of the owner and the visit: the server's, unless it found no visit. The user that it names always counts. */
const OWNER = ['visitor_id', 'attribution', 'visit_id', 'visit_started_at'];
const isServersVisit = `excluded.origin = 'api' and excluded.attribution <> 'none'`;

/**
 * Updates a row `o` that is there already. Its time stays: the lake finds the older row by it. A row changes
 * once by the server, whose word is final, and by the tag as long as it has gaps.
 */
export const COMPLETION = `on conflict (site_id, transaction_id, status) do update set
    revenue = ${told('revenue')},
    currency = case when excluded.revenue is not null and (excluded.origin = 'api' or o.revenue is null) then excluded.currency else ${told('currency')} end,
    products = ${told('products')},
    promo_code = ${told('promo_code')},
    user_id = case when excluded.origin = 'api' then coalesce(excluded.user_id, o.user_id) else o.user_id end,
    ${OWNER.map((column) => `${column} = case when ${isServersVisit} then excluded.${column} else o.${column} end`).join(',\n    ')},
    origin = 'api', lake_batch = null
  where o.origin <> excluded.origin
    and (excluded.origin = 'api' or (o.revenue is null and excluded.revenue is not null)
         or (o.products is null and excluded.products is not null) or (o.promo_code is null and excluded.promo_code is not null))`;

interface ValuedConversion {
  siteId: string;
  origin: string;
  id: string;
  value: number | null;
}

/** Gives conversions that are there the value that their purchases have now; they go to the lake anew. */
export async function revalueConversions(client: Queryable, rows: readonly ValuedConversion[]): Promise<void> {
  const valued = rows.filter(({ value }) => value !== null);
  if (valued.length === 0) return;
  await client.query({
    name: 'site-conversions-revalue',
    text: `update site_conversions c set value = n.value, lake_batch = null
             from unnest($1::text[], $2::text[], $3::text[], $4::numeric[]) n (site_id, origin, id, value)
            where c.site_id = n.site_id and c.origin = n.origin and c.id = n.id and c.value is distinct from n.value`,
    values: [
      valued.map(({ siteId }) => siteId),
      valued.map(({ origin }) => origin),
      valued.map(({ id }) => id),
      valued.map(({ value }) => value),
    ],
  });
}
