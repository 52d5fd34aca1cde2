/**
 * Deletes visitors and users that have sent nothing for as long as their site keeps data; their hits are deleted at the
 * same time. Browsers without cookies are new visitors each day, so most visitors end here.
 */
import type pg from 'pg';
import type { Person } from '../../domain/people/personData.ts';
import { arrayParameter } from '../arrays.ts';
import { inTransaction } from '../pool.ts';
import { RETENTION } from '../sites/retention.ts';
import { lockPeople } from './lock.ts';

/** No site deletes rows younger than this, which bounds the rows that are read. */
const SHORTEST = `(select now() - min(${RETENTION}) from sites s)`;

interface VisitorRow {
  siteId: string;
  id: string;
}

/**
 * Deletes visitors without a visit within the retention of their site, and their data. Visitors with a batch in the
 * inbox, conversions or orders that are kept, or a recording stay until these are deleted.
 * @returns how many; fewer than `limit` means that none are left
 */
export function deleteOldVisitors(pool: pg.Pool, limit: number): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<VisitorRow>(OLD_VISITORS, [limit]);
    if (rows.length === 0) return 0;
    // This waits for a transaction that writes about one of them (storeServerData.ts); a later one finds it deleted.
    for (const [siteId, visitors] of Map.groupBy(rows, (row) => row.siteId)) {
      await lockPeople(
        client,
        siteId,
        visitors.map(({ id }): Person => ({ kind: 'visitor', id })),
      );
    }
    const keys = [arrayParameter(rows.map(({ siteId }) => siteId)), arrayParameter(rows.map(({ id }) => id))];
    for (const table of PEOPLE)
      await client.query(deleteFrom(table, `t.kind = 'visitor' and t.person_id = k.id`), keys);
    for (const table of OF_VISITORS) await client.query(deleteFrom(table, 't.visitor_id = k.id::uuid'), keys);
    return rows.length;
  });
}

const OLD_VISITORS = `
  select v.site_id as "siteId", v.visitor_id as id from site_visitors v join sites s on s.id = v.site_id
   where v.created_at < ${SHORTEST} and greatest(v.created_at, v.last_visit_at) < now() - ${RETENTION}
     and not exists (select from collect_inbox i where i.site_id = v.site_id and i.visitor_id = v.visitor_id)
     and not exists (select from site_visits w where w.site_id = v.site_id and w.visitor_id = v.visitor_id and w.lake_batch is null)
     and not exists (select from site_conversions c where c.site_id = v.site_id and c.visitor_id = v.visitor_id)
     and not exists (select from site_orders o where o.site_id = v.site_id and o.visitor_id = v.visitor_id)
     and not exists (select from site_recordings r where r.site_id = v.site_id and r.visitor_id = v.visitor_id and r.deleted_at is null)
   limit $1 for update of v skip locked`;

/**
 * Deletes users about whom nothing was sent within the retention of their site, and whom no visitor and no kept
 * conversion or order names.
 * @returns how many; fewer than `limit` means that none are left
 */
export function deleteOldUsers(pool: pg.Pool, limit: number): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<VisitorRow>(OLD_USERS, [limit]);
    if (rows.length === 0) return 0;
    const keys = [rows.map(({ siteId }) => siteId), rows.map(({ id }) => id)];
    for (const table of PEOPLE) await client.query(deleteFrom(table, `t.kind = 'user' and t.person_id = k.id`), keys);
    return rows.length;
  });
}

const OLD_USERS = `
  select p.site_id as "siteId", p.person_id as id from site_people p join sites s on s.id = p.site_id
   where p.kind = 'user' and p.told_at < ${SHORTEST} and p.told_at < now() - ${RETENTION}
     and not exists (select from site_visitors v where v.site_id = p.site_id and v.user_id = p.person_id)
     and not exists (select from site_visitor_users l where l.site_id = p.site_id and l.user_id = p.person_id)
     and not exists (select from site_conversions c where c.site_id = p.site_id and c.user_id = p.person_id)
     and not exists (select from site_orders o where o.site_id = p.site_id and o.user_id = p.person_id)
   limit $1 for update of p skip locked`;

const PEOPLE = ['site_person_values', 'site_person_interests', 'site_people'] as const;
const OF_VISITORS = ['site_visits', 'site_fingerprints', 'site_visitor_users', 'site_visitors'] as const;

/** Each key is found by the table's index (lock.ts). */
function deleteFrom(table: string, isOfKey: string): string {
  return `delete from ${table} where ctid = any(array(
    select f.ctid from unnest($1::text[], $2::text[]) as k (site_id, id)
     cross join lateral (select t.ctid from ${table} t where t.site_id = k.site_id and ${isOfKey} offset 0) f))`;
}
