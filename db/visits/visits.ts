/** Visits, open and closed, as the ingest stores them. */
import type pg from 'pg';
import type { VisitRow } from '../../domain/reports/lakeRows.ts';
import type { StoredVisit } from '../../domain/visits/visitState.ts';
import { binaryArray } from '../arrays.ts';
import { isOver } from './visitEnd.ts';
import type { VisitorKey } from './visitors.ts';

export interface LoadedVisit extends VisitorKey, StoredVisit {}

/**
 * Returns, for each visitor, the visits whose last hit is not before `since` (epoch milliseconds), and the one before
 * those, unordered.
 */
export async function loadVisits(
  client: pg.ClientBase,
  keys: readonly (VisitorKey & { since: number })[],
): Promise<LoadedVisit[]> {
  const { rows } = await client.query<{ siteId: string; visitorId: string; state: StoredVisit }>({
    name: 'visits-load',
    text: `select k.site_id as "siteId", k.visitor_id as "visitorId", v.state
             from unnest($1::text[], $2::uuid[], $3::float8[]) k (site_id, visitor_id, since)
            cross join lateral (
              select started_at, state from site_visits
               where site_id = k.site_id and visitor_id = k.visitor_id
                 and started_at >= coalesce((
                   select started_at from site_visits
                    where site_id = k.site_id and visitor_id = k.visitor_id and last_hit_at < to_timestamp(k.since / 1000)
                    order by started_at desc limit 1), '-infinity')) v`,
    values: [keys.map(({ siteId }) => siteId), keys.map(({ visitorId }) => visitorId), keys.map(({ since }) => since)],
  });
  return rows.map(({ siteId, visitorId, state }) => ({ siteId, visitorId, ...state }));
}

export interface SavedVisit {
  row: VisitRow;
  shard: number;
  /** JSON text (domain/visits/visitState.ts packVisit). */
  state: string;
}

/** Writes visits that are new or have changed; the lake has none of them in their present state. */
export async function saveVisits(client: pg.ClientBase, visits: readonly SavedVisit[]): Promise<void> {
  if (visits.length === 0) return;
  await client.query({
    name: 'visits-save',
    text: `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, state)
           select site_id, visitor_id, visit_id, shard, to_timestamp(started_at / 1000), to_timestamp(last_hit_at / 1000), state
             from unnest($1::text[], $2::uuid[], $3::uuid[], $4::smallint[], $5::float8[], $6::float8[], $7::json[])
               k (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, state)
           on conflict (site_id, visitor_id, visit_id) do update
             set started_at = excluded.started_at, last_hit_at = excluded.last_hit_at, state = excluded.state, lake_batch = null`,
    values: [
      visits.map(({ row }) => row.site_id),
      visits.map(({ row }) => row.visitor_id),
      visits.map(({ row }) => row.visit_id),
      visits.map(({ shard }) => shard),
      visits.map(({ row }) => row.started_at),
      visits.map(({ row }) => row.ended_at),
      binaryArray(
        'json',
        visits.map(({ state }) => state),
      ),
    ],
  });
}

/** A visit that has ended and whose present state is not in the lake. */
export interface DueVisit extends VisitorKey {
  visitId: string;
  /** Number of conversions of the visit. */
  goals: number;
  state: StoredVisit;
}

/** Locks visits of a shard that have ended and are not settled, those that ended first. */
export async function lockDueVisits(client: pg.ClientBase, shard: number, limit: number): Promise<DueVisit[]> {
  const { rows } = await client.query<DueVisit>({
    name: 'visits-due',
    text: `select site_id as "siteId", visitor_id as "visitorId", visit_id as "visitId", goals, state from site_visits v
            where shard = $1 and lake_batch is null and ${isOver('v')} order by last_hit_at limit $2 for no key update`,
    values: [shard, limit],
  });
  return rows;
}

/** Records the batch by which the visits, which are already locked, go to the lake. */
export async function settleVisits(client: pg.ClientBase, batchId: string, visits: readonly DueVisit[]): Promise<void> {
  await client.query({
    name: 'visits-settle',
    text: `update site_visits v set lake_batch = $1 from unnest($2::text[], $3::uuid[], $4::uuid[]) k (site_id, visitor_id, visit_id)
            where v.site_id = k.site_id and v.visitor_id = k.visitor_id and v.visit_id = k.visit_id`,
    values: [
      batchId,
      visits.map(({ siteId }) => siteId),
      visits.map(({ visitorId }) => visitorId),
      visits.map(({ visitId }) => visitId),
    ],
  });
}
