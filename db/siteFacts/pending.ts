/** Facts that wait for the ingestion of their visitors' hits. */
import type { Queryable } from '../pool.ts';
import { visitOfUser, visitOfVisitor } from './visitAt.ts';

/** Clocks of API processes differ: hits received so soon after a fact may have been received before it. */
const CLOCK_SLACK = `interval '1 second'`;

const TABLES = {
  site_conversions: ['site_id', 'origin', 'id'],
  site_orders: ['site_id', 'transaction_id', 'status'],
} as const;

/**
 * Attributes the pending facts of a shard whose hits have all been ingested: of a visitor its own, of a user
 * those of the whole site, for any of them may be the one that links a visitor to him. Asked by the ingest
 * in the transaction that has written visits. What finds no visit counts without one.
 * @param limit of each of the two kinds
 * @returns how many are pending no more
 */
export async function attributePending(client: Queryable, shard: number, limit: number): Promise<number> {
  const conversions = await attribute(client, 'site_conversions', shard, limit);
  return conversions + (await attribute(client, 'site_orders', shard, limit));
}

async function attribute(client: Queryable, table: keyof typeof TABLES, shard: number, limit: number): Promise<number> {
  const key = TABLES[table];
  const fact = { site: 'd.site_id', visitor: 'd.visitor_id', user: 'd.user_id', occurred: 'd.occurred_at' };
  const { rowCount } = await client.query({
    name: `${table}-attribute`,
    text: `with due as materialized (
             select ${key.join(', ')}, visitor_id, user_id, occurred_at from ${table} f
              where shard = $1 and attribution = 'pending'
                and case when f.visitor_id is not null
                      then not exists (select from collect_inbox i where i.site_id = f.site_id and i.visitor_id = f.visitor_id and i.received_at <= f.received_at + ${CLOCK_SLACK})
                      else not exists (select from collect_inbox i where i.site_id = f.site_id and i.received_at <= f.received_at + ${CLOCK_SLACK}) end
              limit $2 for update skip locked
           ), found as (
             select ${key.map((column) => `d.${column}`).join(', ')}, v.visitor_id, v.visit_id, v.started_at, k.user_id
               from due d
               left join lateral ${visitOfVisitor(fact)} v on true
               left join site_visitors k on k.site_id = d.site_id and k.visitor_id = d.visitor_id
              where d.visitor_id is not null
             union all
             select ${key.map((column) => `d.${column}`).join(', ')}, v.visitor_id, v.visit_id, v.started_at, null
               from due d left join lateral ${visitOfUser(fact)} v on true
              where d.visitor_id is null)
           update ${table} f
              set attribution = case when n.visit_id is null then 'none' else 'visit' end, visit_id = n.visit_id, visit_started_at = n.started_at,
                  visitor_id = coalesce(f.visitor_id, n.visitor_id), user_id = coalesce(f.user_id, n.user_id)
             from found n
            where ${key.map((column) => `f.${column} = n.${column}`).join(' and ')}`,
    values: [shard, limit],
  });
  return rowCount ?? 0;
}
