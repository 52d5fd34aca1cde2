/** The number of conversions of visits. */
import type pg from 'pg';

/** The visit of a conversion; one without a visit is ignored here. */
export interface VisitRef {
  site_id: string;
  visitor_id: string | null;
  visit_id: string | null;
}

/** Deletes and returns records of a shard's visits that lost conversions to other visits. */
export async function takeRecounts(client: pg.ClientBase, shard: number, limit: number): Promise<VisitRef[]> {
  const { rows } = await client.query<VisitRef>({
    name: 'visits-take-recounts',
    text: `delete from site_recounts where (site_id, visitor_id, visit_id) in (
             select site_id, visitor_id, visit_id from site_recounts where shard = $1 limit $2)
           returning site_id, visitor_id, visit_id`,
    values: [shard, limit],
  });
  return rows;
}

/**
 * Counts the conversions of these visits again; a visit whose number changed goes to the lake again. The conversions
 * are counted and not added up, so that one settled twice counts once. The visits are locked after the conversions, in
 * key order.
 */
export async function countGoals(client: pg.ClientBase, conversions: readonly VisitRef[]): Promise<void> {
  const told = conversions.filter(({ visit_id: visit }) => visit !== null);
  if (told.length === 0) return;
  await client.query({
    name: 'visits-count-goals',
    text: `with told as materialized (
             select distinct site_id, visitor_id, visit_id from unnest($1::text[], $2::uuid[], $3::uuid[]) k (site_id, visitor_id, visit_id)
              order by site_id, visitor_id, visit_id
           ), held as materialized (
             select v.site_id, v.visitor_id, v.visit_id from told t
              cross join lateral (select site_id, visitor_id, visit_id from site_visits
                where site_id = t.site_id and visitor_id = t.visitor_id and visit_id = t.visit_id for no key update) v
           ), counted as materialized (
             select h.*, (select count(*)::int from site_conversions c
                           where c.site_id = h.site_id and c.visitor_id = h.visitor_id and c.visit_id = h.visit_id) as goals from held h)
           update site_visits v set goals = n.goals, lake_batch = null from counted n
            where v.site_id = n.site_id and v.visitor_id = n.visitor_id and v.visit_id = n.visit_id and v.goals <> n.goals`,
    values: [
      told.map(({ site_id: site }) => site),
      told.map(({ visitor_id: visitor }) => visitor),
      told.map(({ visit_id: visit }) => visit),
    ],
  });
}
