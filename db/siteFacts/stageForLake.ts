/** Conversions and orders on their way to the lake. */
import type pg from 'pg';
import type { ConversionRow } from '../../domain/reports/lakeRows.ts';
import { stageRows } from '../lake/batches.ts';
import { countGoals, takeRecounts } from '../visits/goalCounts.ts';
import { OCCURRED } from './attributePending.ts';
import { userOfUnseenLogin } from './giveFactsToUsers.ts';
import { factRow, type StoredFact } from './lakeFactRow.ts';
import { orderRows, readStagedOrders, settleOrders } from './lakeOrderRows.ts';

/**
 * Stages facts of a shard whose present state is not in the lake, and records the batch that carries them. Called by
 * the ingest, only one of which works on a shard at a time.
 * @param limit maximum number of conversions, and of orders; orders that these change (refunds, first purchases) are
 * added to them
 * @returns how many facts were staged
 */
export async function stageFacts(
  client: pg.ClientBase,
  shard: number,
  batchId: string,
  limit: number,
): Promise<number> {
  const conversions = await stageConversions(client, shard, batchId, limit);
  return conversions + (await stageOrders(client, shard, batchId, limit));
}

export async function stageConversions(
  client: pg.ClientBase,
  shard: number,
  batchId: string,
  limit: number,
): Promise<number> {
  const conversions = await settleConversions(client, shard, batchId, limit);
  await countGoals(client, [...conversions, ...(await takeRecounts(client, shard, limit))]);
  await stageRows(client, shard, batchId, { conversions: conversions.map(conversionRow) });
  return conversions.length;
}

export async function stageOrders(
  client: pg.ClientBase,
  shard: number,
  batchId: string,
  limit: number,
): Promise<number> {
  const orders = await readStagedOrders(client, await settleOrders(client, shard, batchId, limit));
  await stageRows(client, shard, batchId, orderRows(orders));
  return orders.length;
}

interface StoredConversion extends StoredFact {
  origin: string;
  id: string;
  goal: string;
  goal_source: ConversionRow['goal_source'];
  occurred_at: Date;
  server_at: Date | null;
  value: number | null;
}

async function settleConversions(
  client: pg.ClientBase,
  shard: number,
  batchId: string,
  limit: number,
): Promise<StoredConversion[]> {
  const { rows } = await client.query<StoredConversion>({
    name: 'site-conversions-settle',
    text: `with picked as materialized (
             select site_id, origin, id, ${userOfUnseenLogin('site_conversions', OCCURRED.site_conversions)} as late_user from site_conversions
              where shard = $1 and lake_batch is null and attribution <> 'pending' limit $3 for update skip locked)
           update site_conversions f set lake_batch = $2, user_id = coalesce(f.user_id, p.late_user) from picked p
            where f.site_id = p.site_id and f.origin = p.origin and f.id = p.id
           returning f.site_id, f.origin, f.id, f.goal, f.goal_source, f.visitor_id, f.user_id, f.visit_id, f.visit_started_at, f.weight, f.occurred_at, f.server_at, f.value::float8 as value`,
    values: [shard, batchId, limit],
  });
  return rows;
}

function conversionRow(fact: StoredConversion): ConversionRow {
  return {
    ...factRow(fact, fact.server_at ?? fact.occurred_at),
    ...(fact.server_at !== null && { former_at: fact.occurred_at.getTime() }),
    origin: fact.origin,
    conversion_id: fact.id,
    goal: fact.goal,
    goal_source: fact.goal_source,
    value: fact.value,
  };
}
