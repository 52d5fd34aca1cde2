/**
 * The job `user-delete`: what is stored of a deleted person is removed, in chunks. The statements have
 * no names: a plan that was kept from when the tables were small would scan them.
 */
import type pg from 'pg';
import type { PassChunk } from '../../domain/passes.ts';
import { closeJob } from '../jobs.ts';
import { inTransaction } from '../pool.ts';
import { MEMBERS } from './members.ts';

interface Purge {
  projectId: string;
  /** The person and the devices that were his. */
  ids: readonly string[];
  /** Rows at most. */
  limit: number;
}

/**
 * Removes the next rows of a deleted person, in one transaction: orders, events, which leave their sums
 * per item behind, logins, profile, and at last the identifiers. Orders come before events, as they do
 * when orders are expanded.
 * @param isLastPass closes the job when nothing is left
 */
export async function purgeChunk(
  pool: pg.Pool, { projectId, rootId, limit, isLastPass }: { projectId: string; rootId: string; limit: number; isLastPass: boolean },
): Promise<PassChunk> {
  return inTransaction(pool, async (client) => {
    const ids = await findDeadMembers(client, projectId, rootId);
    let rows = 0;
    if (ids.length > 0) {
      for (const purgeSome of [purgeOrders, purgeEvents, purgeStates, purgeLogins, purgeProfiles]) {
        rows += await purgeSome(client, { projectId, ids, limit: limit - rows });
        if (rows >= limit) return { rows, state: 'more' };
      }
      await forgetIdentifiers(client, projectId, ids);
      if (!isLastPass) return { rows, state: 'passed' };
    }
    await closeJob(client, { kind: 'user-delete', projectId, entityId: rootId });
    return { rows, state: 'over' };
  });
}

/** Empty when the job is closed. Whoever is alive is left alone, whatever the job says. */
async function findDeadMembers(client: pg.PoolClient, projectId: string, rootId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'people-dead-members',
    text: `select id from (${MEMBERS}) as member
            where dead_at is not null
              and exists (select from jobs j where j.project_id = $1 and j.kind = 'user-delete' and j.entity_id = $3)`,
    values: [projectId, rootId, rootId],
  });
  return rows.map(({ id }) => id);
}

/** Adds `gone` to the sums of the items. In the order of the key, so that two purges do not wait in a circle. */
const ADD_TO_TOTALS = `
  insert into item_event_totals as t (project_id, item_id, type, events, value_sum)
  select $1, item_id, type, count(*), coalesce(sum(value), 0) from gone group by item_id, type order by item_id, type
  on conflict (project_id, item_id, type) do update set events = t.events + excluded.events, value_sum = t.value_sum + excluded.value_sum`;

async function purgeEvents(client: pg.PoolClient, { projectId, ids, limit }: Purge): Promise<number> {
  const { rows } = await client.query<{ gone: number }>({
    text: `with chunk as materialized (
             select id from events where project_id = $1 and identity_id = any($2::bigint[]) limit $3),
           locked as materialized (
             select e.id from events e where e.project_id = $1 and e.id = any(array(select id from chunk)) order by e.id for update),
           gone as (delete from events e using locked l where e.project_id = $1 and e.id = l.id returning e.item_id, e.type, e.value),
           added as (${ADD_TO_TOTALS})
           select count(*)::int as gone from gone`,
    values: [projectId, ids, limit],
  });
  return rows[0]?.gone ?? 0;
}

async function purgeStates(client: pg.PoolClient, { projectId, ids, limit }: Purge): Promise<number> {
  const { rows } = await client.query<{ gone: number }>({
    text: `with chunk as materialized (
             select identity_id, item_id, type from event_states where project_id = $1 and identity_id = any($2::bigint[]) limit $3),
           locked as materialized (
             select identity_id, item_id, type from event_states
              where project_id = $1 and (identity_id, item_id, type) in (select identity_id, item_id, type from chunk)
              order by identity_id::text collate "C", item_id collate "C", type collate "C" for update),
           gone as (
             delete from event_states s using locked l
              where s.project_id = $1 and s.identity_id = l.identity_id and s.item_id = l.item_id and s.type = l.type
             returning s.item_id, s.type, s.value),
           added as (${ADD_TO_TOTALS})
           select count(*)::int as gone from gone`,
    values: [projectId, ids, limit],
  });
  return rows[0]?.gone ?? 0;
}

/** Their lines go with them. */
async function purgeOrders(client: pg.PoolClient, { projectId, ids, limit }: Purge): Promise<number> {
  const { rowCount } = await client.query({
    text: `with chunk as materialized (
             select order_id from orders where project_id = $1 and identity_id = any($2::bigint[]) order by order_id limit $3 for update)
           delete from orders o using chunk c where o.project_id = $1 and o.order_id = c.order_id`,
    values: [projectId, ids, limit],
  });
  return rowCount ?? 0;
}

async function purgeLogins(client: pg.PoolClient, { projectId, ids, limit }: Purge): Promise<number> {
  const { rowCount } = await client.query({
    text: `with chunk as materialized (
             select fingerprint, identity_id from device_logins where project_id = $1 and identity_id = any($2::bigint[])
              order by fingerprint, identity_id limit $3 for update)
           delete from device_logins l using chunk c
            where l.project_id = $1 and l.fingerprint = c.fingerprint and l.identity_id = c.identity_id`,
    values: [projectId, ids, limit],
  });
  return rowCount ?? 0;
}

async function purgeProfiles(client: pg.PoolClient, { projectId, ids, limit }: Purge): Promise<number> {
  const { rowCount } = await client.query({
    text: `with chunk as materialized (
             select identity_id from profiles where project_id = $1 and identity_id = any($2::bigint[]) order by identity_id limit $3 for update)
           delete from profiles p using chunk c where p.project_id = $1 and p.identity_id = c.identity_id`,
    values: [projectId, ids, limit],
  });
  return rowCount ?? 0;
}

/** What is left is a number without a name. */
async function forgetIdentifiers(client: pg.PoolClient, projectId: string, ids: readonly string[]): Promise<void> {
  await client.query({
    name: 'people-forget-identifiers',
    text: 'update identities set external_id = null where project_id = $1 and id = any($2::bigint[]) and external_id is not null',
    values: [projectId, ids],
  });
}
