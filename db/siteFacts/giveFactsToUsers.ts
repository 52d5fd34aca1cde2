/** Gives users the facts of their visitors from before the first link. */
import type { Queryable } from '../pool.ts';
import { userOfVisitor } from './visitOfFact.ts';

/** A visitor's first link. */
export interface FirstLink {
  visitorId: string;
  userId: string;
}

/**
 * Assigns conversions and orders without a user to the user to whom their visitor was just linked, and sends them to
 * the lake again: the first purchase of a person is determined across devices. Later facts get the user when they are
 * stored, and pending facts when their hits are ingested, because one of those hits may be the login of another user.
 * Facts of a transaction that is not committed yet get it when they are staged ({@link userOfUnseenLogin}).
 */
export async function giveFactsToUsers(client: Queryable, siteId: string, links: readonly FirstLink[]): Promise<void> {
  if (links.length === 0) return;
  const values = [siteId, links.map(({ visitorId }) => visitorId), links.map(({ userId }) => userId)];
  // Orders come first, and rows in the order of their keys, as where facts are stored (insertFacts.ts, which locks the
  // orders already if the same batch changes others): a server may report the visitor's purchases at this moment.
  await client.query({
    name: 'site-orders-adopt',
    text: adoption('site_orders', ['site_id', 'transaction_id', 'status']),
    values,
  });
  await client.query({
    name: 'site-conversions-adopt',
    text: adoption('site_conversions', ['site_id', 'origin', 'id']),
    values,
  });
}

/** Returns the SQL condition that a fact belongs to no user yet, and is not pending. */
export const isFree = (fact: string): string => `${fact}.user_id is null and ${fact}.attribution <> 'pending'`;

/**
 * Returns SQL for the user of a fact that was being stored while its visitor's first login was ingested, else null: the
 * login did not see the fact, nor the fact the login. Only for facts that are being staged, because the shard's logins
 * are committed then.
 * @param occurred the time of the fact
 */
export function userOfUnseenLogin(fact: string, occurred: string): string {
  const user = userOfVisitor({ site: `${fact}.site_id`, visitor: `${fact}.visitor_id`, occurred });
  return `case when ${fact}.user_id is null and ${fact}.visitor_id is not null then ${user} end`;
}

/** Visitors are looked up one by one; db/sitePeople/lock.ts explains why. */
function adoption(table: string, key: readonly string[]): string {
  const isSame = (row: string): string => key.map((column) => `f.${column} = ${row}.${column}`).join(' and ');
  return `with found as materialized (
            select f.*, l.user_id from unnest($2::uuid[], $3::text[]) as l (visitor_id, user_id)
             cross join lateral (select ${key.join(', ')} from ${table} f where f.site_id = $1 and f.visitor_id = l.visitor_id and ${isFree('f')} offset 0) f
          ), own as materialized (
            select o.* from (select * from found order by ${key.map((column) => `${column} collate "C"`).join(', ')}) o
             cross join lateral (select from ${table} f where ${isSame('o')} and ${isFree('f')} for update) f)
          update ${table} f set user_id = own.user_id, lake_batch = null from own where ${isSame('own')}`;
}
