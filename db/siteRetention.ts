/** How long what of a site is kept, and the removal of its older rows. The lake's are removed in reports/lake/. */
import { DEFAULT_QUOTAS } from '../domain/sites.ts';
import type { Queryable } from './pool.ts';

/** Site ids by the months that they keep; those that keep the usual number are not listed. */
export async function listUnusualRetention(db: Queryable): Promise<Map<number, string[]>> {
  const { rows } = await db.query<{ months: number; sites: string[] }>(
    `select months, array_agg(id order by id) as sites
     from (select id, (quotas ->> 'retention_months')::int as months from sites) kept
     where months is not null and months <> $1 group by months order by months`,
    [DEFAULT_QUOTAS.retention_months],
  );
  return new Map(rows.map(({ months, sites }) => [months, sites]));
}

/** For how long a site `s` keeps its hits and visits, as SQL. */
export const RETENTION = `make_interval(months => coalesce((s.quotas ->> 'retention_months')::int, ${DEFAULT_QUOTAS.retention_months}))`;

/**
 * The least, even where a site keeps its visits shorter: a fact that is reported up to 90 days late is attributed to a
 * visit up to 90 days before it, and a late hit may still change a visit; a day to spare.
 */
export const LEAST_VISIT_DAYS = 181;
/** What could not be stored is looked at within a month or not at all. */
const FAILED_DAYS = 31;
/** Of whose request it was, the address and browser matter for the day of the fault. */
const FAILED_ORIGIN_DAYS = 1;
/** Counters of the quota matter for the days that late hits may have. */
const COUNTER_DAYS = 400;

/** `$1` is the number of rows. What is not in the lake as it is now stays. */
const REMOVALS = {
  // Kept as long as in the lake: a conversion or an order that is reported late belongs to one of them.
  visits: `delete from site_visits where ctid = any(array(
    select v.ctid from site_visits v join sites s on s.id = v.site_id
     where v.last_hit_at < now() - interval '${LEAST_VISIT_DAYS} days' and v.lake_batch is not null
       and v.last_hit_at < now() - ${RETENTION} limit $1))`,
  // As long as reports show it, a repeat is known for one, a refund finds its purchase and a purchase an earlier one.
  conversions: removeFacts('site_conversions'),
  orders: removeFacts('site_orders'),
  collect_failed: `delete from collect_failed where ctid = any(array(select ctid from collect_failed where failed_at < now() - interval '${FAILED_DAYS} days' limit $1))`,
  collect_failed_origins: `update collect_failed set ip = '', user_agent = '' where ctid = any(array(
    select ctid from collect_failed where failed_at < now() - interval '${FAILED_ORIGIN_DAYS} day' and (ip <> '' or user_agent <> '') limit $1))`,
  lake_failed: `delete from lake_failed where ctid = any(array(select ctid from lake_failed where failed_at < now() - interval '${FAILED_DAYS} days' limit $1))`,
  days: `delete from site_days where ctid = any(array(select ctid from site_days where day < current_date - ${COUNTER_DAYS} limit $1))`,
} as const;

/** `$2` is the months that facts are kept; a site that keeps its visits longer keeps them as long. */
function removeFacts(table: 'site_conversions' | 'site_orders'): string {
  return `delete from ${table} where ctid = any(array(
    select f.ctid from ${table} f join sites s on s.id = f.site_id
    where f.received_at < now() - greatest(${RETENTION}, make_interval(months => $2))
      and f.lake_batch is not null limit $1))`;
}

export type RetainedRows = keyof typeof REMOVALS;
export const RETAINED_ROWS = Object.keys(REMOVALS) as RetainedRows[];

const FACTS: ReadonlySet<RetainedRows> = new Set<RetainedRows>(['conversions', 'orders']);

/**
 * @param factMonths how long conversions and orders are kept
 * @returns how many rows went; fewer than `limit` means that none are left
 */
export async function removeOldRows(
  db: Queryable,
  kind: RetainedRows,
  limit: number,
  factMonths: number,
): Promise<number> {
  const { rowCount } = await db.query(REMOVALS[kind], FACTS.has(kind) ? [limit, factMonths] : [limit]);
  return rowCount ?? 0;
}
