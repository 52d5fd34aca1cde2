/**
 * Facts that wait until the hits of their visitors are ingested. visitOfFact.ts defines which visits are considered.
 */
import type { Queryable } from '../pool.ts';
import { userOfVisitor, visitOfUser, visitOfVisitor } from './visitOfFact.ts';
import { hitsOfUserWait, hasWaitingHits, visitorToLink } from './waitingHits.ts';

/** Clocks of API processes differ: hits received within this time after a fact may have been received before it. */
const CLOCK_SLACK = `interval '1 second'`;

const TABLES = {
  site_conversions: ['site_id', 'origin', 'id'],
  site_orders: ['site_id', 'transaction_id', 'status'],
} as const;
/** The time when a fact happened: its visit began before. `server_at` of a refund is the time of its request. */
export const OCCURRED = {
  site_conversions: 'coalesce(site_conversions.server_at, site_conversions.occurred_at)',
  site_orders: `case when site_orders.status = 'refunded' then site_orders.occurred_at else coalesce(site_orders.server_at, site_orders.occurred_at) end`,
} as const;

/**
 * Attributes pending facts of a shard. A fact is attributed once the inbox has no more batches that were received
 * before it. The ingest calls this in the transaction that has written visits. A fact without a visit counts without
 * one. It is staged for the lake afterwards, also if a worker of an older release staged it while it was pending.
 * @param limit maximum number of facts of each of the two kinds, the earliest first: the inbox is emptied in about that
 * order too, so that no pending fact blocks the others
 * @returns how many are no longer pending
 */
export async function attributePending(client: Queryable, shard: number, limit: number): Promise<number> {
  const conversions = await attribute(client, 'site_conversions', shard, limit);
  return conversions + (await attribute(client, 'site_orders', shard, limit));
}

/** Locks facts, and visitors that are chosen for a user; those that somebody is deleting are left for the next time. */
async function attribute(client: Queryable, table: keyof typeof TABLES, shard: number, limit: number): Promise<number> {
  const key = TABLES[table];
  const same = (a: string, b: string): string => key.map((column) => `${a}.${column} = ${b}.${column}`).join(' and ');
  const fact = (alias: string) => ({
    site: `${alias}.site_id`,
    visitor: `${alias}.visitor_id`,
    user: `${alias}.user_id`,
    occurred: `${alias}.occurred_at`,
    batches: `i.received_at <= ${alias}.received_at + ${CLOCK_SLACK}`,
  });
  const { rowCount } = await client.query({
    name: `${table}-attribute`,
    text: `with first as materialized (
             select ${key.join(', ')}, visitor_id, user_id, ${OCCURRED[table]} as occurred_at, received_at from ${table}
              where shard = $1 and attribution = 'pending' order by received_at limit $2
           ), due as materialized (
             select f.* from first f
              cross join lateral (select from ${table} l where ${same('l', 'f')} for update skip locked) l
              where case when f.visitor_id is not null then not ${hasWaitingHits(fact('f'))}
                         else not ${hitsOfUserWait(fact('f'))} and ${visitorToLink(fact('f'))} is null end
           ), found as materialized (
             select ${key.map((column) => `d.${column}`).join(', ')}, v.visitor_id, v.visit_id, v.started_at, k.user_id
               from due d
               left join lateral ${visitOfVisitor(fact('d'))} v on true
               left join lateral ${userOfVisitor(fact('d'))} k on true
              where d.visitor_id is not null
             union all
             select ${key.map((column) => `d.${column}`).join(', ')}, v.visitor_id, v.visit_id, v.started_at, null
               from due d left join lateral ${visitOfUser(fact('d'))} v on true
              where d.visitor_id is null
           ), held as materialized (
             select n.site_id, n.visitor_id from found n
              cross join lateral (select from site_visitors k where k.site_id = n.site_id and k.visitor_id = n.visitor_id for key share skip locked) k)
           update ${table} f
              set attribution = case when n.visit_id is null then 'none' else 'visit' end, visit_id = n.visit_id, visit_started_at = n.started_at,
                  visitor_id = coalesce(f.visitor_id, n.visitor_id), user_id = coalesce(f.user_id, n.user_id), lake_batch = null
             from found n
            where ${same('f', 'n')} and (n.visitor_id is null or (n.site_id, n.visitor_id) in (select site_id, visitor_id from held))`,
    values: [shard, limit],
  });
  return rowCount ?? 0;
}
