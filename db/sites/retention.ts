/** The retention of a site's data, and the deletion of its older rows. Rows of the lake are deleted in reports/lake/. */
import { DEFAULT_QUOTAS } from '../../domain/sites/siteQuotas.ts';
import type { Queryable } from '../pool.ts';

/** Requests of the tag that could not be ingested are examined within a month or not at all. */
const FAILED_REQUEST_DAYS = 31;
/** The address and browser of such a request matter only for the day of the fault. */
const FAILED_REQUEST_ORIGIN_DAYS = 1;

/** Counters of a site's quota matter for the days to which late hits may belong. */
const QUOTA_COUNTER_DAYS = 400;
/** Number of days after its last batch for which a host that sends to a site is listed. */
const SENDER_DAYS = 31;
/** Names of parameters are offered as long as reports show the data that has them. */
const PARAM_KEY_DAYS = 760;

/** Returns site ids by the months that they keep; sites with the default number are not listed. */
export async function listUnusualRetention(db: Queryable): Promise<Map<number, string[]>> {
  const { rows } = await db.query<{ months: number; sites: string[] }>(
    `select months, array_agg(id order by id) as sites
     from (select id, (quotas ->> 'retention_months')::int as months from sites) kept
     where months is not null and months <> $1 group by months order by months`,
    [DEFAULT_QUOTAS.retention_months],
  );
  return new Map(rows.map(({ months, sites }) => [months, sites]));
}

/** SQL of the interval for which a site `s` keeps its hits and visits. */
export const RETENTION = `make_interval(months => coalesce((s.quotas ->> 'retention_months')::int, ${DEFAULT_QUOTAS.retention_months}))`;

/**
 * Minimum retention of visits in PostgreSQL, even where a site keeps less: a fact that is reported up to 90 days late
 * is attributed to a visit up to 90 days before it, and a late hit may still change a visit. One day is a margin.
 */
export const MIN_VISIT_DAYS = 181;

/** `$1` is the number of rows. Rows whose present state is not in the lake are kept. */
const DELETIONS = {
  // Kept as long as in the lake: a conversion or an order that is reported late belongs to one of them.
  visits: `delete from site_visits where ctid = any(array(
    select v.ctid from site_visits v join sites s on s.id = v.site_id
     where v.last_hit_at < now() - interval '${MIN_VISIT_DAYS} days' and v.lake_batch is not null
       and v.last_hit_at < now() - ${RETENTION} limit $1))`,
  // Kept as long as reports show facts. Until then a repeat is recognised, a refund finds its purchase, and a purchase
  // finds an earlier one.
  conversions: deleteFacts('site_conversions'),
  orders: deleteFacts('site_orders'),
  collect_failed: `delete from collect_failed where ctid = any(array(select ctid from collect_failed where failed_at < now() - interval '${FAILED_REQUEST_DAYS} days' limit $1))`,
  collect_failed_origins: `update collect_failed set ip = '', user_agent = '' where ctid = any(array(
    select ctid from collect_failed where failed_at < now() - interval '${FAILED_REQUEST_ORIGIN_DAYS} day' and (ip <> '' or user_agent <> '') limit $1))`,
  lake_failed: `delete from lake_failed where ctid = any(array(select ctid from lake_failed where failed_at < now() - interval '${FAILED_REQUEST_DAYS} days' limit $1))`,
  days: `delete from site_days where ctid = any(array(select ctid from site_days where day < current_date - ${QUOTA_COUNTER_DAYS} limit $1))`,
  senders: `delete from site_senders where ctid = any(array(select ctid from site_senders where last_at < now() - interval '${SENDER_DAYS} days' limit $1))`,
  param_keys: `delete from site_param_keys where ctid = any(array(select ctid from site_param_keys where seen_on < current_date - ${PARAM_KEY_DAYS} limit $1))`,
} as const;

/** `$2` is the number of months for which facts are kept; a site that keeps its visits longer keeps facts as long. */
function deleteFacts(table: 'site_conversions' | 'site_orders'): string {
  return `delete from ${table} where ctid = any(array(
    select f.ctid from ${table} f join sites s on s.id = f.site_id
    where f.received_at < now() - greatest(${RETENTION}, make_interval(months => $2))
      and f.lake_batch is not null limit $1))`;
}

export type RetainedRows = keyof typeof DELETIONS;
export const RETAINED_ROWS = Object.keys(DELETIONS) as RetainedRows[];

const FACTS: ReadonlySet<RetainedRows> = new Set<RetainedRows>(['conversions', 'orders']);

/**
 * Deletes old rows.
 * @param factMonths number of months for which conversions and orders are kept
 * @returns how many rows were deleted; fewer than `limit` means that none are left
 */
export async function deleteOldRows(
  db: Queryable,
  kind: RetainedRows,
  limit: number,
  factMonths: number,
): Promise<number> {
  const { rowCount } = await db.query(DELETIONS[kind], FACTS.has(kind) ? [limit, factMonths] : [limit]);
  return rowCount ?? 0;
}
