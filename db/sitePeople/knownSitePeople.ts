/** The known people of a site, for the ledger of deletions, which identifies people only by hashes. */
import type { Queryable } from '../pool.ts';

export interface KnownSubject {
  id: string;
  /** PostgreSQL text, with its microseconds. */
  since: string;
}

/**
 * Returns a query of a page of ids at a site: `id` is beyond $2, at most $3 of them, each with the earliest of its
 * times.
 */
type PageOf = (at: string) => string;

const visitorsOf =
  (table: string): PageOf =>
  (at) =>
    `(select visitor_id as id, min(${at}) as at from ${table} where site_id = $1 and visitor_id > $2::uuid group by visitor_id order by visitor_id limit $3)`;

const usersOf =
  (table: string, where = ''): PageOf =>
  (at) =>
    `(select user_id as id, min(${at}) as at from ${table} where site_id = $1 and user_id > $2 ${where} group by user_id order by user_id limit $3)`;

const VISITORS = [
  visitorsOf('site_visitors')('created_at'),
  visitorsOf('site_visits')('started_at'),
  visitorsOf('site_conversions')('received_at'),
  visitorsOf('site_orders')('received_at'),
  visitorsOf('site_recordings')('created_at'),
  visitorsOf('collect_inbox')('received_at'),
  visitorsOf('collect_failed')('received_at'),
];

const USERS = [
  usersOf(`(select site_id, person_id as user_id, created_at from site_people where kind = 'user') as p`)('created_at'),
  usersOf('site_visitor_users')('linked_at'),
  usersOf('site_visitors')('created_at'),
  usersOf('site_conversions')('received_at'),
  usersOf('site_orders')('received_at'),
  usersOf('(select site_id, unnest(user_ids) as user_id, received_at from collect_inbox) as i')('received_at'),
];

/** The first ids of each table include the first of all of them, so none is skipped. */
const joined = (pages: readonly string[]): string =>
  `select id::text, min(at)::text as since from (${pages.join(' union all ')}) as known group by known.id order by known.id limit $3`;

/** Returns a page of a site's visitors, by id; `after` is the last id of the previous page, the nil UUID at first. */
export async function listKnownVisitors(
  db: Queryable,
  siteId: string,
  after: string,
  limit: number,
): Promise<KnownSubject[]> {
  return (await db.query<KnownSubject>(joined(VISITORS), [siteId, after, limit])).rows;
}

/** Returns a page of a site's users, by id; `after` is the last id of the previous page, empty at first. */
export async function listKnownUsers(
  db: Queryable,
  siteId: string,
  after: string,
  limit: number,
): Promise<KnownSubject[]> {
  return (await db.query<KnownSubject>(joined(USERS), [siteId, after, limit])).rows;
}
