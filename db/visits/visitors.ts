/** Visitors, as the ingest changes them. */
import type pg from 'pg';
import type { VisitorMemo } from '../../domain/visits/visitState.ts';
import { binaryArray } from '../arrays.ts';

export interface VisitorKey {
  siteId: string;
  visitorId: string;
}

export interface VisitorRecord extends VisitorKey {
  visits: number;
  /** Epoch milliseconds. */
  firstVisitAt: number | null;
  lastVisitAt: number | null;
  state: Partial<VisitorMemo> | null;
}

/**
 * Reads visitors and locks them in key order; deleted ones are left out. A deletion of a visitor waits for the lock,
 * and finds what the transaction wrote.
 */
export async function lockVisitors(client: pg.ClientBase, keys: readonly VisitorKey[]): Promise<VisitorRecord[]> {
  const { rows } = await client.query<VisitorRecord>({
    name: 'visitors-lock',
    text: `select v.* from unnest($1::text[], $2::uuid[]) k (site_id, visitor_id)
            cross join lateral (
              select site_id as "siteId", visitor_id as "visitorId", visits, state,
                     round(extract(epoch from first_visit_at) * 1000)::float8 as "firstVisitAt",
                     round(extract(epoch from last_visit_at) * 1000)::float8 as "lastVisitAt"
                from site_visitors where site_id = k.site_id and visitor_id = k.visitor_id
                 for no key update) v`,
    values: [keys.map(({ siteId }) => siteId), keys.map(({ visitorId }) => visitorId)],
  });
  return rows;
}

/**
 * Adds visitors again whom retention removed while the intake, which still knew them, accepted their batches. Visitors
 * whose deletion was requested stay deleted: the requests to delete them are kept until nothing of theirs is in transit
 * (workflows/deleteVisitors.ts).
 * @returns true when there were any
 */
export async function restoreVisitors(client: pg.ClientBase, keys: readonly VisitorKey[]): Promise<boolean> {
  if (keys.length === 0) return false;
  const { rowCount } = await client.query({
    name: 'visitors-restore',
    text: `insert into site_visitors (site_id, visitor_id)
           select k.site_id, k.visitor_id from unnest($1::text[], $2::uuid[]) k (site_id, visitor_id)
            where not exists (select from visitor_deletions d where d.site_id = k.site_id and d.visitor_id = k.visitor_id)
            order by 1, 2
           on conflict do nothing`,
    values: [keys.map(({ siteId }) => siteId), keys.map(({ visitorId }) => visitorId)],
  });
  return rowCount !== 0;
}

/** Stores visitors. @param visitors with `state` as JSON text; locked by this transaction */
export async function saveVisitors(
  client: pg.ClientBase,
  visitors: readonly (Omit<VisitorRecord, 'state'> & { state: string })[],
): Promise<void> {
  if (visitors.length === 0) return;
  await client.query({
    name: 'visitors-save',
    text: `update site_visitors v
              set visits = k.visits, first_visit_at = to_timestamp(k.first_visit_at / 1000), last_visit_at = to_timestamp(k.last_visit_at / 1000), state = k.state
             from unnest($1::text[], $2::uuid[], $3::int[], $4::float8[], $5::float8[], $6::json[]) k (site_id, visitor_id, visits, first_visit_at, last_visit_at, state)
            where v.site_id = k.site_id and v.visitor_id = k.visitor_id`,
    values: [
      visitors.map(({ siteId }) => siteId),
      visitors.map(({ visitorId }) => visitorId),
      visitors.map(({ visits }) => visits),
      visitors.map(({ firstVisitAt }) => firstVisitAt),
      visitors.map(({ lastVisitAt }) => lastVisitAt),
      binaryArray(
        'json',
        visitors.map(({ state }) => state),
      ),
    ],
  });
}
